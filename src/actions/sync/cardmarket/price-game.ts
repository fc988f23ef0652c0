import type { RejectedRecord } from '#rules/catalog/catalog-records.ts'
import { chooseProductPrices } from '#rules/sync/cardmarket/choose-product-prices.ts'
import { CARDMARKET, type GuidePrices, readGuidePrices } from '#rules/sync/cardmarket/files.ts'
import type { StoredMatch } from '#rules/sync/cardmarket/merge-matches.ts'
import type { SourcePrice } from '#store/catalog/sources/source-price-writer.ts'
import type { MatchedGame } from './match-game.ts'
import { checkHead } from './read-products.ts'
import { readRecords } from './read-records.ts'

/** Price guide of a game. */
export type PriceGuide = { createdAt: Date; rows: GuidePrices[]; rejected: RejectedRecord[] }

/** Reads a price guide. @throws UpstreamError */
export async function readGuide(source: { path: string; file: string }): Promise<PriceGuide> {
  const { head, records, rejected } = await readRecords(source, 'priceGuides', readGuidePrices)
  return { createdAt: checkHead(source.path, head), rows: records, rejected }
}

/**
 * Converts the rows of a guide into prices of cards, by game of the catalog. If two products have the same printing,
 * the more certain match is used.
 */
export function priceCards(
  rows: readonly GuidePrices[],
  { matches, cards }: Pick<MatchedGame, 'matches' | 'cards'>,
): Map<number, SourcePrice[]> {
  const priced = rows.flatMap((row) => {
    const match = matches.get(row.product_id)
    const card = match?.card_id == null ? undefined : cards.get(match.card_id)
    return match === undefined || card === undefined ? [] : [{ row, match, card }]
  })
  priced.sort((a, b) => compareCertainty(a.match, b.match) || a.row.product_id - b.row.product_id)
  const seen = new Set<string>()
  const prices = new Map<number, SourcePrice[]>()
  for (const { row, match, card } of priced) {
    for (const { printing, ...amounts } of chooseProductPrices(
      row,
      match.printing,
      card.printings,
    )) {
      const key = `${card.id} ${printing}`
      if (seen.has(key)) continue
      seen.add(key)
      const own = prices.get(card.game_id) ?? []
      prices.set(card.game_id, own)
      own.push({ card_id: card.id, printing, ...KIND, ...amounts, ...UNKNOWN })
    }
  }
  return prices
}

const KIND = { currency: CARDMARKET.currency, condition: null, grade: null }
const UNKNOWN = { median_price: null, sale_count: null }

function compareCertainty(a: StoredMatch, b: StoredMatch): number {
  return (b.confidence ?? 0) - (a.confidence ?? 0)
}
