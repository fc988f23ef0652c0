import { isMover } from '#rules/pricing/movers.ts'
import { changePercent, PERIOD_NAMES, type Period } from '#rules/pricing/price-changes.ts'
import { SERIES_PER_CARD, seriesId } from './history/history.ts'
import { LEVEL_ID, type MoverDirection, PRODUCT_TYPE_ID } from './movers.ts'

/** Writes rows of lists, with the columns of `movers` and `mover_exclusions` in order. */
export type MoverTables = {
  put(...row: (string | number | null | undefined)[]): void
  putExcluded(...row: (string | number)[]): void
}

/** Numbers of levels (LEVEL_ID) by series; other candidates have the lowest level. */
export type MoverLevels = ReadonlyMap<number, number>

/** Current price of a printing, and the prices with which it is compared. */
export type MoverCandidate = {
  card_id: number
  printing_id: number
  market_price: number
  /** The eight lists that contain it: each filter is either set or any. */
  lists: readonly number[]
} & Record<Period, number | null>

type Moved = { candidate: MoverCandidate; ratio: number }

/** Candidate as the statements return it in JSON. */
export type CandidateArray = [
  card_id: number,
  printing_id: number,
  market_price: number,
  ...bases: [number | null, number | null, number | null],
  game_id: number,
  is_sealed: 0 | 1,
]

export function parseCandidate(row: CandidateArray): MoverCandidate {
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

/** Returns true for a printing that is a mover of any period. */
export function hasMoved(candidate: MoverCandidate): boolean {
  return PERIOD_NAMES.some((period) => {
    const base = candidate[period]
    return base !== null && isMover(candidate.market_price, base)
  })
}

/**
 * Writes the lists of all periods and directions, one per combination of game, product type and printing, each either
 * set or any. A list has the first fifty movers of each minimum confidence.
 */
export function putMoverLists(
  tables: MoverTables,
  candidates: readonly MoverCandidate[],
  levels: MoverLevels,
): void {
  for (const period of PERIOD_NAMES) putPeriod(tables, period, candidates, levels)
}

function putPeriod(
  tables: MoverTables,
  period: Period,
  candidates: readonly MoverCandidate[],
  levels: MoverLevels,
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
    putLists(tables, { period, direction }, moved[direction], levels)
    putExcluded(tables, period, direction, excluded[direction])
  }
}

function byId(a: MoverCandidate, b: MoverCandidate): number {
  return a.card_id - b.card_id || a.printing_id - b.printing_id
}

function putLists(
  { put }: MoverTables,
  { period, direction }: { period: Period; direction: MoverDirection },
  moved: readonly Moved[],
  levels: MoverLevels,
): void {
  // Number of movers in each list so far, by minimum level.
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
      // The last position is the smallest one: that among movers which are at least as reliable.
      if ((positions.at(-1) ?? 0) > LIST_LENGTH) continue
      put(
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
  tables: MoverTables,
  period: Period,
  direction: MoverDirection,
  of: Map<number, number>,
): void {
  for (const [list, excluded] of of) {
    tables.putExcluded(period, direction, ...decodeList(list), excluded)
  }
}

/** Encodes a list as one number, the key of hundreds of thousands of lookups. */
function encodeList(game: number, type: number, printing: number): number {
  return (game * TYPES + type) * SERIES_PER_CARD + printing
}

function decodeList(list: number): [game: number, type: number, printing: number] {
  const rest = Math.floor(list / SERIES_PER_CARD)
  return [Math.floor(rest / TYPES), rest % TYPES, list % SERIES_PER_CARD]
}

/** Cards, sealed products, and both. */
const TYPES = 3

/** Longest list that a request can return (specification, Limits 5). */
const LIST_LENGTH = 50
