import { assessPrice } from '#rules/pricing/confidence.ts'
import { changePercent, isMover, PERIOD_NAMES, type Period } from '#rules/pricing/price-changes.ts'
import { MIRROR_KIND } from '#rules/pricing/price-key.ts'
import type { Db } from '../db.ts'
import { SERIES_PER_CARD, seriesId } from './history/history.ts'
import { LEVEL_ID, type MoverDirection, PRODUCT_TYPE_ID } from './movers.ts'
import { openPrintingStore } from './printings.ts'
import { openExchangeRateStore } from './sources/exchange-rates.ts'
import { openPriceFactStore } from './sources/price-facts.ts'

/**
 * Rebuilds every list of movers: for each period and direction, one list per combination of game,
 * product type and printing, each either fixed or any. A list has the first fifty movers of each minimum
 * confidence. The caller provides the transaction that changes the prices.
 *
 * @param today day on which prices are judged
 */
export function rebuildMovers(db: Db, today: number): void {
  db.exec('DELETE FROM movers; DELETE FROM mover_exclusions')
  // Returns one JSON text, because rows cross the driver number by number.
  const text = db
    .prepare<[], string>(
      `SELECT json_group_array(json_array(prices.card_id, printing_id, market_price, base_24h,
                base_7d, base_30d, game_id, product_type = 'Sealed Products'))
         FROM prices JOIN cards ON cards.id = prices.card_id
        WHERE tracked_since IS NOT NULL AND market_price IS NOT NULL AND missing_since IS NULL`,
    )
    .pluck()
    .get()
  const rows: CandidateArray[] = JSON.parse(text ?? '[]')
  const candidates = rows.map(parseCandidate)
  const levels = assessMoved(db, candidates, today)
  for (const period of PERIOD_NAMES) {
    rebuildPeriod(db, period, candidates, levels)
  }
}

/** Numbers of levels (LEVEL_ID) by series. */
type Levels = ReadonlyMap<number, number>

/** Judges the prices that moved in any period. */
function assessMoved(db: Db, candidates: readonly Candidate[], today: number): Levels {
  const moved = candidates.filter((one) => PERIOD_NAMES.some((period) => isMovedIn(one, period)))
  const printings = openPrintingStore(db)
  // It lives as long as this transaction, in which no other rates are published.
  const rates = openExchangeRateStore(db, { onChange: () => {} })
  const facts = openPriceFactStore(db, rates).listByCards(moved.map(({ card_id }) => card_id))
  const levels = new Map<number, number>()
  for (const fact of facts) {
    if (fact.source !== MIRROR_KIND.source) continue
    const series = seriesId(fact.card_id, printings.getOrCreateId(fact.printing))
    levels.set(series, LEVEL_ID[assessPrice(fact, today).level])
  }
  return levels
}

function isMovedIn(candidate: Candidate, period: Period): boolean {
  const base = candidate[period]
  return base !== null && isMover(candidate.market_price, base)
}

type CandidateArray = [
  card_id: number,
  printing_id: number,
  market_price: number,
  ...bases: [number | null, number | null, number | null],
  game_id: number,
  is_sealed: 0 | 1,
]

type Candidate = {
  card_id: number
  printing_id: number
  market_price: number
  /** The eight lists that it belongs to: each filter fixed or any. */
  lists: readonly number[]
} & Record<Period, number | null>

type Moved = { candidate: Candidate; ratio: number }

function parseCandidate(row: CandidateArray): Candidate {
  const [card_id, printing_id, market_price, day, week, month, game, is_sealed] = row
  const type = PRODUCT_TYPE_ID[is_sealed === 1 ? 'Sealed Products' : 'Cards']
  const lists = [
    encodeList(0, 0, 0),
    encodeList(0, 0, printing_id),
    encodeList(0, type, 0),
    encodeList(0, type, printing_id),
    encodeList(game, 0, 0),
    encodeList(game, 0, printing_id),
    encodeList(game, type, 0),
    encodeList(game, type, printing_id),
  ]
  return { card_id, printing_id, market_price, lists, '24h': day, '7d': week, '30d': month }
}

function rebuildPeriod(
  db: Db,
  period: Period,
  candidates: readonly Candidate[],
  levels: Levels,
): void {
  const moved: Record<MoverDirection, Moved[]> = { up: [], down: [] }
  const excluded = { up: new Map<number, number>(), down: new Map<number, number>() }
  for (const candidate of candidates) {
    const base = candidate[period]
    if (base === null || base === candidate.market_price) continue
    const direction = candidate.market_price > base ? 'up' : 'down'
    if (isMover(candidate.market_price, base)) {
      moved[direction].push({ candidate, ratio: candidate.market_price / base })
    } else {
      for (const list of candidate.lists) {
        excluded[direction].set(list, (excluded[direction].get(list) ?? 0) + 1)
      }
    }
  }
  moved.up.sort((a, b) => b.ratio - a.ratio || byId(a.candidate, b.candidate))
  moved.down.sort((a, b) => a.ratio - b.ratio || byId(a.candidate, b.candidate))
  for (const direction of ['up', 'down'] as const) {
    putLists(db, { period, direction }, moved[direction], levels)
    putExcluded(db, period, direction, excluded[direction])
  }
}

function byId(a: Candidate, b: Candidate): number {
  return a.card_id - b.card_id || a.printing_id - b.printing_id
}

function putLists(
  db: Db,
  { period, direction }: { period: Period; direction: MoverDirection },
  moved: readonly Moved[],
  levels: Levels,
): void {
  const put = db.prepare('INSERT INTO movers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  // Movers of each list so far, by the minimum level that they reach.
  const counts = [1, 2, 3].map((minimum) => ({ minimum, byList: new Map<number, number>() }))
  for (const { candidate } of moved) {
    const { card_id, printing_id, market_price } = candidate
    const level = levels.get(seriesId(card_id, printing_id)) ?? LEVEL_ID.low
    for (const list of candidate.lists) {
      const positions = counts
        .filter(({ minimum }) => minimum <= level)
        .map(({ byList }) => {
          const position = (byList.get(list) ?? 0) + 1
          byList.set(list, position)
          return position
        })
      // The last is the smallest: that among the movers which are at least as reliable.
      if ((positions.at(-1) ?? 0) > LIST_LENGTH) continue
      put.run(
        period,
        direction,
        ...decodeList(list),
        positions[0],
        card_id,
        printing_id,
        market_price,
        changePercent(market_price, candidate[period]),
        level,
      )
    }
  }
}

function putExcluded(
  db: Db,
  period: Period,
  direction: MoverDirection,
  of: Map<number, number>,
): void {
  const put = db.prepare('INSERT INTO mover_exclusions VALUES (?, ?, ?, ?, ?, ?)')
  for (const [list, excluded] of of) put.run(period, direction, ...decodeList(list), excluded)
}

/** Encodes a list as one number, the key of hundreds of thousands of look-ups. */
function encodeList(game: number, type: number, printing: number): number {
  return (game * TYPES + type) * SERIES_PER_CARD + printing
}

function decodeList(list: number): [game: number, type: number, printing: number] {
  const rest = Math.floor(list / SERIES_PER_CARD)
  return [Math.floor(rest / TYPES), rest % TYPES, list % SERIES_PER_CARD]
}

/** Cards, sealed products, and any. */
const TYPES = 3

/** Longest list that a request can return (specification, Limits 5). */
const LIST_LENGTH = 50
