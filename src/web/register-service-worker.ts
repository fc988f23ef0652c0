/** Registers the service worker after the page has loaded. Browsers have none over plain HTTP. */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return
  addEventListener('load', () => {
    // Without it, pages only lack the offline page.
    void navigator.serviceWorker.register('/sw.js').catch(() => {})
  })
}
