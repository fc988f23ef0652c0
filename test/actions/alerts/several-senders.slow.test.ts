// Servers that send webhooks from one ledger: at most one of them is elected, under any fault.
import { describe, expect, test } from 'bun:test'
import { createMessageWorker } from '#actions/alerts/message-worker.ts'
import { testWebhook } from '#actions/alerts/send-test.ts'
import type { Deps } from '#deps.ts'
import { createDeliveryWorld, FAST_TIMING } from '../../support/alerts/delivery-world.ts'
import { closeAfterEach } from '../../support/closers.ts'
import { LEDGERS } from '../../support/ledger/ledgers.ts'
import { waitFor } from '../../support/wait-for.ts'

const closers = closeAfterEach()

describe.each(LEDGERS)('servers that share %s', (_name, create) => {
  async function open() {
    const ledgers = await create()
    closers.push(ledgers.close)
    const world = await createDeliveryWorld({ ledger: ledgers.open() })
    closers.push(world.close)
    const servers: [Deps, Deps] = [world.deps, { ...world.deps, ledger: ledgers.open() }]
    const start = (deps: Deps, isElected?: () => boolean) => {
      const sending = createMessageWorker(deps, FAST_TIMING, isElected)
      closers.push(sending.close)
      return sending
    }
    return { world, servers, start }
  }

  test('deliver each message once, in order, even if two of them send', async () => {
    const { world, servers, start } = await open()
    const receiver = world.receiver()
    const account = await world.addAccount()
    const expected = new Map<string, string[]>()
    for (let index = 0; index < 6; index++) {
      const webhook = await world.addWebhook(account, `${receiver.url}/${index}`)
      expected.set(webhook, await world.addAlerts(webhook, 5))
    }
    const senders = servers.map((deps) => start(deps))
    await waitFor(async () => {
      await Promise.all(senders.map(({ tick }) => tick()))
      return receiver.received.length >= 30
    })
    for (const { close } of senders) await close()
    expect(receiver.received).toHaveLength(30)
    for (const [index, [webhook, sent]] of [...expected].entries()) {
      const arrived = receiver.received.filter(({ path }) => path === `/${index}`)
      expect(arrived.map(({ id }) => id)).toEqual(sent)
      const { rows } = await world.deps.ledger.messages.list(webhook, { limit: 9, offset: 0 })
      expect(rows.map(({ id, state, tries }) => ({ id, state, tries })).reverse()).toEqual(
        sent.map((id) => ({ id, state: 'delivered', tries: 1 })),
      )
    }
  })

  test('start nothing that they have queued once another is elected', async () => {
    const { world, servers, start } = await open()
    let isElected = true
    const receiver = world.receiver({
      behave: () => {
        isElected = false
        return 'ok'
      },
    })
    const webhook = await world.addWebhook(await world.addAccount(), receiver.url)
    const ids = await world.addAlerts(webhook, 3)
    const first = start(servers[0], () => isElected)
    await first.tick()
    await waitFor(async () => (await world.getDelivery(webhook, ids[0] ?? '')).state !== 'pending')
    await Bun.sleep(50)
    await first.tick()
    expect(receiver.received.map(({ id }) => id)).toEqual(ids.slice(0, 1))
    const second = start(servers[1])
    await waitFor(async () => {
      await second.tick()
      return receiver.received.length === 3
    })
    expect(receiver.received.map(({ id }) => id)).toEqual(ids)
  })

  test('together allow an account as many concurrent tests as one of them', async () => {
    const { world, servers } = await open()
    const account_id = await world.addAccount()
    const webhook_id = await world.addWebhook(account_id, world.receiver().url)
    const held = Promise.withResolvers<void>()
    let posted = 0
    const refused: unknown[] = []
    const tests = [...servers, ...servers, ...servers].map((deps) => {
      const post: Deps['webhookClient']['post'] = async (...message) => {
        posted++
        await held.promise
        return deps.webhookClient.post(...message)
      }
      const holding = { ...deps, webhookClient: { ...deps.webhookClient, post } }
      return testWebhook(holding, { account_id, webhook_id }).catch(({ code }) =>
        refused.push(code),
      )
    })
    await waitFor(() => posted + refused.length === tests.length)
    expect([posted, refused]).toEqual([2, Array(4).fill('TOO_MANY_ATTEMPTS')])
    held.resolve()
    await Promise.all(tests)
  })
})
