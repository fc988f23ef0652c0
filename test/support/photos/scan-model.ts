// What scans do to accounts, by the rules alone: the oracle of the chaos of the ledger of scans. It is
// told the same deeds in the same order, and knows nothing of SQL.
import { PACK_SCANS, type Pack } from '#rules/billing/plans.ts'
import { TRIAL_SCANS } from '#rules/photos/scans.ts'
import type { VerdictStatus } from '#rules/photos/verdict.ts'

/** One operation on the ledger; `at` is in epoch milliseconds, and no two have the same. */
export type ScanOperation = { at: number } & (
  | { kind: 'purchase'; account: number; ref: string; item: Pack }
  | { kind: 'grant'; account: number; ref: string; n: number }
  | { kind: 'take'; account: number; id: string; due_at: number }
  | { kind: 'record'; account: number; id: string; status: VerdictStatus }
  | { kind: 'give'; id: string; why: 'refunded' | 'rejected' }
  | { kind: 'overdue' }
)

/** What a deed answers: of a purchase, a grant and a scan that comes back, nothing. */
export type ScanOutcome = boolean | number | { charged: boolean; remaining: number } | null

type Account = { balance: number; trials: number; isPending: boolean; unrejected: number }

type Hold = { account: number; state: string; due_at: number; trial: number }

export type ScanModel = ReturnType<typeof createScanModel>

export function createScanModel(ids: readonly number[]) {
  const accounts = new Map<number, Account>(
    ids.map((id) => [id, { balance: 0, trials: 0, isPending: true, unrejected: 0 }]),
  )
  const holds = new Map<string, Hold>()
  /** Those of them that nobody has settled. */
  const held = new Map<string, Hold>()
  /** The entries of the ledger: kind and name, then account and number. */
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

  function take(deed: Extract<ScanOperation, { kind: 'take' }>): boolean {
    const account = accountAt(deed.account)
    if (account.isPending) {
      account.trials++
      account.isPending = false
      account.unrejected = 0
      enter('addition', `${deed.account}.${account.trials}`, deed.account, TRIAL_SCANS)
    }
    if (account.balance === 0) return false
    enter('scan', deed.id, deed.account, -1)
    account.unrejected++
    const { account: owner, due_at } = deed
    const hold = { account: owner, state: 'held', due_at, trial: account.trials }
    holds.set(deed.id, hold)
    held.set(deed.id, hold)
    return true
  }

  /** Only what is held can be settled. */
  function settle(id: string, state: 'done' | 'refunded' | 'rejected'): Hold | undefined {
    const hold = held.get(id)
    if (hold !== undefined) hold.state = state
    held.delete(id)
    return hold
  }

  function giveBack(id: string, why: 'refunded' | 'rejected'): void {
    const hold = settle(id, why)
    if (hold === undefined) return
    enter(why === 'refunded' ? 'refund' : 'rejection', id, hold.account, 1)
    const account = accountAt(hold.account)
    if (why === 'refunded' || account.isPending) return
    if (hold.trial === account.trials) account.unrejected--
    if (account.unrejected > 0) return
    // Every photo since the trial was none: it waits for the first one again.
    account.isPending = true
    const trial = `${hold.account}.${account.trials}`
    enter('trial_withdrawn', trial, hold.account, -TRIAL_SCANS)
  }

  function giveOverdue(now: number): number {
    const due = [...held].filter(([, { due_at }]) => due_at <= now)
    for (const [id] of due) giveBack(id, 'refunded')
    return due.length
  }

  function record(deed: Extract<ScanOperation, { kind: 'record' }>) {
    identifications.set(deed.id, `${deed.account} ${deed.status}`)
    const charged = settle(deed.id, 'done') !== undefined
    const { balance, isPending } = accountAt(deed.account)
    return { charged, remaining: balance + (isPending ? TRIAL_SCANS : 0) }
  }

  return {
    accounts,
    holds,
    held,
    entries,
    identifications,
    /** What the ledger must answer to a deed. A purchase or grant that is known counts once. */
    apply(deed: ScanOperation): ScanOutcome {
      if (deed.kind === 'take') return take(deed)
      if (deed.kind === 'record') return record(deed)
      if (deed.kind === 'overdue') return giveOverdue(deed.at)
      if (deed.kind === 'give') giveBack(deed.id, deed.why)
      else if (!entries.has(`addition ${deed.ref}`)) {
        const n = deed.kind === 'purchase' ? PACK_SCANS[deed.item] : deed.n
        enter('addition', deed.ref, deed.account, n)
      }
      return null
    },
  }
}
