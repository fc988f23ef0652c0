import type { ProductType } from '#rules/intake.ts'
import { changePercent, isMover, PERIOD_NAMES, type Period } from '#rules/price-change.ts'
import type { Db } from '../db.ts'
import { type Direction, PRODUCT_TYPE_ID } from './movers.ts'

/**
 * Rebuilds every list of movers: for each period and direction, of each game and of all, of each
 * product type and of both, of each printing and of all. To be called inside the transaction that
 * changes the prices.
 */
export function rebuildMovers(db: Db): void {
  db.exec('DELETE FROM movers; DELETE FROM mover_exclusions')
  const candidates = db
    .prepare<[], Candidate>(
      `SELECT prices.card_id, printing_id, market_price, base_24h AS "24h", base_7d AS "7d",
              base_30d AS "30d", game_id, product_type
         FROM prices JOIN cards ON cards.id = prices.card_id
        WHERE tracked_since IS NOT NULL AND market_price IS NOT NULL AND missing_since IS NULL`,
    )
    .all()
  for (const period of PERIOD_NAMES) {
    rebuildPeriod(db, period, candidates)
  }
}

type Candidate = {
  card_id: number
  printing_id: number
  market_price: number
  game_id: number
  product_type: ProductType
} & Record<Period, number | null>

type Moved = Candidate & { ratio: number }

function rebuildPeriod(db: Db, period: Period, candidates: readonly Candidate[]): void {
  const up: Moved[] = []
  const down: Moved[] = []
  const excluded = { up: new Map<string, number>(), down: new Map<string, number>() }
  for (const candidate of candidates) {
    const base = candidate[period]
    if (base === null || base === candidate.market_price) continue
    const direction = candidate.market_price > base ? 'up' : 'down'
    if (isMover(candidate.market_price, base)) {
      const moved = { ...candidate, ratio: candidate.market_price / base }
      if (direction === 'up') up.push(moved)
      else down.push(moved)
    } else {
      for (const list of listsOf(candidate)) {
        excluded[direction].set(list, (excluded[direction].get(list) ?? 0) + 1)
      }
    }
  }
  up.sort((a, b) => b.ratio - a.ratio || a.card_id - b.card_id || a.printing_id - b.printing_id)
  down.sort((a, b) => a.ratio - b.ratio || a.card_id - b.card_id || a.printing_id - b.printing_id)
  putLists(db, period, 'up', up)
  putLists(db, period, 'down', down)
  putExcluded(db, period, 'up', excluded.up)
  putExcluded(db, period, 'down', excluded.down)
}

function putLists(db: Db, period: Period, direction: Direction, moved: readonly Moved[]): void {
  const put = db.prepare('INSERT INTO movers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const filled = new Map<string, number>()
  for (const row of moved) {
    const change = changePercent(row.market_price, row[period])
    for (const list of listsOf(row)) {
      const position = (filled.get(list) ?? 0) + 1
      if (position > LIST_LENGTH) continue
      filled.set(list, position)
      put.run(
        period,
        direction,
        ...filtersOf(list),
        position,
        row.card_id,
        row.printing_id,
        row.market_price,
        change,
      )
    }
  }
}

function putExcluded(db: Db, period: Period, direction: Direction, of: Map<string, number>): void {
  const put = db.prepare('INSERT INTO mover_exclusions VALUES (?, ?, ?, ?, ?, ?)')
  for (const [list, excluded] of of) put.run(period, direction, ...filtersOf(list), excluded)
}

/** The eight lists that a printing belongs to: each filter set, or left open. */
function listsOf(row: Candidate): string[] {
  const lists: string[] = []
  for (const game of [0, row.game_id]) {
    for (const type of [0, PRODUCT_TYPE_ID[row.product_type]]) {
      for (const printing of [0, row.printing_id]) lists.push(`${game}/${type}/${printing}`)
    }
  }
  return lists
}

function filtersOf(list: string): number[] {
  return list.split('/').map(Number)
}

/** The longest list that a caller may ask for (specification, Limits 5). */
const LIST_LENGTH = 50
