import { dayOf } from '#rules/days.ts'
import { remainingScans, TRIAL_SCANS } from '#rules/scans.ts'
import { VERDICT_STATUSES, type VerdictStatus } from '#rules/verdict.ts'
import { type Db, inTransaction } from '../db.ts'
import { openAuditWriter } from './audit.ts'
import type { Identification } from './identifications.ts'
import type { Deed } from './keys.ts'

/** A scan that is taken for one photo; its id will be the identification's. */
export type Hold = { id: string; account_id: number; taken_at: Date; due_at: Date }

/** Why a scan comes back: the reader failed, or there was no picture to read. */
export type Return = 'refunded' | 'rejected'

/** Scans that an account was given. */
export type Addition = {
  reason: 'trial' | 'purchase' | 'grant'
  scans: number
  amount_cents: number | null
  created_at: number
}

/** What became of the scans that were taken on a day. */
export type ScanDay = { day: number; scans: number; refunded: number } & Record<
  VerdictStatus,
  number
>

/** Scans: what an account has, and what it used them for. */
export function openScans(db: Db) {
  const write = openAuditWriter(db)
  const book = openBook(db)
  const addHold = db.prepare<[string, number, number, number]>(
    "INSERT INTO scan_holds VALUES (?, ?, 'held', ?, ?)",
  )
  // Only what is held can be settled: a scan comes back once at the most.
  const settle = db.prepare<[string, string], { account_id: number; taken_at: number }>(
    `UPDATE scan_holds SET state = ? WHERE id = ? AND state = 'held'
      RETURNING account_id, taken_at`,
  )
  const overdue = db
    .prepare<[number], string>("SELECT id FROM scan_holds WHERE state = 'held' AND due_at <= ?")
    .pluck()
  const addIdentification = db.prepare<[Identification]>(
    `INSERT INTO identifications (id, account_id, at, status, game, data)
     VALUES (@id, @account_id, @at, @status, @game, @data)`,
  )
  const count = openDayCounter(db)
  const days = db.prepare<[number, number], ScanDay>(
    `SELECT day, scans, refunded, ${VERDICT_STATUSES.join(', ')}
       FROM scan_days WHERE account_id = ? AND day >= ? ORDER BY day`,
  )
  const forgetDays = db.prepare<[number]>('DELETE FROM scan_days WHERE day < ?')
  const forgetHolds = db.prepare<[number]>(
    "DELETE FROM scan_holds WHERE taken_at < ? AND state <> 'held'",
  )

  function giveBack(id: string, why: Return, now: Date): void {
    const held = settle.get(why, id)
    if (held === undefined) return
    const { account_id, taken_at } = held
    const at = now.getTime()
    if (why === 'refunded') {
      book.move({ account_id, kind: 'refund', n: 1, ref: id, at })
      count(account_id, dayOf(new Date(taken_at)), 'refunded')
    } else {
      book.move({ account_id, kind: 'rejection', n: 1, ref: id, at })
      book.withdrawUnusedTrial(account_id, at)
    }
  }

  return {
    /**
     * Takes one scan for a photo; the first one of an account brings its trial along.
     *
     * @returns whether there was one
     */
    async take({ id, account_id, taken_at, due_at }: Hold): Promise<boolean> {
      return inTransaction(db, () => {
        const at = taken_at.getTime()
        const { balance, trial_at } = book.accountAt(account_id)
        if (trial_at === null) book.grantTrial(account_id, at)
        else if (balance === 0) return false
        addHold.run(id, account_id, at, due_at.getTime())
        book.move({ account_id, kind: 'scan', n: -1, ref: id, at })
        return true
      })
    },
    /**
     * Keeps what a photo turned out to be; the scan that was taken for it is used.
     *
     * @returns what the account has left, and whether it was charged: not for a photo that took so long
     *   that its scan was given back
     */
    async record(identification: Identification): Promise<{ charged: boolean; remaining: number }> {
      return inTransaction(db, () => {
        const { id, account_id, status } = identification
        addIdentification.run(identification)
        const held = settle.get('done', id)
        if (held !== undefined) count(account_id, dayOf(new Date(held.taken_at)), status)
        const remaining = remainingScans(book.accountAt(account_id))
        return { charged: held !== undefined, remaining }
      })
    },
    /**
     * Gives a scan back; one that is settled stays as it is. A rejected photo leaves its account as it
     * was before, a trial that came with it included.
     */
    async give(id: string, why: Return, now: Date): Promise<void> {
      inTransaction(db, () => giveBack(id, why, now))
    },
    /**
     * Gives back what nobody settled in time: whoever took it was killed.
     *
     * @returns how many
     */
    async giveOverdue(now: Date): Promise<number> {
      return inTransaction(db, () => {
        const ids = overdue.all(now.getTime())
        for (const id of ids) giveBack(id, 'refunded', now)
        return ids.length
      })
    },
    /** Scans that the operator gives; one `ref` counts once. */
    async add(
      { account_id, n, ref }: { account_id: number; n: number; ref: string },
      { now, address }: Deed,
    ): Promise<void> {
      inTransaction(db, () => {
        book.move({ account_id, kind: 'grant', n, ref, at: now.getTime() })
        write({ at: now, event: 'scans_granted', account_id, address, detail: `+${n}` })
      })
    },
    /** What became of scans from a day on; days without any are left out. */
    days: async (accountId: number, firstDay: number): Promise<ScanDay[]> =>
      days.all(accountId, firstDay),
    /** What an account was given, newest first. */
    additions: async (accountId: number, limit: number): Promise<Addition[]> =>
      book.additions(accountId, limit),
    /** Accounts whose balance is not the sum of their entries: there must be none. */
    unbalanced: async (): Promise<Unbalanced[]> => book.unbalanced(),
    /** Forgets old statistics and settled holds; the ledger itself is kept. */
    async forgetBefore(day: number, time: Date): Promise<void> {
      inTransaction(db, () => {
        forgetDays.run(day)
        forgetHolds.run(time.getTime())
      })
    },
  }
}

