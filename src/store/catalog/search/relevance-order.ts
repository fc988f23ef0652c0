import { matchUnits, type Unit } from '#rules/search/interpret-query.ts'
import {
  allOf,
  except,
  type Match,
  type TagFilter,
  tagged,
} from '#rules/search/match-expressions.ts'
import { type Branch, type Level, listRankLevels, STANDINGS } from '#rules/search/rank-levels.ts'
import type { PrintingWords } from '#rules/search/requested-printing.ts'
import { type CardLabels, rateStanding } from '#rules/search/search-document.ts'
import type { Lexicon } from '#rules/search/word-matches.ts'
import type { Db } from '../../db.ts'
import type { RowWindow } from '../../rows.ts'
import type { PrintingOrder } from './printing-hits.ts'
import type { RankRange, SearchHits } from './search-hits.ts'

/** Units, tags and a range of ranks. */
export type Search = {
  hits: SearchHits
  units: readonly Unit[]
  tags: TagFilter
  ranks: RankRange
  /** Printings by whose prices equal matches are sorted; undefined for the base printing. */
  printings?: PrintingWords
}

/** Lists a page of the matches by relevance. */
export type RelevanceOrder = (search: Search, lexicon: Lexicon, window: RowWindow) => number[]

/** Orders by the levels of relevance, within a level by standing, then by price. */
export function openRelevanceOrder(db: Db, printingOrder: PrintingOrder): RelevanceOrder {
  const labels = db.prepare<[string], CardLabels & { id: number }>(
    `SELECT cards.id, cards.name, rarity, sets.name AS set_name
       FROM json_each(+?) AS wanted
       CROSS JOIN cards ON cards.id = wanted.value
       JOIN sets ON sets.id = set_id`,
  )

  /** Visits the levels depth first, without branches that have no match, until the page is full. */
  function listByRelevance(
    search: Search,
    lexicon: Lexicon,
    { limit, offset }: RowWindow,
  ): number[] {
    const match = matchSearch(search)
    const ids: number[] = []
    let skip = offset
    const walk = ([level, ...deeper]: readonly Level[], branch: Branch): void => {
      if (level === undefined) {
        const { rows, skipped } = listBranch(matchBranch(match, branch), search, {
          limit: limit - ids.length,
          offset: skip,
        })
        ids.push(...rows)
        skip -= skipped
        return
      }
      for (const one of level) {
        if (ids.length === limit) return
        const inner = joinBranches(branch, one)
        const isEmpty = deeper.length > 0 && !search.hits.exists(matchBranch(match, inner))
        if (!isEmpty) walk(deeper, inner)
      }
    }
    walk(listRankLevels(search.units, lexicon), { with: [], without: [] })
    return ids
  }

  /** Lists the cards of a branch by standing, then by price. */
  function listBranch(
    match: Match,
    { hits, ranks, printings }: Search,
    { limit, offset }: RowWindow,
  ): { rows: number[]; skipped: number } {
    const rows = hits.listByPriceDesc(match, ranks, { limit: limit + 1, offset })
    if (offset > 0 && rows.length === 0) return { rows, skipped: hits.count(match, ranks) }
    // A single query instead of one per standing is usually enough: if the branch fits on one page, which is sorted
    // here, or if the first page has only ordinary cards.
    if (offset === 0 && rows.length <= limit) {
      return { rows: sortByStanding(byPrinting(rows, printings)), skipped: 0 }
    }
    if (offset === 0 && areOrdinary(rows.slice(0, limit))) {
      return { rows: rows.slice(0, limit), skipped: 0 }
    }
    let skip = offset
    const page: number[] = []
    for (const standing of STANDINGS) {
      const own = matchBranch(match, standing)
      const found = hits.listByPriceDesc(own, ranks, { limit: limit - page.length, offset: skip })
      skip = found.length > 0 || skip === 0 ? 0 : skip - hits.count(own, ranks)
      page.push(...found)
      if (page.length === limit) break
    }
    return { rows: page, skipped: offset }
  }

  function byPrinting(ids: number[], words: PrintingWords | undefined): number[] {
    if (words === undefined) return ids
    const all = { min_price: undefined, max_price: undefined }
    return printingOrder.select(ids, { ...all, words, sort: 'price_desc' })
  }

  function sortByStanding(ids: number[]): number[] {
    if (ids.length < 2) return ids
    const standings = readStandings(ids)
    return ids.toSorted((a, b) => (standings.get(a) ?? 0) - (standings.get(b) ?? 0))
  }

  function areOrdinary(ids: readonly number[]): boolean {
    return readStandings(ids)
      .values()
      .every((standing) => standing === 0)
  }

  function readStandings(ids: readonly number[]): Map<number, number> {
    return new Map(labels.all(JSON.stringify(ids)).map((card) => [card.id, rateStanding(card)]))
  }

  return listByRelevance
}

/** Returns the expression of the words and filters of a search. */
export function matchSearch({ units, tags }: Pick<Search, 'units' | 'tags'>): Match {
  return tagged(matchUnits(units), tags)
}

function joinBranches(outer: Branch, inner: Branch): Branch {
  return {
    with: [...outer.with, ...inner.with],
    without: [...outer.without, ...inner.without],
  }
}

function matchBranch(match: Match, branch: Branch): Match {
  return except(allOf([match, ...branch.with]), branch.without)
}
