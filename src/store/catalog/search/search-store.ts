import type { ProductType } from '#rules/catalog/catalog-records.ts'
import type { TagFilter } from '#rules/search/match-expressions.ts'
import { listPrintingWords } from '#rules/search/requested-printing.ts'
import type { Lexicon } from '#rules/search/word-matches.ts'
import { type Db, inSnapshot } from '../../db.ts'
import type { RequestedPrintings } from '../card-store.ts'
import { openPrintingHits, openPrintingOrder } from './printing-hits.ts'
import {
  openQueryInterpreters,
  openSearchLexicon,
  type QueryInterpreter,
} from './query-interpreter.ts'
import { matchSearch, openRelevanceOrder, type Search } from './relevance-order.ts'
import {
  openCatalogVersion,
  openDocumentsVersion,
  openSearchColumns,
  type SearchColumns,
} from './search-columns.ts'
import {
  ALL_RANKS,
  openSearchHits,
  openStoredMatches,
  type RankRange,
  type SearchHits,
  type SearchMatches,
} from './search-hits.ts'
import { openPostingMatches, type SearchPostings } from './search-postings.ts'
import { type SearchSort, SORT_ORDERS } from './sorts.ts'

export type CardSearchInput = {
  q: string
  game_id?: number | undefined
  set_id?: number | undefined
  rarity?: string | undefined
  type?: ProductType | undefined
  /**
   * Exact name of a printing: only cards that have it, with its price and change instead of those of the base
   * printing.
   */
  printing?: string | undefined
  /** Cents, both inclusive; cards without a known price are in no range. */
  min_price?: number | undefined
  max_price?: number | undefined
  sort: SearchSort
  limit: number
  offset: number
}

export type CardSearchResult = {
  /** Cards of the page, in order. */
  ids: number[]
  /** Number of cards on all pages. */
  total: number
  /** Words that were searched instead, if typed words occur nowhere. */
  corrected?: string
  /** Ignored words, because no card has them, alone or together with the others. */
  ignored: readonly string[]
  printings: RequestedPrintings
}

/** Full-text search over the index that `updateSearch` maintains. */
export type SearchStore = {
  /**
   * Finds cards by words of the name, set, number, rarity, printing, product type and game in any order; the last
   * word may be incomplete. Words that occur nowhere are corrected or ignored.
   */
  find(input: CardSearchInput): CardSearchResult
  /** Answers from memory while the catalog has the documents of this index; `undefined` drops the index. */
  useInMemory(index: SearchPostings | undefined): void
  /** Returns true if the documents of the current version are in memory. */
  isInMemory(): boolean
  /** Drops the cached data of an older catalog. */
  invalidate(): void
}

