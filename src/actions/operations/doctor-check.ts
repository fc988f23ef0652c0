import type { Config } from '#config.ts'
import type { CheckResult } from '#rules/operations/doctor-finding.ts'
import type { StoredSettings } from '#rules/operations/service-settings.ts'

export type CheckContext = {
  /** Settings of the environment, with the choices of the operator. */
  config: Config
  /** Choices of the operator; undefined if the ledger does not exist or cannot be read. */
  stored: StoredSettings | undefined
  /** Folder of the program. */
  root: string
  now: Date
  /** Also sends requests to Stripe, the x402 facilitator and the blockchain node. */
  online: boolean
}

type CheckResults = CheckResult | CheckResult[]

/** Checks by name, in the order in which they run. */
export type Checks = Record<string, (context: CheckContext) => CheckResults | Promise<CheckResults>>
