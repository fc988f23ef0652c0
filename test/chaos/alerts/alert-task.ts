/** The protocol between a run of alerts and the processes that it kills. */
import type { PlanSize } from './alert-plan.ts'

export type AlertTask = {
  dataDir: string
  mirror: string
  record: string
  plan: PlanSize
  /** The first step without a record; undefined: it only delivers. */
  from: number | undefined
  /** URLs of the receivers, by index. */
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
  /** True if a killed process had published it before. */
  isRepeated?: boolean
}

/** An attempt that has no answer by then has none. */
export const SHORT_TIMEOUT_MS = 400

/** Lease of a delivery; its process is gone if it takes longer. */
export const SHORT_LEASE_MS = 1_200
