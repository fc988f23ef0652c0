import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type { PriceAlertRow } from '../schema/alerts.ts'

/**
 * A price alert of a person. Times are epoch milliseconds, money is in hundredths of `currency`, or of US dollars if it is
 * null; `printing` null stands for the most expensive one.
 */
export type PriceAlert = Omit<PriceAlertRow, 'revision' | 'is_paused'> & {
  is_paused: boolean
  /** Time of the newest stored notification; null if none is stored. */
  last_alert_at: number | null
}

export type NewPriceAlert = Pick<
  PriceAlert,
  'id' | 'account_id' | 'card_id' | 'printing' | 'condition' | 'threshold' | 'currency' | 'source'
>

/** Changes of a price alert; omitted members stay. */
export type PriceAlertChanges = Partial<Pick<PriceAlert, 'condition' | 'threshold' | 'is_paused'>>

/** Identifies a price alert of an account. */
export type PriceAlertKey = { id: string; account_id: number }

/** Price alerts of people. */
export type PriceAlertStore = {
  /** Creates a price alert; false if the account has `max` of them. */
  create(alert: NewPriceAlert, max: number, now: Date): Promise<boolean>
  /** Lists an account's price alerts, oldest first; of one card if it is given. */
  list(account_id: number, card_id?: number): Promise<PriceAlert[]>
  /** Returns an account's price alert; undefined if not found. */
  get(key: PriceAlertKey): Promise<PriceAlert | undefined>
  /** Updates a price alert. @returns it; undefined if not found */
  update(key: PriceAlertKey, changes: PriceAlertChanges, now: Date): Promise<PriceAlert | undefined>
  /** Deletes a price alert; its notifications stay. @returns it; undefined if not found */
  delete(key: PriceAlertKey): Promise<PriceAlert | undefined>
}

export function openPriceAlertStore(engine: LedgerEngine): PriceAlertStore {
  const { query, transact } = engine
  const columns = `id, account_id, card_id, printing, condition, threshold, currency, source, is_paused,
    created_at, updated_at, (SELECT max(created_at) FROM notifications
      WHERE source_id = price_alerts.id) AS last_alert_at`
  const find = engine.prepare<[PriceAlertKey], StoredAlert>(
    `SELECT ${columns} FROM price_alerts WHERE id = @id AND account_id = @account_id`,
  )
  const list = engine.prepare<[{ account_id: number; card_id: number }], StoredAlert>(
    `SELECT ${columns} FROM price_alerts
      WHERE account_id = @account_id AND (@card_id = 0 OR card_id = @card_id)
      ORDER BY created_at, id`,
  )
  const countOf = engine.prepare<[number], { alerts: number }>(
    'SELECT count(*) AS alerts FROM price_alerts WHERE account_id = ?',
  )
  const add = engine.prepare<[NewPriceAlert & { at: number }]>(
    `INSERT INTO price_alerts
       (id, account_id, card_id, printing, condition, threshold, currency, source, created_at, updated_at)
     VALUES (@id, @account_id, @card_id, @printing, @condition, @threshold, @currency, @source, @at, @at)`,
  )
  // The catalog stores revisions. A time is always a new one, also after a backup was restored.
  const put = engine.prepare<[PriceAlertKey & ChangedColumns]>(
    `UPDATE price_alerts SET is_paused = @is_paused, updated_at = @at,
       revision = CASE WHEN condition = @condition AND threshold = @threshold THEN revision
         WHEN revision < @at THEN @at ELSE revision + 1 END,
       condition = @condition, threshold = @threshold
      WHERE id = @id AND account_id = @account_id`,
  )
  const remove = engine.prepare<[PriceAlertKey]>(
    'DELETE FROM price_alerts WHERE id = @id AND account_id = @account_id',
  )

  function* findAlert(key: PriceAlertKey): LedgerOperation<PriceAlert | undefined> {
    const row = yield* find.get(key)
    return row && toAlert(row)
  }

  return {
    create: (alert, max, now) =>
      transact(
        function* () {
          const known = yield* countOf.get(alert.account_id)
          if ((known?.alerts ?? 0) >= max) return false
          yield* add.run({ ...alert, at: now.getTime() })
          return true
        },
        { account: alert.account_id },
      ),
    list: async (account_id, card_id = 0) =>
      (await query(list.all({ account_id, card_id }))).map(toAlert),
    get: (key) => query(findAlert(key)),
    update: (key, changes, now) =>
      transact(function* () {
        const before = yield* findAlert(key)
        if (before === undefined) return undefined
        const { condition, threshold, is_paused } = { ...before, ...changes }
        const stored = { condition, threshold, is_paused: is_paused ? 1 : 0 } as const
        yield* put.run({ ...key, ...stored, at: now.getTime() })
        return yield* findAlert(key)
      }),
    delete: (key) =>
      transact(function* () {
        const before = yield* findAlert(key)
        if (before !== undefined) yield* remove.run(key)
        return before
      }),
  }
}

type StoredAlert = Omit<PriceAlert, 'is_paused'> & Pick<PriceAlertRow, 'is_paused'>

type ChangedColumns = Pick<PriceAlertRow, 'condition' | 'threshold' | 'is_paused'> & { at: number }

function toAlert(row: StoredAlert): PriceAlert {
  return { ...row, is_paused: row.is_paused === 1 }
}
