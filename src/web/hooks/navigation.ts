let isReturn = false

// The router tells of its own steps; a step of the browser's history is told by the browser.
addEventListener('popstate', () => {
  isReturn = true
})
addEventListener('pushState', () => {
  isReturn = false
})

/** Whether the reader came here by going back or forward: to a page as they left it. */
export function isHistoryNavigation(): boolean {
  return isReturn
}
