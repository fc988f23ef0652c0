import type { Config } from '#config.ts'
import type { CheckResult } from '#rules/operations/doctor-finding.ts'

export type CheckContext = {
  config: Config
  /** Folder of the program. */
  root: string
  now: Date
  /** Also sends requests to Stripe, the x402 facilitator and the blockchain node. */
  online: boolean
}

type CheckResults = CheckResult | CheckResult[]

/** Checks by name, in the order in which they run. */
export type Checks = Record<string, (context: CheckContext) => CheckResults | Promise<CheckResults>>
