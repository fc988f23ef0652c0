// What a ledger of scans is judged by: a model that was told its history, and SQL of its own. Nothing of
// the code that wrote the ledger has a say.
import type { Db } from '#store/db.ts'
import type { ScanModel, ScanOperation } from './scan-model.ts'

/** Whether an operation that nobody was told the end of is in the ledger: any trace of it counts. */
export function hasLeftTrace(db: Db, model: ScanModel, deed: ScanOperation): boolean {
  const isThere = (sql: string, value: string) => db.prepare(sql).get(value) !== undefined
  const isSettled = (id: string) =>
    isThere("SELECT 1 FROM scan_holds WHERE id = ? AND state <> 'held'", id)
  if (deed.kind === 'take') return isThere('SELECT 1 FROM scan_ledger WHERE ref = ?', deed.id)
  if (deed.kind === 'record') return isThere('SELECT 1 FROM identifications WHERE id = ?', deed.id)
  if (deed.kind === 'give') return model.held.has(deed.id) && isSettled(deed.id)
  if (deed.kind === 'overdue') return [...model.held.keys()].some(isSettled)
  return isThere('SELECT 1 FROM scan_ledger WHERE ref = ?', deed.ref)
}

/** All that differs between a ledger and what must be in it, and all that is wrong with it in itself. */
export function findScanFaults(db: Db, model: ScanModel): string[] {
  const faults: string[] = []
  const check = db.pragma('integrity_check', { simple: true })
  if (check !== 'ok') faults.push(`integrity_check: ${check}`)
  for (const row of db.pragma('foreign_key_check') as object[]) {
    faults.push(`foreign_key_check: ${JSON.stringify(row)}`)
  }
  const compare = (what: string, sql: string, wanted: ReadonlyMap<string, string>) => {
    const rows = db.prepare<[], [string, string]>(sql).raw().all()
    for (const [name, value] of rows) {
      const must = wanted.get(name)
      if (must !== value) faults.push(`${what} ${name} is ${value}, must be ${must ?? 'absent'}`)
    }
    const names = new Set(rows.map(([name]) => name))
    for (const name of wanted.keys()) if (!names.has(name)) faults.push(`${what} ${name} is lost`)
    if (names.size !== rows.length) faults.push(`${what}: something is there twice`)
  }
  compare('account', BALANCES, balancesOf(model))
  compare('entry', ENTRIES, model.entries)
  compare('hold', HOLDS, new Map([...model.holds].map(([id, { state }]) => [id, state])))
  compare('identification', IDENTIFICATIONS, model.identifications)
  compare('day', DAYS, daysOf(model))
  return faults
}

/** Balance, the sum of the entries, and whether the trial is still to come. */
const BALANCES = `SELECT CAST(id AS TEXT), scan_balance || ' ' || coalesce((SELECT sum(n) FROM scan_ledger
    WHERE account_id = accounts.id), 0) || ' ' || (scan_trial_at IS NULL) FROM accounts`

function balancesOf({ accounts }: ScanModel): Map<string, string> {
  return new Map(
    [...accounts].map(([id, { balance, isPending }]) => {
      if (balance < 0) throw new Error(`the model lets account ${id} have ${balance} scans`)
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
