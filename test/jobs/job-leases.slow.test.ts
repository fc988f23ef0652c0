// Servers that share a ledger run each job once.
import { expect, test } from 'bun:test'
import { scheduledJobs } from 'croner'
import { createJobLeases, type JobLeases, type KeptLease } from '#jobs/job-leases.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers, type LedgerReport } from '#jobs/workers.ts'
import { JOB_LEASE_MS, type JobLeaseStore } from '#store/ledger/job-leases.ts'
import { createCountingWorker } from '../support/counting-worker.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { LONE_SERVER } from '../support/ledger/lone-server.ts'
import { createTestApp } from '../support/test-app.ts'
import { waitFor } from '../support/wait-for.ts'

async function open() {
  const testApp = await createTestApp({
    env: { INDEX_PICTURES: 'off', BULK_FILES: 'off' },
    shared: LONE_SERVER,
  })
  const { deps } = testApp
  const start = deps.now().getTime()
  let passedMs = 0
  return {
    deps,
    /** Advances the time for the database and every server. */
    pass(ms: number): void {
      passedMs += ms
      testApp.setClock(new Date(start + passedMs).toISOString())
    },
    /** Opens the leases of a further server, which keeps renewing them. */
    openServer(store: JobLeaseStore = deps.ledger.jobLeases): Server {
      const { jobLeases, renewed } = countRenewals(store)
      const timing = { renewEveryMs: 5, elapsed: () => passedMs }
      const leases = createJobLeases({ ...deps, ledger: { ...deps.ledger, jobLeases } }, timing)
      if (leases === undefined) throw new Error('the ledger is not shared')
      closeAfterUse(leases.close)
      return { ...leases, renewed }
    },
  }
}

type Server = JobLeases & {
  /** Waits for a renewal of its leases that begins after this call, even if it fails. */
  renewed(): Promise<void>
}

function countRenewals(store: JobLeaseStore) {
  let ended = 0
  const jobLeases: JobLeaseStore = {
    ...store,
    take: (...input) => store.take(...input).finally(() => ended++),
  }
  async function renewed(): Promise<void> {
    // The current renewal may have begun earlier.
    const enough = ended + 2
    await waitFor(() => ended >= enough)
  }
  return { jobLeases, renewed }
}

test('a server that stops gives its jobs to another at once', async () => {
  const { openServer } = await open()
  const [first, second] = [openServer(), openServer()]
  const kept = first.add('purge')
  await waitFor(kept.isHeld)
  const taken: boolean[] = []
  const waiting = second.add('purge', (_, last) => taken.push(last.was_interrupted))
  await second.renewed()
  expect([waiting.isHeld(), taken.length]).toEqual([false, 0])
  await first.close()
  await waitFor(waiting.isHeld)
  expect(taken).toEqual([false])
})

/** Opens a server whose connection to the database can be cut. */
function cuttable(jobLeases: JobLeaseStore) {
  const wire = { isCut: false }
  const through = async <T>(run: () => Promise<T>) => {
    if (wire.isCut) throw new Error('cut')
    return run()
  }
  const store: JobLeaseStore = {
    ...jobLeases,
    take: (...input) => through(() => jobLeases.take(...input)),
    end: (...input) => through(() => jobLeases.end(...input)),
  }
  return { wire, store }
}

test('a server without the database ends its jobs before another takes them', async () => {
  const { deps, pass, openServer } = await open()
  const { wire, store } = cuttable(deps.ledger.jobLeases)
  const kept = openServer(store).add('purge')
  await waitFor(kept.isHeld)
  const running = Promise.withResolvers<void>()
  const run = kept.run(deps.now(), () => running.promise)
  wire.isCut = true
  const interrupted: boolean[] = []
  const other = openServer()
  const waiting = other.add('purge', (_, last) => interrupted.push(last.was_interrupted))
  pass(JOB_LEASE_MS - 1)
  await other.renewed()
  expect([kept.isHeld(), waiting.isHeld()]).toEqual([true, false])
  pass(1)
  expect(kept.isHeld()).toBe(false)
  expect(await kept.run(deps.now(), async () => {})).toBe(false)
  await waitFor(waiting.isHeld)
  expect(interrupted).toEqual([true])
  running.resolve()
  await expect(run).rejects.toThrow('cut')
})