export function openSearchStore(db: Db): SearchStore {
  const readVersion = openCatalogVersion(db)
  const readDocumentsVersion = openDocumentsVersion(db)
  const readColumns = openSearchColumns(db)
  const openStored = openStoredMatches(db)
  const openLexicon = openSearchLexicon(db, (match) => hits.exists(match))
  let memory: { version: string; matches: SearchMatches } | undefined
  // Opened for the last searched version.
  let version: string | undefined
  let source: { columns: SearchColumns; matches: SearchMatches }
  let hits: SearchHits
  let lexicon: Lexicon
  let interpret: QueryInterpreter
  const printingOrder = openPrintingOrder(db)
  const printingHits = openPrintingHits(db)
  const findTags = openTagFilters(db)
  const openInterpreter = openQueryInterpreters(db)
  const listByRelevance = openRelevanceOrder(db, printingOrder)

  return {
    find: (input) =>
      inSnapshot(db, () => {
        openVersion(readVersion())
        const tags = findTags(input)
        const { units, ...interpreted } = interpret(input.q)
        const words = listPrintingWords(units, lexicon)
        const printings = { words, exact: input.printing, isPriced: true }
        if (units.length === 0 || tags === undefined)
          return { ids: [], total: 0, ...interpreted, printings }
        const search = { units, tags, hits: findHits({ units, tags }, input) }
        const byPrinting = answerByPrinting(search, input, printings)
        if (byPrinting !== undefined) return { ...byPrinting, ...interpreted, printings }
        const ranks = findRanks(search.hits, input)
        // Relevance needs no price, so results may show the price of the requested printing.
        const isPriced = input.sort === 'relevance' && ranks === ALL_RANKS
        const answered =
          ranks === undefined ? { ids: [], total: 0 } : answer({ ...search, ranks }, input)
        return { ...answered, ...interpreted, printings: { ...printings, isPriced } }
      }),
    useInMemory(index) {
      memory = index && { version: index.version, matches: openPostingMatches(index) }
      version = undefined
    },
    isInMemory: () => memory?.version === readDocumentsVersion(),
    invalidate() {
      version = undefined
    },
  }

  /** Opens the hits of a version, within its snapshot, unless they are already open. */
  function openVersion(wanted: string): void {
    if (version === wanted) return
    const columns = readColumns()
    const isCurrent = memory?.version === readDocumentsVersion()
    const matches = (isCurrent && memory?.matches) || openStored(columns.cards)
    source = { columns, matches }
    hits = openSearchHits(columns, matches)
    lexicon = openLexicon()
    interpret = openInterpreter(lexicon)
    version = wanted
  }

  /** Returns the hits of the whole catalog, or among the cards that have the printing of the filter. */
  function findHits(found: Pick<Search, 'units' | 'tags'>, { printing }: CardSearchInput) {
    return printing === undefined ? hits : printingHits(printing, matchSearch(found), source)
  }

  /**
   * Sorts and filters by the prices of the printings that the words name.
   *
   * @returns undefined without such printings or prices, or if there are more cards than can be sorted at once
   */
  function answerByPrinting(
    found: Omit<Search, 'ranks'>,
    input: CardSearchInput,
    { words, exact }: RequestedPrintings,
  ): { ids: number[]; total: number } | undefined {
    const { sort, min_price, max_price, limit, offset } = input
    if (words.length === 0 || exact !== undefined) return undefined
    if (sort in SORT_ORDERS && !isPriceFilter(input)) return undefined
    const search = { ...found, ranks: ALL_RANKS, printings: words }
    if (search.hits.count(matchSearch(search), ALL_RANKS) > PRINTING_CARDS_MAX) return undefined
    const everything = { ...input, limit: PRINTING_CARDS_MAX, offset: 0 }
    const ids = printingOrder.select(listIds(search, everything), {
      words,
      min_price,
      max_price,
      sort: sort === 'price_asc' || sort === 'price_desc' ? sort : undefined,
    })
    return { ids: ids.slice(offset, offset + limit), total: ids.length }
  }

  function answer(search: Search, input: CardSearchInput): { ids: number[]; total: number } {
    const match = matchSearch(search)
    // A first page that is not full contains everything. For relevance, which runs several queries,
    // counting first is cheaper.
    const early =
      input.offset === 0 && input.sort !== 'relevance' ? listIds(search, input) : undefined
    const isAll = early !== undefined && early.length < input.limit
    const total = isAll ? early.length : search.hits.count(match, search.ranks)
    // Ends with the last match.
    const limit = Math.max(0, Math.min(input.limit, total - input.offset))
    return { ids: early ?? (limit > 0 ? listIds(search, { ...input, limit }) : []), total }
  }

  function listIds(search: Search, input: CardSearchInput): number[] {
    const match = matchSearch(search)
    switch (input.sort) {
      case 'relevance':
        return listByRelevance(search, lexicon, input)
      case 'price_desc':
        return search.hits.listByPriceDesc(match, search.ranks, input)
      case 'price_asc':
        return search.hits.listByPriceAsc(match, search.ranks, input)
      default:
        return search.hits.listInOrder(SORT_ORDERS[input.sort], match, search.ranks, input)
    }
  }

  /** Returns undefined if no card is in the price range. */
  function findRanks(
    hits: SearchHits,
    { min_price, max_price }: CardSearchInput,
  ): RankRange | undefined {
    if (min_price === undefined && max_price === undefined) return ALL_RANKS
    return hits.findRanks(min_price ?? 0, max_price ?? Number.POSITIVE_INFINITY)
  }
}

function isPriceFilter({ min_price, max_price }: CardSearchInput): boolean {
  return min_price !== undefined || max_price !== undefined
}

/** Maximum number of cards that are sorted by the price of a printing: some milliseconds. */
const PRINTING_CARDS_MAX = 2_000

type FilteredInput = {
  game_id?: number | undefined
  set_id?: number | undefined
  rarity?: string | undefined
  type?: ProductType | undefined
}

/** Returns a function that finds the tags of filters; undefined if no card has the value of a filter. */
function openTagFilters(db: Db): (input: FilteredInput) => TagFilter | undefined {
  const tag = db
    .prepare<[string, string], string>('SELECT tag FROM search_tags WHERE kind = ? AND value = ?')
    .pluck()

  return ({ game_id, set_id, rarity, type }) => {
    const needed: string[][] = []
    const wanted = [
      ['game', game_id],
      ['set', set_id],
      ['rarity', rarity?.toLowerCase()],
    ] as const
    for (const [kind, value] of wanted) {
      if (value === undefined) continue
      const found = tag.get(kind, String(value))
      if (found === undefined) return undefined
      needed.push([found])
    }
    const sealed = type === undefined ? undefined : tag.get('type', 'Sealed Products')
    if (sealed === undefined) return { with: needed, without: [] }
    if (type === 'Cards') return { with: needed, without: [sealed] }
    return { with: [...needed, [sealed]], without: [] }
  }
}
