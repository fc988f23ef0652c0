/** The protocol between an alert run and the processes that it kills. */
import type { PlanSize } from './alert-plan.ts'

export type AlertTask = {
  dataDir: string
  mirror: string
  record: string
  plan: PlanSize
  /** The first step without a record; undefined if the process only delivers. */
  from: number | undefined
  /** URLs of the receivers, by index. */
  urls: readonly string[]
  /** The authority that signed the receivers' certificates, in PEM. */
  ca: string
}

/** A line of the record. */
export type AlertLine = {
  step: number
  /** Before the owners' changes, between these and the sync, or after the sync. */
  stage: 'begun' | 'syncing' | 'done'
  /** Epoch milliseconds. */
  at: number
  /** True if a killed process had already published it. */
  isRepeated?: boolean
}

/** An attempt without a response by then has failed. */
export const SHORT_TIMEOUT_MS = 400

/** Lease of a delivery; a process that takes longer is gone. */
export const SHORT_LEASE_MS = 1_200
