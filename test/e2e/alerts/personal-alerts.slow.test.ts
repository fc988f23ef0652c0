// Browser tests of watching a price: from the card to the bell, a mailbox and a push subscription.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type AlertJob, startAlerts } from '#jobs/alerts.ts'
import { relayAlert } from '../../contract/holdings.ts'
import {
  clickNotification,
  listNotifications,
  openPushDelivery,
} from '../../support/alerts/browser-push.ts'
import { startPushReceiver } from '../../support/alerts/push-receiver.ts'
import {
  type BrowserUser,
  describeInBrowser,
  openBrowserUser,
  SCREEN_SIZES,
} from '../../support/browser.ts'
import { type MailServer, startMailServer } from '../../support/mail/mail-server.ts'
import { emailOf, FROZEN_TIME } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { waitFor } from '../../support/wait-for.ts'

const MARIGOLD = 900401
const ADDRESS = 'ada@mail.example'

const [PHONE, DESKTOP] = SCREEN_SIZES

describeInBrowser('alerts for people', () => {
  let testServer: TestServer
  let mail: MailServer
  let push: Awaited<ReturnType<typeof startPushReceiver>>
  let alerts: AlertJob
  beforeAll(async () => {
    mail = await startMailServer()
    push = await startPushReceiver()
    const env = { SMTP_URL: mail.url, MAIL_FROM: 'Cards <cards@shop.example>' }
    testServer = await startTestServer({ env })
    alerts = startAlerts(testServer.testApp.deps)
  })
  afterAll(async () => {
    await alerts.close()
    await testServer.close()
    push.stop()
    await mail.close()
  })

  test('reach a mailbox, a browser and the bell', async () => {
    const options = { ownContext: true, serviceWorkers: true }
    const user = await openBrowserUser(testServer.url, PHONE, options)
    const { page, closeClean, inspect } = user
    await user.freezeTime(FROZEN_TIME)
    await page.goto(`/cards/${MARIGOLD}`)
    const watch = page.getByRole('link', { name: 'Watch this price' })
    expect(await watch.getAttribute('href')).toBe(`/login?to=%2Fcards%2F${MARIGOLD}`)
    await testServer.logIn(user, 'free')
    await page.goto(`/cards/${MARIGOLD}`)
    await page.getByRole('button', { name: 'Watch this price' }).click()
    const dialog = page.getByRole('dialog', { name: 'Watch this price' })
    await dialog.getByText('Now $5.12.').waitFor()
    await dialog.getByRole('button', { name: 'Create alert' }).click()
    await dialog.getByText('Enter a price in USD').waitFor()
    await dialog.getByRole('button', { name: '-10%' }).click()
    expect(await dialog.getByLabel('Price in USD').inputValue()).toBe('4.61')
    expect(await inspect('watch-price')).toEqual([])
    await dialog.getByRole('button', { name: 'Create alert' }).click()
    await dialog.getByText('You get an alert when T.S.V. Marigold is at $4.61 or less.').waitFor()
    await dialog.getByRole('link', { name: 'Alerts and channels' }).click()

    await addMail(user)
    await addBrowser(user)
    expect(await inspect('alerts-channels')).toEqual([])

    const { deps } = testServer.testApp
    const owner = await deps.ledger.accounts.getByEmail(emailOf('free'))
    const { rows } = await deps.ledger.priceAlerts.list({ account_id: owner?.id ?? 0 })
    const [alert] = rows
    const id = `msg_${crypto.randomUUID().replaceAll('-', '')}`
    await relayAlert(deps, alert?.id ?? '', id)
    alerts.wake()
    const sent = await mail.waitFor(
      ({ to, headers }) => to === ADDRESS && headers.get('message-id')?.includes(id) === true,
    )
    expect(sent.headers.get('subject')).toBe('T.S.V. Marigold (Normal) is at $46.40')
    await page.reload()
    await page.getByRole('link', { name: 'Alerts, 1 unread' }).waitFor()
    await page.getByText('T.S.V. Marigold is at $46.40').waitFor()
    const isPushed = ({ headers }: { headers: Headers }) => headers.get('topic') === id.slice(4)
    await waitFor(() => push.received.some(isPushed))
    const pushed = (await push.readAll()).find(isPushed)
    expect(pushed?.content).toMatchObject({ id, title: sent.headers.get('subject') })
    expect(await inspect('alerts-page')).toEqual([])
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByRole('link', { name: 'Alerts', exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Pause T.S.V. Marigold' }).click()
    await page.getByText('Paused', { exact: true }).waitFor()

    await page.goto(pathIn(sent.text, 'unsubscribe'))
    expect(await inspect('unsubscribe')).toEqual([])
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByText('Done. Nothing more is sent there.').waitFor()
    await page.getByRole('link', { name: 'Alerts and channels' }).click()
    await page.getByText('Somebody opened the link “Unsubscribe” in a message.').waitFor()
    expect(await page.evaluate(() => document.body.scrollWidth - innerWidth)).toBeLessThan(1)
    await closeClean()
  })

  test('are listed with their channels on a desktop', async () => {
    const user = await openBrowserUser(testServer.url, DESKTOP)
    await user.freezeTime(FROZEN_TIME)
    await testServer.logIn(user, 'free')
    await user.page.goto('/alerts')
    await user.page.getByRole('heading', { name: 'Channels' }).waitFor()
    await user.page.getByRole('button', { name: 'Add E-mail' }).waitFor()
    expect(await user.inspect('alerts-page')).toEqual([])
    await user.closeClean()
  })

  test('are notifications of a browser, which open their card or end its channel', async () => {
    const { client } = testServer.testApp
    const by = { as: 'pro' } as const
    const created = await client.post<{ id: string }>(
      '/v1/channels',
      { kind: 'push', ...push.subscription },
      by,
    )
    const { id } = created.body.data
    await client.post(`/v1/channels/${id}/test`, undefined, by)
    const message = await readPushed(id)

    const options = { ownContext: true, serviceWorkers: true }
    const user = await openBrowserUser(testServer.url, DESKTOP, options)
    await user.context.grantPermissions(['notifications'])
    await user.page.goto('/status')
    const deliver = await openPushDelivery(user)
    const isShown = async () => (await listNotifications(user)).length > 0
    // Chromium drops a message to a service worker that it is about to stop, without an error.
    const show = (content: typeof message) =>
      waitFor(async () => {
        await deliver(content)
        return waitFor(isShown, 10_000).then(
          () => true,
          () => false,
        )
      })
    await show(message)
    // The browser replaces a notification by a repeat, which has its tag.
    expect(await listNotifications(user)).toEqual([
      {
        title: message.title,
        body: message.body,
        tag: message.id,
        icon: `${testServer.url}/icons/icon-192.png`,
      },
    ])
    expect(await clickNotification(user)).toEqual([message.url])
    expect(new URL(message.url).origin).toBe(testServer.url)
    expect(await listNotifications(user)).toEqual([])

    // Chromium may still forget the closed notification, by its tag.
    await show({ ...message, id: `${message.id}-2` })
    expect(await clickNotification(user, 'unsubscribe')).toEqual([])
    const { body } = await client.get<{ id: string; disabled_for: string | null }[]>(
      '/v1/channels',
      by,
    )
    expect(body.data.find((channel) => channel.id === id)?.disabled_for).toBe('unsubscribed')
    await user.closeClean()
  })

  /** Returns the push message that was sent to a channel. */
  async function readPushed(channel: string) {
    type Message = Record<'id' | 'title' | 'body' | 'url' | 'unsubscribe', string>
    // renderPush creates this message.
    const messages = (await push.readAll()).map(({ content }) => content as Message)
    const found = messages.find(({ unsubscribe }) => unsubscribe.includes(channel))
    if (found === undefined) throw new Error('no message was pushed')
    return found
  }

  /** Adds a mail address and opens the confirmation link. */
  async function addMail({ page, inspect }: BrowserUser): Promise<void> {
    await page.getByRole('button', { name: 'Add E-mail' }).click()
    const form = page.getByRole('form', { name: 'Add E-mail' })
    await form.getByLabel('E-mail address').fill(ADDRESS)
    expect(await inspect('alerts-new-channel')).toEqual([])
    await form.getByRole('button', { name: 'Add channel' }).click()
    await page.getByText('Not confirmed').waitFor()
    const { text } = await mail.waitFor(({ to }) => to === ADDRESS)
    await page.goto(pathIn(text, 'confirm'))
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await page.getByText('Confirmed. Alerts are sent').waitFor()
    await page.getByRole('link', { name: 'Alerts and channels' }).click()
    await page.getByText('Active').waitFor()
  }

  /** Adds the browser, whose push service is a local receiver. */
  async function addBrowser({ page, context }: BrowserUser): Promise<void> {
    await context.grantPermissions(['notifications'])
    await page.evaluate(({ address: endpoint, keys }) => {
      const toJSON = () => ({ endpoint, keys })
      PushManager.prototype.getSubscription = async () => null
      PushManager.prototype.subscribe = async () => ({ toJSON }) as unknown as PushSubscription
    }, push.subscription)
    await page.getByRole('button', { name: 'Add this browser' }).click()
    await page.getByRole('button', { name: /Send test to Browser/ }).click()
    await page.getByText('Test sent.').waitFor()
  }
})

/** Returns the path of a link to the dashboard in a mail. */
function pathIn(text: string, page: string): string {
  return new RegExp(`/${page}/\\S+`).exec(text)?.[0] ?? ''
}
