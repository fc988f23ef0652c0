// Push messages and notifications of a browser, without its vendor's push service.
import type { BrowserUser } from '../browser.ts'

/** A notification of the service worker. */
export type ShownNotification = { title: string; body: string; tag: string; icon: string }

/**
 * Returns a function that delivers a push message to the page's service worker. It waits until the worker is active:
 * Chromium silently drops messages to an inactive worker.
 */
export async function openPushDelivery({
  page,
  context,
}: Pick<BrowserUser, 'page' | 'context'>): Promise<(content: unknown) => Promise<void>> {
  const session = await context.newCDPSession(page)
  const activated = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      const active = versions.find(({ status }) => status === 'activated')
      if (active !== undefined) resolve(active.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const target = { origin: new URL(page.url()).origin, registrationId: await activated }
  return async (content) => {
    const message = { ...target, data: JSON.stringify(content) }
    await session.send('ServiceWorker.deliverPushMessage', message)
  }
}

/** Lists the visible notifications. */
export function listNotifications({ page }: Pick<BrowserUser, 'page'>) {
  return page.evaluate<ShownNotification[]>(`(async () => {
    const shown = await (await navigator.serviceWorker.ready).getNotifications()
    return shown.map(({ title, body, tag, icon }) => ({ title, body, tag, icon }))
  })()`)
}

/**
 * Clicks the visible notification, or one of its buttons. Browsers cannot do this in tests, so the event is created
 * in the service worker. Such an event can neither extend its own life nor open a window: both are recorded.
 *
 * @returns the opened URLs, after the handler has finished
 */
export async function clickNotification(
  { context }: Pick<BrowserUser, 'context'>,
  action = '',
): Promise<string[]> {
  const [worker] = context.serviceWorkers()
  if (worker === undefined) throw new Error('the page has no service worker')
  return worker.evaluate<string[]>(`(async () => {
    const [notification] = await registration.getNotifications()
    const opened = []
    clients.openWindow = async (url) => void opened.push(url)
    const event = new NotificationEvent('notificationclick', { notification, action: '${action}' })
    const work = []
    event.waitUntil = (promise) => void work.push(promise)
    dispatchEvent(event)
    await Promise.all(work)
    return opened
  })()`)
}
