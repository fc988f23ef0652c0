import { TRIAL_SCANS } from '#rules/photos/scans.ts'
import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import type { ScanLedgerRow } from './schema/photos.ts'

/** Scans added to an account. */
export type ScanAddition = Pick<ScanLedgerRow, 'amount_cents'> & {
  reason: ScanLedgerRow['kind']
  scans: number
  created_at: number
}

/** An account whose balance differs from the sum of its entries. */
export type UnbalancedAccount = { account_id: number; balance: number; sum: number }

/** An entry of the scan ledger. */
export type ScanEntry = Omit<ScanLedgerRow, 'id' | 'amount_cents'> & {
  /** Price paid; omitted for most entries. */
  amount_cents?: number | null
}

/** Scans of an account; `trial_at` is null before its first identification. */
export type ScanBalance = { balance: number; debt: number; trial_at: number | null }

/** The scan ledger and the balances, which change together. The caller provides the transaction. */
export type ScanLedger = {
  /** Adds an entry and changes the balance by it. */
  enter(entry: ScanEntry): LedgerOperation<void>
  /** Returns an account's scans. */
  getAccount(id: number): LedgerOperation<ScanBalance>
  /** Adds scans and settles the account's debt with them. */
  add(entry: ScanEntry): LedgerOperation<void>
  /** Removes scans whose payment was refunded; scans already used become a debt. */
  reverse(entry: Omit<ScanEntry, 'kind' | 'amount_cents'>): LedgerOperation<void>
  /** Returns true if the account has had a trial, including a withdrawn one. */
  hasHadTrial(account_id: number): LedgerOperation<boolean>
  /** Grants the trial. An account's trials are numbered, so that none is granted twice. @returns its scans */
  grantTrial(account_id: number, at: number): LedgerOperation<number>
  /** Withdraws the trial if every photo since then was rejected; the next photo grants it again. */
  withdrawUnusedTrial(account_id: number, at: number): LedgerOperation<void>
  /** Lists additions to an account, newest first. */
  listAdditions(accountId: number, limit: number): LedgerOperation<ScanAddition[]>
  /** Lists accounts whose balance is not the sum of their entries. */
  listUnbalanced(): LedgerOperation<UnbalancedAccount[]>
}

export function openScanLedger(engine: LedgerEngine): ScanLedger {
  const insert = engine.prepare<[Required<ScanEntry>]>(
    `INSERT INTO scan_ledger (account_id, kind, n, amount_cents, ref, at)
     VALUES (@account_id, @kind, @n, @amount_cents, @ref, @at)`,
  )
  const change = engine.prepare<[number, number]>(
    'UPDATE accounts SET scan_balance = scan_balance + ? WHERE id = ?',
  )
  const account = engine.prepare<[number], ScanBalance>(
    `SELECT scan_balance AS balance, scan_debt AS debt, scan_trial_at AS trial_at
       FROM accounts WHERE id = ?`,
  )
  const changeDebt = engine.prepare<[number, number]>(
    'UPDATE accounts SET scan_debt = scan_debt + ? WHERE id = ?',
  )
  const setTrial = engine.prepare<[number | null, number]>(
    'UPDATE accounts SET scan_trial_at = ? WHERE id = ?',
  )
  // Same wording as the index scan_additions, so that the planner uses it.
  const addition = "account_id = ? AND kind NOT IN ('scan', 'refund', 'rejection')"
  const lastTrial = engine.prepare<[number], Pick<ScanLedgerRow, 'id' | 'ref'>>(
    `SELECT id, ref FROM scan_ledger WHERE ${addition} AND kind = 'trial' ORDER BY id DESC LIMIT 1`,
  )
  const usedSince = engine.prepare<[number, number], Pick<ScanLedgerRow, 'id'>>(
    `SELECT id FROM scan_ledger AS taken
      WHERE account_id = ? AND id > ? AND kind = 'scan' AND NOT EXISTS
        (SELECT 1 FROM scan_ledger WHERE kind = 'rejection' AND ref = taken.ref) LIMIT 1`,
  )
  const additions = engine.prepare<[number, number], ScanAddition>(
    `SELECT kind AS reason, n AS scans, amount_cents, at AS created_at FROM scan_ledger AS added
      WHERE ${addition} AND n > 0 AND NOT EXISTS
        (SELECT 1 FROM scan_ledger WHERE kind = 'trial_withdrawn' AND ref = added.ref)
      ORDER BY id DESC LIMIT ?`,
  )
  const unbalanced = engine.prepare<[], UnbalancedAccount>(
    `SELECT id AS account_id, scan_balance AS balance, coalesce(total, 0) AS sum
       FROM accounts LEFT JOIN
         (SELECT account_id, sum(n) AS total FROM scan_ledger GROUP BY account_id) AS sums
         ON sums.account_id = accounts.id
      WHERE scan_balance <> coalesce(total, 0) ORDER BY id`,
  )

  function* enter(entry: ScanEntry): LedgerOperation<void> {
    yield* insert.run({ amount_cents: null, ...entry })
    yield* change.run(entry.n, entry.account_id)
  }

  function* getAccount(id: number): LedgerOperation<ScanBalance> {
    const found = yield* account.get(id)
    if (found === undefined) throw new Error(`account ${id} not found`)
    return found
  }

  return {
    enter,
    getAccount,
    *add(entry) {
      const { account_id, kind, n, at } = entry
      yield* enter(entry)
      const { debt } = yield* getAccount(account_id)
      const settled = Math.min(n, debt)
      if (settled === 0) return
      const ref = `${kind}:${entry.ref}`
      yield* enter({ account_id, kind: 'debt_settled', n: -settled, ref, at })
      yield* changeDebt.run(-settled, account_id)
    },
    *reverse({ account_id, n, ref, at }) {
      const { balance } = yield* getAccount(account_id)
      const taken = Math.min(n, balance)
      if (taken > 0) yield* enter({ account_id, kind: 'reversal', n: -taken, ref, at })
      if (n > taken) yield* changeDebt.run(n - taken, account_id)
    },
    *hasHadTrial(account_id) {
      return (yield* lastTrial.get(account_id)) !== undefined
    },
    *grantTrial(account_id, at) {
      const before = yield* lastTrial.get(account_id)
      const number = before === undefined ? 1 : Number(before.ref.split('.')[1]) + 1
      const ref = `${account_id}.${number}`
      yield* enter({ account_id, kind: 'trial', n: TRIAL_SCANS, ref, at })
      yield* setTrial.run(at, account_id)
      return TRIAL_SCANS
    },
    *withdrawUnusedTrial(account_id, at) {
      const { trial_at } = yield* getAccount(account_id)
      if (trial_at === null) return
      const trial = yield* lastTrial.get(account_id)
      if (trial === undefined) return
      if ((yield* usedSince.get(account_id, trial.id)) !== undefined) return
      yield* enter({ account_id, kind: 'trial_withdrawn', n: -TRIAL_SCANS, ref: trial.ref, at })
      yield* setTrial.run(null, account_id)
    },
    listAdditions: (accountId, limit) => additions.all(accountId, limit),
    listUnbalanced: () => unbalanced.all(),
  }
}
