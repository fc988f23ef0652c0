import type { Deps } from '#deps.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import type { PriceListFault, PriceListRow } from '#rules/pricing/price-list.ts'
import type { SourcePrice } from '#store/catalog/sources/source-price-writer.ts'
import { resolveCollection } from '../matching/resolve-collection.ts'
import type {
  CollectionNote,
  CollectionReason,
  FoundCard,
  ResolvedRow,
} from '../matching/resolved-row.ts'

/** Reason why a row is skipped. */
export type LeftOutReason =
  | PriceListFault['reason']
  | CollectionReason
  | Exclude<CollectionNote, 'printing_assumed'>
  | 'uncertain'
  | 'ambiguous'
  | 'duplicate'

/** A row that is skipped. */
export type LeftOutRow = { line: number; name: string | null; reason: LeftOutReason }

/** Rows of a list, by their outcome. */
export type MatchedPrices = {
  rows: number
  prices: SourcePrice[]
  leftOut: LeftOutRow[]
}

/**
 * Matches the rows of a price list to cards. Stricter than the valuation of a collection, because a price for the
 * wrong card is worse than no price: exactly one card must match everything in a row.
 *
 * @param onMatched called with the number of cards that have been searched for
 */
export async function matchPriceList(
  deps: Pick<Deps, 'catalog'>,
  list: AsyncIterable<PriceListRow | PriceListFault>,
  onMatched: (done: number, total: number) => void = () => {},
): Promise<MatchedPrices> {
  const { rows, faults, cards } = await groupByCard(list)
  const matched: MatchedPrices = { rows, prices: [], leftOut: faults }
  const known = new Set<string>()
  let done = 0
  const groups = [...cards.values()]
  for await (const resolved of resolveCollection(
    deps,
    groups.map(([{ card }]) => card),
    { suggestions: { rows: 0 } },
  )) {
    // The results have the order of the cards.
    for (const row of groups[done] ?? []) {
      const outcome = choosePrinting(deps, row, resolved)
      const prices = 'reason' in outcome ? [] : keepNew(known, row, outcome)
      const reason = 'reason' in outcome ? outcome.reason : 'duplicate'
      if (prices.length === 0) matched.leftOut.push({ line: row.line, name: row.card.name, reason })
      else matched.prices.push(...prices)
    }
    onMatched(++done, groups.length)
  }
  matched.leftOut.sort((a, b) => a.line - b.line)
  return matched
}

/** Groups the rows by the card as written, because a list repeats a card for each condition. */
async function groupByCard(list: AsyncIterable<PriceListRow | PriceListFault>) {
  const cards = new Map<string, [PriceListRow, ...PriceListRow[]]>()
  const faults: LeftOutRow[] = []
  let rows = 0
  for await (const row of list) {
    rows++
    if ('reason' in row) faults.push(row)
    else {
      const key = JSON.stringify({ ...row.card, row: 0 })
      const same = cards.get(key)
      // Shared, because it takes less memory.
      if (same !== undefined) same.push({ ...row, card: same[0].card })
      else cards.set(key, [row])
    }
  }
  return { rows, faults, cards }
}

type Outcome = { card_id: number; printing: string } | { reason: LeftOutReason }

const UNKNOWN_ID = { reason: 'product_id_not_found' } as const

/** Returns the card and printing of a row, or the reason to leave it out. */
function choosePrinting(
  deps: Pick<Deps, 'catalog'>,
  { card }: PriceListRow,
  resolved: ResolvedRow,
): Outcome {
  // An id that the catalog lacks is a better reason than a name that was not found either.
  if (!('found' in resolved)) return card.product_id === null ? resolved : UNKNOWN_ID
  const { found } = resolved
  const { notes, alternatives, confidence, certainty } = found
  const note = notes.find((one) => one !== 'printing_not_found' && one !== 'printing_assumed')
  if (note !== undefined) return { reason: note }
  if (confidence === 'medium' || certainty === 'guessed') return { reason: 'uncertain' }
  const name = normalizeName(found.card.name)
  const isRival = (one: FoundCard['card']) =>
    confidence !== 'exact' || normalizeName(one.name) === name
  if (alternatives.some(isRival)) return { reason: 'ambiguous' }
  const card_id = found.card.id
  const printing = !notes.includes('printing_not_found')
    ? (found.printing?.printing ?? 'Normal')
    : findByBeginning(deps.catalog.prices.listPrintings(card_id), card.printing ?? '')
  return printing === undefined ? { reason: 'printing_not_found' } : { card_id, printing }
}

/** Finds the only printing that begins with the text: "1st Edition" may mean "1st Edition Holofoil". */
function findByBeginning(printings: readonly string[], text: string): string | undefined {
  const key = normalizeName(text)
  const named = printings.filter((printing) => normalizeName(printing).startsWith(key))
  return named.length === 1 ? named[0] : undefined
}

/** Returns the prices whose key occurs in no earlier row. */
function keepNew(
  known: Set<string>,
  { prices }: PriceListRow,
  { card_id, printing }: { card_id: number; printing: string },
): SourcePrice[] {
  return prices.flatMap(({ currency, condition, grade, market_price, sale_count }) => {
    const key = [card_id, printing, currency, condition, grade].join('|')
    if (known.has(key)) return []
    known.add(key)
    const amounts = { market_price, low_price: null, median_price: null, sale_count }
    return { card_id, printing, currency, condition, grade, ...amounts }
  })
}
