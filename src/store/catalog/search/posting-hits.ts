import { openMatchEvaluator } from '#rules/search/evaluate-match.ts'
import { lowerBound } from '#rules/search/sorted-sets.ts'
import type { RowWindow } from '../../rows.ts'
import type { RankRange, SearchHits } from './search-hits.ts'
import { openPostings, type SearchPostings } from './search-postings.ts'

/** Opens the hits of full-text matches in memory. They equal those of `openSearchHits`. */
export function openPostingHits(index: SearchPostings): SearchHits {
  const evaluate = openMatchEvaluator(openPostings(index))
  const { cardIds, marketPrices, nameRanks } = index
  const rankOfName = new Uint32Array(nameRanks.length + 1)
  for (let rank = 1; rank < nameRanks.length; rank++) rankOfName[nameRanks[rank] ?? 0] = rank
  const unpriced = marketPrices.indexOf(-1, 1)
  const firstUnpriced = unpriced < 0 ? marketPrices.length : unpriced

  const listWithin = (match: string, { first, last }: RankRange) => {
    const all = evaluate(match)
    return all.subarray(lowerBound(all, first), lowerBound(all, last + 1))
  }
  const toCards = (ranks: Iterable<number>) => Array.from(ranks, (rank) => cardIds[rank] ?? 0)

  return {
    exists: (match) => evaluate(match).length > 0,
    count: (match, range) => listWithin(match, range).length,
    listByPriceDesc: (match, range, window) => toCards(cut(listWithin(match, range), window)),
    listByPriceAsc(match, range, window) {
      const ranks = listWithin(match, range)
      const end = lowerBound(ranks, firstUnpriced)
      const cheapest = cheapestFirst(ranks.subarray(0, end), window)
      const left = window.limit - cheapest.length
      const offset = Math.max(0, window.offset - end)
      return toCards([...cheapest, ...cut(ranks.subarray(end), { limit: left, offset })])
    },
    listByName(match, range, window) {
      const names = Uint32Array.from(listWithin(match, range), (rank) => nameRanks[rank] ?? 0)
      return toCards(cut(names.sort(), window).map((name) => rankOfName[name] ?? 0))
    },
  }

  /** Reads priced ranks from the end, and each group of equal prices forwards. */
  function cheapestFirst(ranks: Uint32Array, { limit, offset }: RowWindow): number[] {
    const found: number[] = []
    let end = ranks.length
    for (let skip = offset; end > 0 && found.length < limit; ) {
      const price = marketPrices[ranks[end - 1] ?? 0]
      let start = end - 1
      while (start > 0 && marketPrices[ranks[start - 1] ?? 0] === price) start--
      const skipped = Math.min(skip, end - start)
      skip -= skipped
      found.push(
        ...ranks.subarray(start + skipped, Math.min(end, start + skipped + limit - found.length)),
      )
      end = start
    }
    return found
  }
}

function cut(ranks: Uint32Array, { limit, offset }: RowWindow): Uint32Array {
  return ranks.subarray(offset, offset + Math.max(0, limit))
}
