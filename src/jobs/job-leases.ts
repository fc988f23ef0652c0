import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import {
  JOB_LEASE_MS,
  JOB_RENEWAL_MS,
  type JobLease,
  type TakenLease,
} from '#store/ledger/job-leases.ts'

/** Leases of the jobs that servers with one ledger share: each job runs on the server that holds its lease. */
export type JobLeases = {
  /**
   * Takes the lease of a job as soon as it is free, and keeps it.
   *
   * @param onTaken called each time this server gets the job, with the job's last run
   * @param isEligible returns false while this server must not have the job; the lease then expires
   */
  add(
    job: string,
    onTaken?: (lease: KeptLease, taken: TakenLease) => void,
    isEligible?: () => boolean | Promise<boolean>,
  ): KeptLease
  /** Releases the leases, so that other servers can take them. Never rejects. */
  close(): Promise<void>
}

export type KeptLease = {
  /** Returns true while no other server can have the lease. Does not query the database. */
  isHeld(): boolean
  /** Returns the lease while it is held. */
  get(): JobLease | undefined
  /**
   * Runs the job that was due at a time in its timetable. Does nothing if another server has the lease or has already
   * run the job for that time, or if this server is still running it.
   *
   * @returns true if it ran; rejects as the action does
   */
  run(dueAt: Date, action: () => Promise<unknown>): Promise<boolean>
}

type Timing = {
  /** Interval of renewals in milliseconds. */
  renewEveryMs: number
  /** Milliseconds of a monotonic clock. */
  elapsed(): number
}

const TIMING: Timing = { renewEveryMs: JOB_RENEWAL_MS, elapsed: () => performance.now() }

/** Opens the leases of this server's jobs; undefined if no other server shares its ledger. */
export function createJobLeases(
  { ledger, log, now }: Pick<Deps, 'ledger' | 'log' | 'now'>,
  { renewEveryMs, elapsed }: Timing = TIMING,
): JobLeases | undefined {
  if (ledger.shared === undefined) return undefined
  const { jobLeases } = ledger
  const holder = randomUUID()
  const renewals: (() => Promise<void>)[] = []
  let isClosed = false

  /** Resolves when the last query to the database has ended. */
  let renewing = Promise.resolve()

  function renewSoon(renewals: readonly (() => Promise<void>)[]): void {
    renewing = renewing.then(async () => {
      try {
        for (const renew of renewals) if (!isClosed) await renew()
      } catch (error) {
        log.error('failed to renew the leases of jobs', { error })
      }
    })
  }

  const timer = setInterval(() => renewSoon(renewals), renewEveryMs)

  return {
    add(job, onTaken, isEligible = () => true) {
      let lease: TakenLease | undefined
      let until = Number.NEGATIVE_INFINITY
      let isRunning = false

      async function renew(): Promise<void> {
        if (!(await isEligible())) return
        // Taken before the query: the database counts from the arrival of the query, so the lease expires later
        // there.
        const sentAt = elapsed()
        const taken = await jobLeases.take(job, holder, now())
        const isNew = taken !== undefined && taken.token !== lease?.token
        lease = taken
        until = sentAt + JOB_LEASE_MS
        if (isNew && !isClosed) onTaken?.(kept, taken)
      }

      const isHeld = () => lease !== undefined && elapsed() < until

      async function run(dueAt: Date, action: () => Promise<unknown>): Promise<boolean> {
        const begun = lease
        if (begun === undefined || !isHeld() || isRunning) return false
        isRunning = true
        try {
          if (!(await jobLeases.begin(begun, dueAt, now()))) return false
          await action()
          // Passes the token of the start, because another server may have run the job since.
          await jobLeases.end(begun, now())
          return true
        } finally {
          isRunning = false
        }
      }

      const kept: KeptLease = { isHeld, run, get: () => (isHeld() ? lease : undefined) }
      renewals.push(renew)
      renewSoon([renew])
      return kept
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      await renewing
      await jobLeases
        .release(holder)
        .catch((error) => log.error('failed to release the leases of jobs', { error }))
    },
  }
}
