// Checks a scan ledger against a model of its history with independent SQL.
import type { Db } from '#store/db.ts'
import type { ScanModel, ScanOperation } from './scan-model.ts'

/** Returns true if an unconfirmed operation has left any trace in the ledger. */
export function hasLeftTrace(db: Db, model: ScanModel, operation: ScanOperation): boolean {
  const isThere = (sql: string, value: string) => db.prepare(sql).get(value) !== undefined
  const isSettled = (id: string) =>
    isThere("SELECT 1 FROM scan_holds WHERE id = ? AND state <> 'held'", id)
  if (operation.kind === 'take')
    return isThere('SELECT 1 FROM scan_ledger WHERE ref = ?', operation.id)
  if (operation.kind === 'record')
    return isThere('SELECT 1 FROM identifications WHERE id = ?', operation.id)
  if (operation.kind === 'give') return model.held.has(operation.id) && isSettled(operation.id)
  if (operation.kind === 'overdue') return [...model.held.keys()].some(isSettled)
  return isThere('SELECT 1 FROM scan_ledger WHERE ref = ?', operation.ref)
}

/** Returns all differences between ledger and model, and all integrity errors. */
export function findScanFaults(db: Db, model: ScanModel): string[] {
  const faults: string[] = []
  const check = db.pragma('integrity_check', { simple: true })
  if (check !== 'ok') faults.push(`integrity_check: ${check}`)
  for (const row of db.pragma('foreign_key_check') as object[]) {
    faults.push(`foreign_key_check: ${JSON.stringify(row)}`)
  }
  const compare = (subject: string, sql: string, expectedRows: ReadonlyMap<string, string>) => {
    const rows = db.prepare<[], [string, string]>(sql).raw().all()
    for (const [name, value] of rows) {
      const expected = expectedRows.get(name)
      if (expected !== value)
        faults.push(`${subject} ${name} is ${value}, expected ${expected ?? 'none'}`)
    }
    const names = new Set(rows.map(([name]) => name))
    for (const name of expectedRows.keys())
      if (!names.has(name)) faults.push(`${subject} ${name} is missing`)
    if (names.size !== rows.length) faults.push(`${subject}: duplicate row`)
  }
  compare('account', BALANCES, balancesOf(model))
  compare('entry', ENTRIES, model.entries)
  compare('hold', HOLDS, new Map([...model.holds].map(([id, { state }]) => [id, state])))
  compare('identification', IDENTIFICATIONS, model.identifications)
  compare('day', DAYS, daysOf(model))
  return faults
}

/** Balance, sum of the entries, and whether the trial is pending. */
const BALANCES = `SELECT CAST(id AS TEXT), scan_balance || ' ' || coalesce((SELECT sum(n) FROM scan_ledger
    WHERE account_id = accounts.id), 0) || ' ' || (scan_trial_at IS NULL) FROM accounts`

function balancesOf({ accounts }: ScanModel): Map<string, string> {
  return new Map(
    [...accounts].map(([id, { balance, isPending }]) => {
      if (balance < 0) throw new Error(`the model has ${balance} scans for account ${id}`)
      return [String(id), `${balance} ${balance} ${Number(isPending)}`]
    }),
  )
}

const ENTRIES = `SELECT CASE WHEN kind IN ('trial', 'purchase', 'grant') THEN 'addition' ELSE kind END
    || ' ' || ref, account_id || ' ' || n FROM scan_ledger`
const HOLDS = 'SELECT id, state FROM scan_holds'
const IDENTIFICATIONS = "SELECT id, account_id || ' ' || status FROM identifications"
const DAYS = `SELECT CAST(account_id AS TEXT), sum(scans) || ' ' || sum(refunded) || ' ' ||
    sum(matched + ambiguous + retake + not_found + unsupported) FROM scan_days GROUP BY account_id`

function daysOf({ accounts, holds }: ScanModel): Map<string, string> {
  const counts = new Map([...accounts.keys()].map((id) => [id, { done: 0, refunded: 0 }]))
  for (const { account, state } of holds.values()) {
    const count = counts.get(account)
    if (count !== undefined && (state === 'done' || state === 'refunded')) count[state]++
  }
  return new Map(
    [...counts]
      .filter(([, { done, refunded }]) => done + refunded > 0)
      .map(([id, { done, refunded }]) => [String(id), `${done} ${refunded} ${done}`]),
  )
}
