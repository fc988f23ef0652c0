// Real processes that are stopped and killed while they hold a job's lease.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type JobLeaseStore, openJobLeaseStore, type TakenLease } from '#store/ledger/job-leases.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { openPostgres, type TestDatabase } from '../support/ledger/engines.ts'
import type { JobEvent, JobRequest } from '../support/ledger/job-server.ts'
import { HAS_POSTGRES } from '../support/ledger/postgres-server.ts'
import { waitFor } from '../support/wait-for.ts'

const JOB_SERVER = join(import.meta.dir, '../support/ledger/job-server.ts')

function startServer(url: string) {
  const events: JobEvent[] = []
  const child = Bun.spawn([process.execPath, '--no-env-file', JOB_SERVER, url], {
    stdio: ['ignore', 'ignore', 'inherit'],
    ipc: (event: JobEvent) => void events.push(event),
  })
  closeAfterUse(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
  return {
    signal: (signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL') => child.kill(signal),
    send: (request: JobRequest) => child.send(request),
    reported: (event: JobEvent) => waitFor(() => events.splice(0).includes(event)),
  }
}

describe.skipIf(!HAS_POSTGRES)('a server with the lease of a job', () => {
  let database: TestDatabase
  let leases: JobLeaseStore
  beforeAll(async () => {
    database = await openPostgres()
    leases = openJobLeaseStore(database.engine)
  })
  afterAll(() => database?.close())

  /**
   * Waits until the lease expires and another server takes it: the first one may have renewed it just before its end.
   */
  async function takeOver(): Promise<TakenLease> {
    for (;;) {
      await database.engine.execute('UPDATE job_leases SET expires_at = 0')
      const taken = await leases.take('job', 'other', new Date())
      if (taken !== undefined) return taken
    }
  }

  test('that was frozen does not start its jobs, and gets the lease back later', async () => {
    const server = startServer(database.server.url)
    await server.reported('taken')
    server.send('run')
    await server.reported('ran')
    server.signal('SIGSTOP')
    expect((await takeOver()).was_interrupted).toBe(false)
    server.send('run')
    server.signal('SIGCONT')
    await server.reported('refused')
    await leases.release('other')
    await server.reported('taken')
    server.send('run')
    await server.reported('ran')
  })

  test('that is killed during a run leaves it to the next one', async () => {
    await database.engine.execute('UPDATE job_leases SET expires_at = 0')
    const server = startServer(database.server.url)
    await server.reported('taken')
    server.send('hang')
    await server.reported('running')
    server.signal('SIGKILL')
    expect((await takeOver()).was_interrupted).toBe(true)
  })
})
