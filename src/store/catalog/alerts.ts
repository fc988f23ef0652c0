import { turnOf, type Watch } from '#rules/alert.ts'
import { alertBody, messageId } from '#rules/alert-message.ts'
import { KEPT_MS } from '#rules/delivery-schedule.ts'
import type { Db } from '../db.ts'
import { SERIES_OF_CARD, seriesId } from './history.ts'
import { openPrintings } from './printings.ts'

/** What a publication asks the ledger. Synchronously: a transaction never waits. */
export type WatchList = {
  /** Every watch. */
  list(): Watch[]
  /** Which of these messages the ledger has. */
  known(ids: readonly string[]): ReadonlySet<string>
}

/**
 * Judges every watch by the prices of a publication, within its transaction: a price and what it has
 * to tell are in together, or neither is.
 */
export function openAlerts(db: Db, watchList: WatchList) {
  const outbox = openOutbox(db, watchList)
  const alerted = openAlerted(db)
  const pricesOf = openWatchedPrices(db)
  const namesOf = openWatchedNames(db)
  return {
    /** @returns how many alerts are to be told */
    evaluate(now: Date): number {
      // Whoever is not on this list is gone for good: what was left earlier is of watches that were
      // there then, and no watch's id comes again.
      const watches = watchList.list()
      const byId = new Map<string, Watch>()
      for (const watch of watches) byId.set(watch.id, watch)
      outbox.removeSettled(byId, now)
      const told = alerted.of(byId)
      const prices = pricesOf(watches)
      const met: Met[] = []
      const over: string[] = []
      for (const [index, watch] of watches.entries()) {
        const price = prices[index] ?? null
        const turn = turnOf(watch, price, told.has(watch) ? watch.revision : undefined)
        if (turn === 'arm') over.push(watch.id)
        if (turn === 'tell' && price !== null) met.push({ watch, price })
      }
      alerted.remove(over)
      const names = namesOf(met)
      // Without its card there is nothing that could be told.
      const known = met.filter(({ watch }) => names.has(watch.card_id))
      for (const { watch, price } of known) {
        const card_name = names.get(watch.card_id) ?? ''
        outbox.add(watch, alertBody({ ...watch, card_name, price }, now), now)
      }
      alerted.add(known.map(({ watch }) => watch))
      return known.length
    },
  }
}

type Met = { watch: Watch; price: number }

/** What is to be told, until the ledger has it. */
function openOutbox(db: Db, watchList: WatchList) {
  // Here and below one JSON text: its values go over together, where rows go over value by value.
  const all = db
    .prepare<[], string>(
      'SELECT json_group_array(json_array(id, webhook_id, created_at)) FROM alert_outbox',
    )
    .pluck()
  const remove = db.prepare<[string]>(
    'DELETE FROM alert_outbox WHERE id IN (SELECT value FROM json_each(?))',
  )
  const add = db.prepare<[string, string, string, number]>(
    'INSERT INTO alert_outbox (id, webhook_id, body, created_at) VALUES (?, ?, ?, ?)',
  )

  return {
    /**
     * Forgets what need not be copied any more. Nothing is lost by it, whenever a process is killed: the
     * ledger shows what it has only after it is on its disk, and keeps it for longer than it matters
     * here. Where this transaction comes to nothing, the same rows are copied once more under their
     * ids, which the ledger passes over.
     */
    removeSettled(byId: ReadonlyMap<string, Watch>, now: Date): void {
      const rows: LeftArray[] = JSON.parse(all.get() ?? '[]')
      if (rows.length === 0) return
      const known = watchList.known(rows.map(([id]) => id))
      // The ledger forgets messages of this age, and would take them for new ones.
      const oldest = now.getTime() - KEPT_MS
      const settled = rows.filter(
        ([id, webhook_id, created_at]) =>
          known.has(id) || !byId.has(webhook_id) || created_at < oldest,
      )
      remove.run(JSON.stringify(settled.map(([id]) => id)))
    },
    add(watch: Watch, body: string, now: Date): void {
      add.run(messageId(Bun.randomUUIDv7()), watch.id, body, now.getTime())
    },
  }
}

type LeftArray = [id: string, webhook_id: string, created_at: number]

/** Which watches have told of their price. */
function openAlerted(db: Db) {
  const all = db
    .prepare<[], string>(
      'SELECT json_group_array(json_array(webhook_id, revision)) FROM alerted_watches',
    )
    .pluck()
  const removeAll = db.prepare<[string]>(
    'DELETE FROM alerted_watches WHERE webhook_id IN (SELECT value FROM json_each(?))',
  )
  const addAll = db.prepare<[string]>(
    `INSERT INTO alerted_watches (webhook_id, revision)
     SELECT value ->> 0, value ->> 1 FROM json_each(?)`,
  )

  function remove(ids: readonly string[]): void {
    if (ids.length > 0) removeAll.run(JSON.stringify(ids))
  }

  return {
    /**
     * Those that have told of the condition that they have now. What is remembered of another one, or of
     * a watch that is gone, is forgotten.
     */
    of(byId: ReadonlyMap<string, Watch>): Set<Watch> {
      const rows: [webhook_id: string, revision: number][] = JSON.parse(all.get() ?? '[]')
      const told = new Set<Watch>()
      const stale: string[] = []
      for (const [id, revision] of rows) {
        const watch = byId.get(id)
        if (watch?.revision === revision) told.add(watch)
        else stale.push(id)
      }
      remove(stale)
      return told
    },
    remove,
    add(watches: readonly Watch[]): void {
      addAll.run(JSON.stringify(watches.map(({ id, revision }) => [id, revision])))
    },
  }
}

/** What watches look at, in their order and in cents; null: unknown. */
function openWatchedPrices(db: Db): (watches: readonly Watch[]) => (number | null)[] {
  const printings = openPrintings(db)
  // A watch is one number here, that of a series; printing 0 is the dearest one. An array is read from
  // its beginning, so that the prices come in its order.
  const prices = db
    .prepare<[string], string>(
      `SELECT json_group_array((SELECT max(market_price) FROM prices
           WHERE card_id = value / ${SERIES_OF_CARD} AND value % ${SERIES_OF_CARD} IN (0, printing_id)))
         FROM json_each(?)`,
    )
    .pluck()
  const seriesOf = ({ card_id, printing }: Watch): number | null => {
    if (printing === null) return seriesId(card_id, 0)
    const known = printings.knownId(printing)
    return known === undefined ? null : seriesId(card_id, known)
  }
  return (watches) => JSON.parse(prices.get(JSON.stringify(watches.map(seriesOf))) ?? '[]')
}

/** Names of the cards that the catalog has, by id. */
function openWatchedNames(db: Db): (met: readonly Met[]) => Map<number, string> {
  const names = db
    .prepare<[string], string>(
      `SELECT json_group_array(json_array(id, name)) FROM cards
        WHERE id IN (SELECT value FROM json_each(?))`,
    )
    .pluck()
  return (met) => {
    const ids = met.map(({ watch }) => watch.card_id)
    const rows: [id: number, name: string][] = JSON.parse(names.get(JSON.stringify(ids)) ?? '[]')
    return new Map(rows)
  }
}