test('a run that takes longer than a lease keeps it, and is alone', async () => {
  const { deps, pass, openServer } = await open()
  const server = openServer()
  const kept = server.add('sync')
  await waitFor(kept.isHeld)
  const running = Promise.withResolvers<void>()
  const run = kept.run(deps.now(), () => running.promise)
  const other = openServer().add('sync')
  for (let passed = 0; passed < 3 * JOB_LEASE_MS; passed += JOB_LEASE_MS / 3) {
    pass(JOB_LEASE_MS / 3)
    expect(await deps.ledger.jobLeases.take('sync', 'third', deps.now())).toBeUndefined()
    await server.renewed()
    expect(kept.isHeld()).toBe(true)
  }
  expect(other.isHeld()).toBe(false)
  expect(await kept.run(new Date(0), async () => {})).toBe(false)
  running.resolve()
  expect(await run).toBe(true)
})

test('a run ends itself only, and not one that another server began since', async () => {
  const { deps, pass, openServer } = await open()
  const [first, second] = [1, 2].map(() => cuttable(deps.ledger.jobLeases))
  if (first === undefined || second === undefined) throw new Error('two servers')
  /** Begins a run of the job, which ends with the promise. */
  async function begin(lease: KeptLease, end: Promise<void>): Promise<{ run: Promise<boolean> }> {
    const begun = Promise.withResolvers<void>()
    const run = lease.run(deps.now(), () => {
      begun.resolve()
      return end
    })
    await begun.promise
    return { run }
  }
  const kept = openServer(first.store).add('purge')
  await waitFor(kept.isHeld)
  const stopped = Promise.withResolvers<void>()
  const { run } = await begin(kept, stopped.promise)
  first.wire.isCut = true
  const other = openServer(second.store).add('purge')
  pass(JOB_LEASE_MS)
  await waitFor(other.isHeld)
  await begin(other, new Promise(() => {}))
  second.wire.isCut = true
  pass(JOB_LEASE_MS)
  first.wire.isCut = false
  await waitFor(kept.isHeld)
  stopped.resolve()
  expect(await run).toBe(true)
  first.wire.isCut = true
  pass(JOB_LEASE_MS)
  expect(await deps.ledger.jobLeases.take('purge', 'third', deps.now())).toMatchObject({
    was_interrupted: true,
  })
})

test('a scheduled run is not repeated by the server that takes over the job', async () => {
  const { deps } = await open()
  const ledger = createCountingWorker<LedgerReport>({ errors: 0, first: [] })
  async function runServer(): Promise<void> {
    const jobs = startJobs(deps, { ...createWorkers(deps), ledger: ledger.thread })
    closeAfterUse(jobs.close)
    const clock = scheduledJobs.find(({ name }) => name === 'check scan balances')
    const other = () => deps.ledger.jobLeases.take('check scan balances', 'other', deps.now())
    // Due tomorrow at the earliest.
    for (let turn = 0; turn < 5; turn++) await clock?.trigger()
    expect(await other()).toBeUndefined()
    await jobs.close()
  }
  await runServer()
  expect(ledger.notes.runs).toBe(1)
  await runServer()
  expect(ledger.notes.runs).toBe(1)
})

/**
 * Starts the jobs of a server whose schedule depends on when a lease is free, and whose clock is triggered manually.
 */
async function startWaiting() {
  const { deps, openServer } = await open()
  const job = 'check scan balances'
  const { jobLeases } = deps.ledger
  const before = await jobLeases.take(job, 'before', deps.now())
  if (before === undefined) throw new Error('the lease is taken')
  const ledger = createCountingWorker<LedgerReport>({ errors: 0, first: [] })
  const workers = { ...createWorkers(deps), ledger: ledger.thread }
  let isTaken = false
  const store: JobLeaseStore = {
    ...jobLeases,
    async take(...input) {
      const taken = await jobLeases.take(...input)
      isTaken ||= input[0] === job && taken !== undefined
      return taken
    },
  }
  const server = openServer(store)
  const jobs = startJobs(deps, workers, undefined, server)
  closeAfterUse(jobs.close)
  const clock = scheduledJobs.find(({ name }) => name === job)
  const dueAt = clock?.nextRun()
  if (!dueAt) throw new Error('the job has no time')
  await clock?.trigger()
  expect(ledger.notes.runs).toBe(0)
  return {
    deps,
    before,
    dueAt,
    ledger,
    async handOver() {
      await jobLeases.release('before')
      await waitFor(() => isTaken)
      // A run for a missed time begins before the next renewal.
      await server.renewed()
    },
  }
}

test('a scheduled run that was missed while no server had the lease is made up for', async () => {
  const { ledger, handOver } = await startWaiting()
  await handOver()
  expect(ledger.notes.runs).toBe(1)
})

test('a scheduled run that the previous server has done is not repeated', async () => {
  const { deps, before, dueAt, ledger, handOver } = await startWaiting()
  expect(await deps.ledger.jobLeases.begin(before, dueAt, deps.now())).toBe(true)
  await deps.ledger.jobLeases.end(before, deps.now())
  await handOver()
  expect(ledger.notes.runs).toBe(0)
})
