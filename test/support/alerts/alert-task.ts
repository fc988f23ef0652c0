/** What is agreed between a run of alerts and the processes that it kills. */
import type { PlanSize } from './alert-plan.ts'

export type AlertTask = {
  dataDir: string
  mirror: string
  record: string
  plan: PlanSize
  /** The first step that nobody said is done; undefined: it only delivers. */
  from: number | undefined
  /** Of the receivers, by index. */
  urls: readonly string[]
  /** The authority that the receivers' certificates are of, in PEM. */
  ca: string
}

/** A line of the record. */
export type AlertLine = {
  step: number
  /** Before what owners do, between that and the sync, and after the sync. */
  stage: 'begun' | 'syncing' | 'done'
  /** Epoch milliseconds. */
  at: number
  /** Whether it had been published before, by one that was killed over it. */
  isRepeated?: boolean
}

/** An attempt that has no answer by then has none. */
export const SHORT_TIMEOUT_MS = 400

/** Whoever has a message for longer is gone. */
export const SHORT_LEASE_MS = 1_200
