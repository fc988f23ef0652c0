// The server's job relays and sends the alerts of publications.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { SyncReport } from '#actions/sync/sync-catalog.ts'
import { startAlerts } from '#jobs/alerts.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers } from '#jobs/workers.ts'
import { messageId } from '#rules/alerts/alert-message.ts'
import { createDeliveryWorld } from '../support/alerts/delivery-world.ts'
import { createCountingWorker } from '../support/counting-worker.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { waitFor } from '../support/wait-for.ts'

async function open() {
  const world = await createDeliveryWorld({
    onDisk: true,
    env: { INDEX_PICTURES: 'off', BULK_FILES: 'off' },
  })
  closeAfterUse(world.close)
  const receiver = world.receiver()
  const watch = await world.addWebhook(await world.addAccount(), receiver.url)
  return {
    ...world,
    receiver,
    /** Stores an alert in the catalog, as a publication does. */
    publishAlert(): string {
      const id = messageId(Bun.randomUUIDv7())
      const row = `('${id}', '${watch}', '{}', ${+world.deps.now()})`
      world.publish(`INSERT INTO alert_outbox (id, rule_id, body, created_at) VALUES ${row}`)
      return id
    },
  }
}

const start = (
  deps: Parameters<typeof startAlerts>[0],
  parts?: Parameters<typeof startAlerts>[1],
) => {
  const job = startAlerts(deps, parts)
  closeAfterUse(job.close)
  return job
}

test('alerts of a publication are sent at the start, on a wake, and each second', async () => {
  const world = await open()
  const ids = [world.publishAlert()]
  const job = start(world.deps)
  await waitFor(() => world.receiver.received.length === 1)
  ids.push(world.publishAlert())
  job.wake()
  await waitFor(() => world.receiver.received.length === 2)
  ids.push(world.publishAlert())
  await waitFor(() => world.receiver.received.length === 3)
  expect(world.receiver.received.map(({ id }) => id)).toEqual(ids)
})

test('runs never overlap; a wake during a run causes one more', async () => {
  const { deps } = await open()
  const turns: string[] = []
  let go = () => {}
  const relay = {
    async run() {
      turns.push('begun')
      await new Promise<void>((resolve) => {
        go = resolve
      })
      turns.push('ended')
      return 0
    },
  }
  const sending = { owner: randomUUID(), tick: async () => {}, close: async () => {} }
  const job = start(deps, { relay, sending })
  for (let woken = 0; woken < 5; woken++) job.wake()
  await Bun.sleep(1_200)
  expect(turns).toEqual(['begun'])
  go()
  await waitFor(() => turns.length === 3)
  expect(turns).toEqual(['begun', 'ended', 'begun'])
  const closed = job.close()
  go()
  await closed
  await Bun.sleep(1_200)
  expect(turns).toHaveLength(4)
})

test('alerts that cannot be relayed do not block others', async () => {
  const { deps, log } = await open()
  let pumps = 0
  const relay = { run: () => Promise.reject(new Error('the catalog is gone')) }
  const sending = { owner: randomUUID(), tick: async () => void pumps++, close: async () => {} }
  start(deps, { relay, sending })
  const failures = () => log.filter(({ event }) => event === 'failed to relay alerts').length
  await waitFor(() => pumps >= 2)
  expect(failures()).toBeGreaterThanOrEqual(2)
})

test('closing the jobs waits until the running deliveries have ended', async () => {
  const world = await open()
  let endDeliveries = () => {}
  const alerts = {
    wake: () => {},
    close: () =>
      new Promise<void>((resolve) => {
        endDeliveries = resolve
      }),
  }
  let isClosed = false
  const closing = startJobs(world.deps, createWorkers(world.deps), alerts)
    .close()
    .then(() => {
      isClosed = true
    })
  await Bun.sleep(100)
  expect(isClosed).toBe(false)
  endDeliveries()
  await closing
})

test('a server sends the alerts of a publication, and completes running deliveries when it stops', async () => {
  const world = await open()
  const sync = createCountingWorker<SyncReport>(undefined).thread
  const jobs = startJobs(world.deps, { ...createWorkers(world.deps), sync })
  closeAfterUse(jobs.close)
  world.publishAlert()
  await waitFor(() => world.receiver.received.length === 1)
  await jobs.close()
  world.publishAlert()
  await Bun.sleep(1_200)
  expect(world.receiver.received).toHaveLength(1)
})
