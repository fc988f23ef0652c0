import {
  countBetween,
  type DocumentRange,
  type DocumentSet,
  findLast,
  fromNumbers,
  listBetween,
} from '#rules/search/document-sets.ts'
import { openMatchEvaluator } from '#rules/search/evaluate-match.ts'
import type { RowWindow } from '../../rows.ts'
import { ALL_RANKS, type SearchHits } from './search-hits.ts'
import { openPostings, type SearchPostings } from './search-postings.ts'

/** Opens the hits of full-text matches in memory. They equal those of `openSearchHits`. */
export function openPostingHits(index: SearchPostings): SearchHits {
  const evaluate = openMatchEvaluator(openPostings(index))
  const { cardIds, marketPrices, nameRanks } = index
  const rankOfName = new Uint32Array(nameRanks.length + 1)
  for (let rank = 1; rank < nameRanks.length; rank++) rankOfName[nameRanks[rank] ?? 0] = rank
  const unpriced = marketPrices.indexOf(-1, 1)
  const lastPriced = (unpriced < 0 ? marketPrices.length : unpriced) - 1

  const toCards = (ranks: readonly number[]) => ranks.map((rank) => cardIds[rank] ?? 0)

  return {
    exists: (match) => evaluate(match).count > 0,
    count: (match, range) => countBetween(evaluate(match), range),
    listByPriceDesc: (match, range, window) => toCards(listBetween(evaluate(match), range, window)),
    listByPriceAsc(match, { first, last }, { limit, offset }) {
      const set = evaluate(match)
      const priced = { first, last: Math.min(last, lastPriced) }
      const cheapest = listCheapest(set, priced, { limit, offset })
      const rest = { first: Math.max(first, lastPriced + 1), last }
      const window = {
        limit: limit - cheapest.length,
        offset: Math.max(0, offset - countBetween(set, priced)),
      }
      return toCards([...cheapest, ...listBetween(set, rest, window)])
    },
    listByName(match, range, window) {
      const ranks = listBetween(evaluate(match), range, EVERYTHING)
      const names = Uint32Array.from(ranks, (rank) => nameRanks[rank] ?? 0)
      const sorted = listBetween(fromNumbers(names, nameRanks.length), ALL_RANKS, window)
      return toCards(sorted.map((name) => rankOfName[name] ?? 0))
    },
  }

  /** Reads priced ranks from the end, and each group of equal prices forwards. */
  function listCheapest(
    set: DocumentSet,
    { first, last }: DocumentRange,
    { limit, offset }: RowWindow,
  ): number[] {
    const found: number[] = []
    let skip = offset
    for (let end = findLast(set, last); end !== undefined && end >= first; ) {
      if (found.length >= limit) break
      const group = { first: Math.max(first, firstRankOfPrice(end)), last: end }
      const ranks = listBetween(set, group, { limit: limit - found.length, offset: skip })
      found.push(...ranks)
      if (skip > 0) skip = ranks.length > 0 ? 0 : skip - countBetween(set, group)
      end = findLast(set, group.first - 1)
    }
    return found
  }

  /** Returns the first of the ranks with the price of a rank, by binary search: prices descend. */
  function firstRankOfPrice(rank: number): number {
    const price = marketPrices[rank] ?? 0
    let [low, high] = [1, rank]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((marketPrices[middle] ?? 0) > price) low = middle + 1
      else high = middle
    }
    return low
  }
}

const EVERYTHING: RowWindow = { limit: Number.POSITIVE_INFINITY, offset: 0 }
