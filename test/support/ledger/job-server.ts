// A server with one job, whose runs another process requests. It runs until it is killed.
import { createJobLeases } from '#jobs/job-leases.ts'
import { openLog } from '#log.ts'
import { openPostgresEngine } from '#store/ledger/engine/postgres-engine.ts'
import { type JobLeaseStore, openJobLeaseStore } from '#store/ledger/job-leases.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { PATIENT_MS } from './engines.ts'

/** A run that ends immediately, or never. */
export type JobRequest = 'run' | 'hang'

/** `taken`: the server has acquired the job's lease, for the first time or again. */
export type JobEvent = 'taken' | 'running' | 'ran' | 'refused'

const report = (event: JobEvent) => void process.send?.(event)
const engine = openPostgresEngine({ url: process.argv[2] ?? '', answerMs: PATIENT_MS })
const jobLeases: JobLeaseStore = openJobLeaseStore(engine)
const ledger = { shared: {}, jobLeases } as Ledger
const leases = createJobLeases(
  { ledger, log: openLog('error'), now: () => new Date() },
  { renewEveryMs: 20, elapsed: () => performance.now() },
)
const lease = leases?.add('job', () => report('taken'))

process.on('message', async (request: JobRequest) => {
  const hasRun = await lease?.run(new Date(), async () => {
    report('running')
    if (request === 'hang') await new Promise(() => {})
  })
  report(hasRun === true ? 'ran' : 'refused')
})
