import type { LedgerEngine } from './engine/operation.ts'
import type { JobLeaseRow } from './schema/operations.ts'

/**
 * Right of one server to run a job. `token` grows whenever another server takes the lease, so that a suspended server
 * cannot use an old lease.
 */
export type JobLease = Pick<JobLeaseRow, 'job' | 'holder' | 'token'>

/**
 * A lease with the last run of the job: its time in the timetable, in epoch milliseconds (null if the job never ran),
 * and whether it is unfinished.
 */
export type TakenLease = JobLease & Pick<JobLeaseRow, 'begun_for'> & { was_interrupted: boolean }

/** Duration of a lease in milliseconds. With `JOB_RENEWAL_MS`, a job is handed over within 40 s. */
export const JOB_LEASE_MS = 30_000

/** Interval in milliseconds at which servers renew their leases and try to take other ones. */
export const JOB_RENEWAL_MS = 10_000

/** Leases of jobs, by the database's clock. */
export type JobLeaseStore = {
  /** Takes the lease of a job if no other server holds it, or renews it; undefined if another server holds it. */
  take(job: string, holder: string, now: Date): Promise<TakenLease | undefined>
  /**
   * Begins the run for a time in the timetable.
   *
   * @returns false if the lease has expired or was taken, or if the last run was for that time
   */
  begin(lease: JobLease, dueAt: Date, now: Date): Promise<boolean>
  /** Ends the run that began last, unless another server has taken the lease. */
  end(lease: JobLease, now: Date): Promise<void>
  /** Releases all leases of a stopping server. */
  release(holder: string): Promise<void>
}

export function openJobLeaseStore(engine: LedgerEngine): JobLeaseStore {
  const { query } = engine
  const take = engine.prepare<
    [{ job: string; holder: string; now: number }],
    Pick<JobLeaseRow, 'token' | 'begun_for' | 'ended_at'>
  >(
    `INSERT INTO job_leases AS known (job, holder, token, expires_at)
     VALUES (@job, @holder, 1, clock(@now) + ${JOB_LEASE_MS})
     ON CONFLICT (job) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at,
       token = known.token + CASE WHEN known.holder = excluded.holder THEN 0 ELSE 1 END
      WHERE known.holder = excluded.holder OR known.expires_at <= clock(@now)
     RETURNING token, begun_for, ended_at`,
  )
  const begin = engine.prepare<[JobLease & { dueAt: number; now: number }]>(
    `UPDATE job_leases SET begun_for = @dueAt, ended_at = NULL
      WHERE job = @job AND holder = @holder AND token = @token AND expires_at > clock(@now)
        AND (begun_for IS NULL OR begun_for <> @dueAt)`,
  )
  const end = engine.prepare<[JobLease & { now: number }]>(
    `UPDATE job_leases SET ended_at = clock(@now)
      WHERE job = @job AND holder = @holder AND token = @token AND begun_for IS NOT NULL`,
  )
  const release = engine.prepare<[string]>('UPDATE job_leases SET expires_at = 0 WHERE holder = ?')

  return {
    async take(job, holder, now) {
      const row = await query(take.get({ job, holder, now: now.getTime() }))
      if (row === undefined) return undefined
      const { token, begun_for, ended_at } = row
      const was_interrupted = begun_for !== null && ended_at === null
      return { job, holder, token, begun_for, was_interrupted }
    },
    begin: async ({ job, holder, token }, dueAt, now) =>
      (await query(
        begin.run({ job, holder, token, dueAt: dueAt.getTime(), now: now.getTime() }),
      )) === 1,
    end: async ({ job, holder, token }, now) =>
      void (await query(end.run({ job, holder, token, now: now.getTime() }))),
    release: async (holder) => void (await query(release.run(holder))),
  }
}
