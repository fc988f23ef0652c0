import { TRIAL_SCANS } from '#rules/photos/scans.ts'
import type { Db } from '../db.ts'

/** Scans that an account was given. */
export type ScanAddition = {
  reason: 'trial' | 'purchase' | 'grant' | 'reinstatement'
  scans: number
  amount_cents: number | null
  created_at: number
}

/** An account whose balance is another one than the sum of its entries. */
export type UnbalancedAccount = { account_id: number; balance: number; sum: number }

type Entry = {
  account_id: number
  kind:
    | ScanAddition['reason']
    | 'trial_withdrawn'
    | 'scan'
    | 'refund'
    | 'rejection'
    | 'reversal'
    | 'debt_settled'
  n: number
  /** What was paid for it; nothing for most. */
  amount_cents?: number | null
  ref: string
  at: number
}

/** The ledger and the balances: always changed together, by callers that are within a transaction. */
export function openScanLedger(db: Db) {
  const insert = db.prepare<[Required<Entry>]>(
    `INSERT INTO scan_ledger (account_id, kind, n, amount_cents, ref, at)
     VALUES (@account_id, @kind, @n, @amount_cents, @ref, @at)`,
  )
  const change = db.prepare<[number, number]>(
    'UPDATE accounts SET scan_balance = scan_balance + ? WHERE id = ?',
  )
  const account = db.prepare<[number], { balance: number; debt: number; trial_at: number | null }>(
    `SELECT scan_balance AS balance, scan_debt AS debt, scan_trial_at AS trial_at
       FROM accounts WHERE id = ?`,
  )
  const changeDebt = db.prepare<[number, number]>(
    'UPDATE accounts SET scan_debt = scan_debt + ? WHERE id = ?',
  )
  const setTrial = db.prepare<[number | null, number]>(
    'UPDATE accounts SET scan_trial_at = ? WHERE id = ?',
  )
  // The condition of scan_additions in its own words, so that the index is used.
  const addition = "account_id = ? AND kind NOT IN ('scan', 'refund', 'rejection')"
  const lastTrial = db.prepare<[number], { id: number; ref: string }>(
    `SELECT id, ref FROM scan_ledger WHERE ${addition} AND kind = 'trial' ORDER BY id DESC LIMIT 1`,
  )
  const usedSince = db
    .prepare<[number, number], number>(
      `SELECT 1 FROM scan_ledger AS taken
        WHERE account_id = ? AND id > ? AND kind = 'scan' AND NOT EXISTS
          (SELECT 1 FROM scan_ledger WHERE kind = 'rejection' AND ref = taken.ref) LIMIT 1`,
    )
    .pluck()
  const additions = db.prepare<[number, number], ScanAddition>(
    `SELECT kind AS reason, n AS scans, amount_cents, at AS created_at FROM scan_ledger AS added
      WHERE ${addition} AND n > 0 AND NOT EXISTS
        (SELECT 1 FROM scan_ledger WHERE kind = 'trial_withdrawn' AND ref = added.ref)
      ORDER BY id DESC LIMIT ?`,
  )
  const unbalanced = db.prepare<[], UnbalancedAccount>(
    `SELECT id AS account_id, scan_balance AS balance, coalesce(total, 0) AS sum
       FROM accounts LEFT JOIN
         (SELECT account_id, sum(n) AS total FROM scan_ledger GROUP BY account_id) AS sums
         ON sums.account_id = accounts.id
      WHERE scan_balance <> coalesce(total, 0) ORDER BY id`,
  )

  function enter(entry: Entry): void {
    insert.run({ amount_cents: null, ...entry })
    change.run(entry.n, entry.account_id)
  }

  function getAccount(id: number) {
    const found = account.get(id)
    if (found === undefined) throw new Error(`there is no account ${id}`)
    return found
  }

  return {
    move: enter,
    accountAt: getAccount,
    /** Adds scans; what of them was used before it was paid for is settled at once. */
    add(entry: Entry): void {
      const { account_id, kind, n, at } = entry
      enter(entry)
      const settled = Math.min(n, getAccount(account_id).debt)
      if (settled === 0) return
      const ref = `${kind}:${entry.ref}`
      enter({ account_id, kind: 'debt_settled', n: -settled, ref, at })
      changeDebt.run(-settled, account_id)
    },
    /** Takes scans back whose payment went back; those that were used already become a debt. */
    reverse({ account_id, n, ref, at }: Omit<Entry, 'kind' | 'amount_cents'>): void {
      const taken = Math.min(n, getAccount(account_id).balance)
      if (taken > 0) enter({ account_id, kind: 'reversal', n: -taken, ref, at })
      if (n > taken) changeDebt.run(n - taken, account_id)
    },
    /** The trials of an account are numbered, so that none of them can be granted twice. */
    grantTrial(account_id: number, at: number): void {
      const before = lastTrial.get(account_id)
      const number = before === undefined ? 1 : Number(before.ref.split('.')[1]) + 1
      enter({ account_id, kind: 'trial', n: TRIAL_SCANS, ref: `${account_id}.${number}`, at })
      setTrial.run(at, account_id)
    },
    /** Takes the trial back where every photo since it was rejected: it waits for the first one again. */
    withdrawUnusedTrial(account_id: number, at: number): void {
      if (getAccount(account_id).trial_at === null) return
      const trial = lastTrial.get(account_id)
      if (trial === undefined || usedSince.get(account_id, trial.id) === 1) return
      enter({ account_id, kind: 'trial_withdrawn', n: -TRIAL_SCANS, ref: trial.ref, at })
      setTrial.run(null, account_id)
    },
    listAdditions: (accountId: number, limit: number) => additions.all(accountId, limit),
    listUnbalanced: () => unbalanced.all(),
  }
}