type Entry = {
  account_id: number
  kind: Addition['reason'] | 'trial_withdrawn' | 'scan' | 'refund' | 'rejection'
  n: number
  ref: string
  at: number
}

type Unbalanced = { account_id: number; balance: number; sum: number }

/** The ledger and the balances: always changed together, by callers that are within a transaction. */
function openBook(db: Db) {
  const enter = db.prepare<[Entry]>(
    `INSERT INTO scan_ledger (account_id, kind, n, ref, at)
     VALUES (@account_id, @kind, @n, @ref, @at)`,
  )
  const change = db.prepare<[number, number]>(
    'UPDATE accounts SET scan_balance = scan_balance + ? WHERE id = ?',
  )
  const account = db.prepare<[number], { balance: number; trial_at: number | null }>(
    'SELECT scan_balance AS balance, scan_trial_at AS trial_at FROM accounts WHERE id = ?',
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
  const additions = db.prepare<[number, number], Addition>(
    `SELECT kind AS reason, n AS scans, amount_cents, at AS created_at FROM scan_ledger AS added
      WHERE ${addition} AND n > 0 AND NOT EXISTS
        (SELECT 1 FROM scan_ledger WHERE kind = 'trial_withdrawn' AND ref = added.ref)
      ORDER BY id DESC LIMIT ?`,
  )
  const unbalanced = db.prepare<[], Unbalanced>(
    `SELECT id AS account_id, scan_balance AS balance, coalesce(total, 0) AS sum
       FROM accounts LEFT JOIN
         (SELECT account_id, sum(n) AS total FROM scan_ledger GROUP BY account_id) AS sums
         ON sums.account_id = accounts.id
      WHERE scan_balance <> coalesce(total, 0) ORDER BY id`,
  )

  function move(entry: Entry): void {
    enter.run(entry)
    change.run(entry.n, entry.account_id)
  }

  function accountAt(id: number) {
    const found = account.get(id)
    if (found === undefined) throw new Error(`there is no account ${id}`)
    return found
  }

  return {
    move,
    accountAt,
    /** The trials of an account are numbered, so that none of them can be granted twice. */
    grantTrial(account_id: number, at: number): void {
      const before = lastTrial.get(account_id)
      const number = before === undefined ? 1 : Number(before.ref.split('.')[1]) + 1
      move({ account_id, kind: 'trial', n: TRIAL_SCANS, ref: `${account_id}.${number}`, at })
      setTrial.run(at, account_id)
    },
    /** Takes the trial back where every photo since it was rejected: it waits for the first one again. */
    withdrawUnusedTrial(account_id: number, at: number): void {
      if (accountAt(account_id).trial_at === null) return
      const trial = lastTrial.get(account_id)
      if (trial === undefined || usedSince.get(account_id, trial.id) === 1) return
      move({ account_id, kind: 'trial_withdrawn', n: -TRIAL_SCANS, ref: trial.ref, at })
      setTrial.run(null, account_id)
    },
    additions: (accountId: number, limit: number) => additions.all(accountId, limit),
    unbalanced: () => unbalanced.all(),
  }
}

/** Counts one scan of a day under what became of it. */
function openDayCounter(db: Db) {
  const adding = (columns: readonly string[]) =>
    db.prepare<[number, number]>(
      `INSERT INTO scan_days (account_id, day, ${columns.join(', ')})
       VALUES (?, ?, ${columns.map(() => 1).join(', ')})
       ON CONFLICT DO UPDATE SET ${columns.map((name) => `${name} = ${name} + 1`).join(', ')}`,
    )
  const statements = new Map<string, ReturnType<typeof adding>>([
    ['refunded', adding(['refunded'])],
    ...VERDICT_STATUSES.map((name) => [name, adding(['scans', name])] as const),
  ])
  return (accountId: number, day: number, what: VerdictStatus | 'refunded'): void =>
    void statements.get(what)?.run(accountId, day)
}
