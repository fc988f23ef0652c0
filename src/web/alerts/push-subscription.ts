/** Push subscription of this browser, as the API takes it. */
export type BrowserSubscription = { address: string; keys: { p256dh: string; auth: string } }

/** Returns false without push messages, as over plain HTTP. */
export function supportsPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/**
 * Asks for the permission to show notifications, and subscribes this browser.
 *
 * @param key public key of the server
 * @returns undefined if the permission was refused
 */
export async function subscribeToPush(key: string): Promise<BrowserSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const { pushManager } = await navigator.serviceWorker.ready
  const before = await pushManager.getSubscription()
  // A subscription with the key of another server, or of an earlier secret, cannot be used.
  await before?.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: key }
  const { endpoint = '', keys } = (await pushManager.subscribe(options)).toJSON()
  return { address: endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }
}
