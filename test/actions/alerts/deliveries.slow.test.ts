import { afterEach, beforeEach, expect, test } from 'bun:test'
import { redeliver } from '#actions/alerts/deliveries.ts'
import { createMessageWorker } from '#actions/alerts/message-worker.ts'
import { testWebhook } from '#actions/alerts/send-test.ts'
import {
  createDeliveryWorld,
  type DeliveryWorld,
  FAST_TIMING,
} from '../../support/alerts/delivery-world.ts'
import type { Behavior, Receiver } from '../../support/alerts/receivers.ts'
import { waitFor } from '../../support/wait-for.ts'

let world: DeliveryWorld
let account = 0
let watch = ''
let receiver: Receiver
let behavior: Behavior
let sending: ReturnType<typeof createMessageWorker>
beforeEach(async () => {
  world = await createDeliveryWorld()
  behavior = 'ok'
  receiver = world.receiver({ behave: () => behavior })
  account = await world.addAccount()
  watch = await world.addWebhook(account, receiver.url)
  sending = createMessageWorker(world.deps, { ...FAST_TIMING, wait: () => undefined })
  world.onClose(sending.close)
})
afterEach(() => world.close())

const again = (delivery_id: string, webhook_id = watch, account_id = account) =>
  redeliver(world.deps, { account_id, webhook_id, delivery_id })
const ended = async (id: string) => (await world.getDelivery(watch, id)).ended_at !== null
const change = (wanted: { is_paused: boolean }) =>
  world.deps.ledger.webhooks.update(
    { id: watch, account_id: account },
    wanted,
    world.auditContext(),
  )

/** Creates a message in this state. */
async function messageThat(is: Behavior): Promise<string> {
  behavior = is
  const [id = ''] = await world.addAlerts(watch)
  await sending.tick()
  await waitFor(() => ended(id))
  behavior = 'ok'
  return id
}

test.each(['ok', 'fail'] as const)('a message with the result %p is sent again', async (is) => {
  const id = await messageThat(is)
  expect(await again(id)).toMatchObject({ id, state: 'pending', tries: 0, attempts: [{}] })
  await sending.tick()
  await waitFor(() => ended(id))
  const message = await world.getDelivery(watch, id)
  expect([message.state, message.attempts.length]).toEqual(['delivered', 2])
  const [first, second] = receiver.received
  expect([second?.id, second?.body]).toEqual([first?.id, first?.body])
})

test('a message that waits for its next attempt is sent now', async () => {
  const later = new Date(+world.deps.now() + 3_600_000)
  const [id = ''] = await world.addAlerts(watch, 1, later)
  await again(id)
  await sending.tick()
  await waitFor(() => ended(id))
  expect((await world.getDelivery(watch, id)).state).toBe('delivered')
})

test('a message that is being sent is not changed', async () => {
  behavior = 'never'
  const [id = ''] = await world.addAlerts(watch)
  await sending.tick()
  await waitFor(() => receiver.received.length === 1)
  const before = await world.getDelivery(watch, id)
  expect(await again(id)).toMatchObject({ owner: sending.owner, next_at: before.next_at })
  expect(receiver.received).toHaveLength(1)
})

test('a test that is sent again is still a test, and not repeated', async () => {
  behavior = 'fail'
  const { id } = await testWebhook(world.deps, { account_id: account, webhook_id: watch })
  await again(id)
  await sending.tick()
  await waitFor(() => ended(id))
  expect((await world.getDelivery(watch, id)).state).toBe('dead')
  expect(receiver.received.map(({ headers }) => headers.get('cardstock-test'))).toEqual(['1', '1'])
})

test('a paused webhook rejects a redelivery, as does one below Pro', async () => {
  const id = await messageThat('ok')
  await change({ is_paused: true })
  await expect(again(id)).rejects.toMatchObject({ code: 'WEBHOOK_PAUSED' })
  await change({ is_paused: false })
  await world.putTier(account, 'starter')
  await expect(again(id)).rejects.toMatchObject({ code: 'WEBHOOK_PAUSED' })
  await world.putTier(account, 'business')
  expect((await again(id)).state).toBe('pending')
})

test('a webhook whose receiver is gone does so until it is resumed', async () => {
  const id = await messageThat('gone')
  await expect(again(id)).rejects.toMatchObject({ code: 'WEBHOOK_PAUSED' })
  await change({ is_paused: false })
  expect((await again(id)).state).toBe('pending')
})

test('the limit is a thousand per day, with the time to wait', async () => {
  const id = await messageThat('ok')
  for (let sent = 0; sent < 1_000; sent++) await again(id)
  const { state, tries } = await world.getDelivery(watch, id)
  expect([state, tries]).toEqual(['pending', 0])
  await expect(again(id)).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS', retryAfter: 87 })
})

test('a message of another account or another webhook is not found', async () => {
  const id = await messageThat('ok')
  const other = await world.addAccount()
  const theirs = await world.addWebhook(account, receiver.url)
  for (const refused of [
    () => again(id, watch, other),
    () => again(id, theirs),
    () => again('msg_none'),
  ]) {
    await expect(refused()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }
})
