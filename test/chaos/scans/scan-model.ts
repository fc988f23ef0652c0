// Reference model of the scan ledger for the chaos test. It applies the same operations in the same order, in memory.
import { PACK_SCANS, type Pack } from '#rules/billing/plans.ts'
import { TRIAL_SCANS } from '#rules/photos/scans.ts'
import type { VerdictStatus } from '#rules/photos/verdict.ts'

/** An operation on the ledger; `at` is unique, in epoch milliseconds. */
export type ScanOperation = { at: number } & (
  | { kind: 'purchase'; account: number; ref: string; item: Pack }
  | { kind: 'grant'; account: number; ref: string; n: number }
  | { kind: 'take'; account: number; id: string; due_at: number }
  | { kind: 'record'; account: number; id: string; status: VerdictStatus }
  | { kind: 'give'; id: string; why: 'refunded' | 'rejected' }
  | { kind: 'overdue' }
)

/** Return value of an operation; null for a purchase, a grant and a release. */
export type ScanOutcome = boolean | number | { charged: boolean; remaining: number } | null

type Account = { balance: number; trials: number; isPending: boolean; unrejected: number }

type Hold = { account: number; state: string; due_at: number; trial: number }

export type ScanModel = {
  accounts: ReadonlyMap<number, Account>
  holds: ReadonlyMap<string, Hold>
  /** Unsettled holds. */
  held: ReadonlyMap<string, Hold>
  /** Entries of the ledger: kind and reference, then account and number. */
  entries: ReadonlyMap<string, string>
  identifications: ReadonlyMap<string, string>
  /** Applies an operation and returns its expected result. A repeated purchase or grant counts once. */
  apply(operation: ScanOperation): ScanOutcome
}

export function createScanModel(ids: readonly number[]): ScanModel {
  const accounts = new Map<number, Account>(
    ids.map((id) => [id, { balance: 0, trials: 0, isPending: true, unrejected: 0 }]),
  )
  const holds = new Map<string, Hold>()
  const held = new Map<string, Hold>()
  const entries = new Map<string, string>()
  const identifications = new Map<string, string>()

  function accountAt(id: number): Account {
    const account = accounts.get(id)
    if (account === undefined) throw new Error(`the model has no account ${id}`)
    return account
  }

  function enter(kind: string, ref: string, id: number, n: number): void {
    entries.set(`${kind} ${ref}`, `${id} ${n}`)
    accountAt(id).balance += n
  }

  function take(operation: Extract<ScanOperation, { kind: 'take' }>): boolean {
    const account = accountAt(operation.account)
    if (account.isPending) {
      account.trials++
      account.isPending = false
      account.unrejected = 0
      enter('addition', `${operation.account}.${account.trials}`, operation.account, TRIAL_SCANS)
    }
    if (account.balance === 0) return false
    enter('scan', operation.id, operation.account, -1)
    account.unrejected++
    const { account: owner, due_at } = operation
    const hold = { account: owner, state: 'held', due_at, trial: account.trials }
    holds.set(operation.id, hold)
    held.set(operation.id, hold)
    return true
  }

  /** Settles a hold, unless it is already settled. */
  function settle(id: string, state: 'done' | 'refunded' | 'rejected'): Hold | undefined {
    const hold = held.get(id)
    if (hold !== undefined) hold.state = state
    held.delete(id)
    return hold
  }

  function release(id: string, why: 'refunded' | 'rejected'): void {
    const hold = settle(id, why)
    if (hold === undefined) return
    enter(why === 'refunded' ? 'refund' : 'rejection', id, hold.account, 1)
    const account = accountAt(hold.account)
    if (why === 'refunded' || account.isPending) return
    if (hold.trial === account.trials) account.unrejected--
    if (account.unrejected > 0) return
    // Every photo since the trial was rejected: the trial is pending again.
    account.isPending = true
    const trial = `${hold.account}.${account.trials}`
    enter('trial_withdrawn', trial, hold.account, -TRIAL_SCANS)
  }

  function refundOverdue(now: number): number {
    const due = [...held].filter(([, { due_at }]) => due_at <= now)
    for (const [id] of due) release(id, 'refunded')
    return due.length
  }

  function record(operation: Extract<ScanOperation, { kind: 'record' }>) {
    identifications.set(operation.id, `${operation.account} ${operation.status}`)
    const charged = settle(operation.id, 'done') !== undefined
    const { balance, isPending } = accountAt(operation.account)
    return { charged, remaining: balance + (isPending ? TRIAL_SCANS : 0) }
  }

  return {
    accounts,
    holds,
    held,
    entries,
    identifications,
    apply(operation) {
      if (operation.kind === 'take') return take(operation)
      if (operation.kind === 'record') return record(operation)
      if (operation.kind === 'overdue') return refundOverdue(operation.at)
      if (operation.kind === 'give') release(operation.id, operation.why)
      else if (!entries.has(`addition ${operation.ref}`)) {
        const n = operation.kind === 'purchase' ? PACK_SCANS[operation.item] : operation.n
        enter('addition', operation.ref, operation.account, n)
      }
      return null
    },
  }
}
