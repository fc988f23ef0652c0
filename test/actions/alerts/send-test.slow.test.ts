import { afterEach, beforeEach, expect, test } from 'bun:test'
import { testWebhook } from '#actions/alerts/send-test.ts'
import { CONSECUTIVE_FAILURES_MAX } from '#rules/alerts/retry-schedule.ts'
import { createDeliveryWorld, type DeliveryWorld } from '../../support/alerts/delivery-world.ts'
import { waitFor } from '../../support/wait-for.ts'

let world: DeliveryWorld
let account = 0
beforeEach(async () => {
  world = await createDeliveryWorld()
  account = await world.addAccount()
})
afterEach(() => world.close())

const sendTest = (webhook_id: string, account_id = account) =>
  testWebhook(world.deps, { account_id, webhook_id })

/** A card of the sample with several prices. */
function aCard() {
  const row = world.catalogDb
    .prepare<
      [],
      { card_id: number; name: string; highest: number; printing: string; price: number }
    >(
      `SELECT card_id, cards.name, max(market_price) AS highest,
              (SELECT printings.name FROM prices AS p JOIN printings ON printings.id = printing_id
                WHERE p.card_id = prices.card_id ORDER BY market_price LIMIT 1) AS printing,
              min(market_price) AS price
         FROM prices JOIN cards ON cards.id = card_id
        GROUP BY card_id HAVING min(market_price) < max(market_price) LIMIT 1`,
    )
    .get()
  if (row === undefined) throw new Error('the sample has no such card')
  return row
}

test('a test sends what an alert would send now, signed and marked as a test', async () => {
  const receiver = world.receiver({ behave: () => 'ok with body' })
  const { card_id, name, highest } = aCard()
  const watch = await world.addWebhook(account, receiver.url, card_id)
  const sent = await sendTest(watch)
  const [got] = receiver.received
  expect(JSON.parse(got?.body ?? '')).toEqual({
    event: 'price_alert',
    card_id,
    card_name: name,
    condition: 'above',
    threshold: 5,
    current_price: highest / 100,
    timestamp: world.deps.now().toISOString(),
  })
  expect(got?.headers.get('cardstock-test')).toBe('1')
  expect(got?.signature).toStartWith('v1,')
  expect(sent).toMatchObject({ kind: 'test', state: 'delivered', tries: 1, owner: null })
  expect(sent.attempts).toMatchObject([{ status: 200, error: null, answer: 'Thank you.' }])
})

test('it has the price of the webhook’s printing if it names one', () => {
  const { card_id, printing, price, name } = aCard()
  const { webhookCards } = world.deps.catalog.alerts
  const get = (watched: { card_id: number; printing: string | null }) =>
    webhookCards.get({ ...watched, currency: null, source: null }, 0)
  expect(get({ card_id, printing })).toEqual({ card_name: name, price })
  expect(get({ card_id, printing: 'no printing' })?.price).toBeNull()
  expect(get({ card_id: 999_999_999, printing: null })).toBeUndefined()
})

test('it has the threshold if the price is unknown', async () => {
  const receiver = world.receiver()
  const watch = await world.addWebhook(account, receiver.url, 999_999_999)
  await sendTest(watch)
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ current_price: 5 })
})

test('a failed one is not repeated, and does not affect its webhook', async () => {
  for (const behavior of ['fail', 'gone'] as const) {
    const other = await world.addAccount()
    const watch = await world.addWebhook(other, world.receiver({ behave: () => behavior }).url)
    const sent = await sendTest(watch, other)
    expect(sent).toMatchObject({ state: 'dead', tries: 1 })
    expect(sent.attempts[0]?.error).toBeString()
    expect(
      (await world.deps.ledger.webhooks.get({ id: watch, account_id: other }))?.disabled_for,
    ).toBeNull()
  }
})

test('failing tests for days disable nothing, and a successful one clears no failures', async () => {
  let behavior: 'fail' | 'ok' = 'fail'
  const watch = await world.addWebhook(account, world.receiver({ behave: () => behavior }).url)
  for (let day = 0; day < CONSECUTIVE_FAILURES_MAX + 1; day++) {
    world.setClock(new Date(+world.deps.now() + 86_400_000).toISOString())
    await sendTest(watch)
  }
  expect(
    (await world.deps.ledger.webhooks.get({ id: watch, account_id: account }))?.disabled_for,
  ).toBeNull()
  behavior = 'ok'
  expect((await sendTest(watch)).state).toBe('delivered')
})

test('a paused webhook can be tested', async () => {
  const receiver = world.receiver()
  const watch = await world.addWebhook(account, receiver.url)
  const { webhooks } = world.deps.ledger
  await webhooks.update(
    { id: watch, account_id: account },
    { is_paused: true },
    world.auditContext(),
  )
  expect((await sendTest(watch)).state).toBe('delivered')
})

test('after ten tests in a minute an account must wait, with the time to wait', async () => {
  const watch = await world.addWebhook(account, world.receiver().url)
  for (let sent = 0; sent < 10; sent++) await sendTest(watch)
  const refusal = { code: 'TOO_MANY_ATTEMPTS', retryAfter: 6 }
  await expect(sendTest(watch)).rejects.toMatchObject(refusal)
  const other = await world.addAccount()
  const theirs = await world.addWebhook(other, world.receiver().url)
  expect((await sendTest(theirs, other)).state).toBe('delivered')
  world.setClock(new Date(+world.deps.now() + 6_000).toISOString())
  expect((await sendTest(watch)).state).toBe('delivered')
})

test('two tests of an account may run concurrently, and sixteen in total', async () => {
  const hanging = world.receiver({ behave: () => 'never' })
  const tests: Promise<unknown>[] = []
  const stopping = new AbortController()
  const stopped = {
    ...world.deps,
    webhookClient: {
      post: (message: Parameters<typeof world.deps.webhookClient.post>[0]) =>
        world.deps.webhookClient.post(message, stopping.signal),
    },
  }
  const hang = async (of: number) => {
    const webhook_id = await world.addWebhook(of, hanging.url)
    tests.push(testWebhook(stopped, { account_id: of, webhook_id }))
  }
  await hang(account)
  await hang(account)
  await waitFor(() => hanging.received.length === 2)
  const watch = await world.addWebhook(account, world.receiver().url)
  const refusal = { code: 'TOO_MANY_ATTEMPTS', retryAfter: 15 }
  await expect(sendTest(watch)).rejects.toMatchObject(refusal)
  for (let other = 0; other < 14; other++) await hang(await world.addAccount())
  await waitFor(() => hanging.received.length === 16)
  const late = await world.addAccount()
  const theirs = await world.addWebhook(late, world.receiver().url)
  await expect(sendTest(theirs, late)).rejects.toMatchObject(refusal)
  stopping.abort()
  await Promise.all(tests)
  expect((await sendTest(watch)).state).toBe('delivered')
})

test('the limit is a hundred tests per day', async () => {
  const watch = await world.addWebhook(account, world.receiver().url)
  let sent = 0
  for (; sent < 110; sent++) {
    if (sent > 0 && sent % 10 === 0) {
      world.setClock(new Date(+world.deps.now() + 60_000).toISOString())
    }
    const refused = await sendTest(watch).then(
      () => undefined,
      (error) => error,
    )
    if (refused === undefined) continue
    expect(refused).toMatchObject({ code: 'TOO_MANY_ATTEMPTS' })
    break
  }
  expect(sent).toBe(100)
})
