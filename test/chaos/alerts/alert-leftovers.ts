/** The progress of each alert in the files of a run while no process is running. */
import { join } from 'node:path'
import { openDatabase } from '#store/db.ts'
import type { AlertArrival } from './alert-receivers.ts'
import { SHORT_LEASE_MS } from './alert-task.ts'

export type AlertLeftovers = {
  /** Published, but not in the ledger. */
  unrelayed: number
  /** In the ledger, but never attempted. */
  untried: number
  /** Leased for sending, but not arrived. */
  taken: number
  /** Arrived, but without a response or rejected; the result was not recorded. */
  arrived: number
  /** Accepted by the receiver, but not recorded. */
  answered: number
}

export type DeliveryState = { id: string; state: 'pending' | 'delivered' | 'dead'; tries: number }

type Row = DeliveryState & { owner: string | null; next_at: number }

/** @param arrivals all deliveries that have arrived */
export function findLeftovers(dataDir: string, arrivals: readonly AlertArrival[]): AlertLeftovers {
  const rows = readDeliveries(dataDir)
  const newest = new Map(arrivals.map((alertArrival) => [alertArrival.id, alertArrival]))
  const held = rows
    .filter(({ state, owner }) => state === 'pending' && owner !== null)
    .map(({ id, next_at }) => {
      const last = newest.get(id)
      // The process leased it one lease before it expires.
      return last !== undefined && last.at >= next_at - SHORT_LEASE_MS ? last : undefined
    })
  const came = held.filter((last) => last !== undefined)
  const answered = came.filter(({ isAccepted }) => isAccepted).length
  return {
    unrelayed: countUnrelayed(dataDir, rows),
    untried: rows.filter(({ state, owner, tries }) => state === 'pending' && !owner && tries === 0)
      .length,
    taken: held.length - came.length,
    arrived: came.length - answered,
    answered,
  }
}

/** Returns every message in the ledger. */
export function readDeliveries(dataDir: string): Row[] {
  const db = openDatabase(join(dataDir, 'ledger.db'), { readonly: true })
  const rows = db
    .prepare<[], Row>('SELECT id, state, tries, owner, next_at FROM alert_messages')
    .all()
  db.close()
  return rows
}

/** Counts the messages of existing webhooks that were not copied to the ledger yet. */
export function countUnrelayed(
  dataDir: string,
  rows: readonly Row[] = readDeliveries(dataDir),
): number {
  const known = new Set(rows.map(({ id }) => id))
  const ledger = openDatabase(join(dataDir, 'ledger.db'), { readonly: true })
  const watches = new Set(ledger.prepare<[], string>('SELECT id FROM price_rules').pluck().all())
  ledger.close()
  const catalog = openDatabase(join(dataDir, 'catalog.db'), { readonly: true })
  const left = catalog
    .prepare<[], { id: string; rule_id: string }>('SELECT id, rule_id FROM alert_outbox')
    .all()
  catalog.close()
  return left.filter(({ id, rule_id }) => !known.has(id) && watches.has(rule_id)).length
}
