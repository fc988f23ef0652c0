import type { ProductType } from '#rules/catalog/catalog-records.ts'
import {
  buildUnits,
  type InterpretedQuery,
  keepMatching,
  listTexts,
  matchUnits,
  splitQuery,
  type Unit,
} from '#rules/search/interpret-query.ts'
import { allOf, except, type TagFilter, tagged } from '#rules/search/match-expressions.ts'
import { type Branch, type Level, listRankLevels, STANDINGS } from '#rules/search/rank-levels.ts'
import { listPrintingWords, type PrintingWords } from '#rules/search/requested-printing.ts'
import { type CardLabels, rateStanding } from '#rules/search/search-document.ts'
import { findRewording } from '#rules/search/shorthand.ts'
import { suggestSpellings, type TermList, type Vocabulary } from '#rules/search/spelling.ts'
import { splitIntoWords, type TypedWord } from '#rules/search/typed-words.ts'
import { type Lexicon, matchWord } from '#rules/search/word-matches.ts'
import { type Db, inSnapshot } from '../../db.ts'
import type { RowWindow } from '../../rows.ts'
import type { RequestedPrintings } from '../cards.ts'
import type { SearchTermRow } from '../schema.ts'
import { openPrintingHits } from './printing-hits.ts'
import { openPrintingOrder } from './printing-order.ts'
import {
  openCatalogVersion,
  openDocumentsVersion,
  openSearchColumns,
  type SearchColumns,
  type SearchOrder,
} from './search-columns.ts'
import {
  ALL_RANKS,
  openSearchHits,
  type RankRange,
  type SearchHits,
  type SearchMatches,
} from './search-hits.ts'
import { openSearchLexicon } from './search-lexicon.ts'
import { openPostingMatches, type SearchPostings } from './search-postings.ts'
import { openStoredMatches } from './stored-matches.ts'
import { openTagFilters } from './tag-filters.ts'

/** Orders of search results, except by relevance and price, as they are stored. */
const ORDERS = {
  name: 'name',
  change_desc: 'rise',
  change_asc: 'fall',
  newest: 'release',
} as const satisfies Record<string, SearchOrder>

export type SearchSort = 'relevance' | 'price_asc' | 'price_desc' | keyof typeof ORDERS

export type CardSearchInput = {
  q: string
  game_id?: number | undefined
  set_id?: number | undefined
  rarity?: string | undefined
  type?: ProductType | undefined
  /** Exact name: only cards that have it, with its price and change instead of the base printing's. */
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
  /** Words that were searched instead, if words occur nowhere. */
  corrected?: string
  /** Words that were left out, because no card has them, or none beside the others. */
  ignored: readonly string[]
  printings: RequestedPrintings
}

/** Units, tags and a range of ranks. */
type Search = {
  hits: SearchHits
  units: readonly Unit[]
  tags: TagFilter
  ranks: RankRange
  /** Printings by whose prices equal matches are sorted; undefined: by the base printing. */
  printings?: PrintingWords
}

/** An interpretation of a query. */
type Interpretation = InterpretedQuery & { corrected?: string }

/** Full-text search over the index that `updateSearch` maintains. */
export type SearchStore = {
  /**
   * Finds cards by words of the name, set, number, rarity, printing, product type and game in any
   * order; the last word may be unfinished. Words that occur nowhere are corrected or ignored.
   */
  find(input: CardSearchInput): CardSearchResult
  /** Answers from memory as long as the catalog has the documents of this index; `undefined` drops it. */
  useInMemory(index: SearchPostings | undefined): void
  /** Tells if the documents of the current version are in memory. */
  isInMemory(): boolean
  /** Drops what was read of an older catalog. */
  invalidate(): void
}

export function openSearchStore(db: Db): SearchStore {
  const readVersion = openCatalogVersion(db)
  const readDocumentsVersion = openDocumentsVersion(db)
  const readColumns = openSearchColumns(db)
  const openStored = openStoredMatches(db)
  const openLexicon = openSearchLexicon(db, (match) => hits.exists(match))
  let memory: { version: string; matches: SearchMatches } | undefined
  // Opened for the version that was searched last.
  let version: string | undefined
  let source: { columns: SearchColumns; matches: SearchMatches }
  let hits: SearchHits
  let lexicon: Lexicon
  const printingOrder = openPrintingOrder(db)
  const printingHits = openPrintingHits(db)
  const findTags = openTagFilters(db)
  const labels = db.prepare<[string], CardLabels & { id: number }>(
    `SELECT cards.id, cards.name, rarity, sets.name AS set_name
       FROM json_each(+?) AS wanted
       CROSS JOIN cards ON cards.id = wanted.value
       JOIN sets ON sets.id = set_id`,
  )
  let lists: readonly TermList[] | undefined
  const terms = db.prepare<[], SearchTermRow>(
    'SELECT length, terms, cards, letters FROM search_terms',
  )

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
        // Relevance needs no price, so results may show that of the printing asked for.
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
      lists = undefined
      version = undefined
    },
  }

  /** Opens the hits of a version, within its snapshot, unless they are open. */
  function openVersion(wanted: string): void {
    if (version === wanted) return
    const columns = readColumns()
    const isCurrent = memory?.version === readDocumentsVersion()
    const matches = (isCurrent && memory?.matches) || openStored(columns.cards)
    source = { columns, matches }
    hits = openSearchHits(columns, matches)
    lexicon = openLexicon()
    version = wanted
  }

  /** Interprets the words, whatever the filters exclude. */
  function interpret(q: string): Interpretation {
    const { words, ignored } = splitQuery(q, lexicon)
    const units = buildUnits(words, lexicon)
    const unknown = units.filter(({ match }) => !lexicon.exists(match))
    const corrected = unknown.length === 0 ? undefined : correct(words, unknown)
    if (corrected !== undefined)
      return { ...corrected, ignored: [...ignored, ...corrected.ignored] }
    const left = unknown.flatMap(listTexts)
    // The words that remain may form other phrases.
    const known = words.filter(({ text }) => !left.includes(text))
    const kept = keepMatching(unknown.length === 0 ? units : buildUnits(known, lexicon), lexicon)
    return { units: kept.units, ignored: [...ignored, ...left, ...kept.ignored] }
  }

  /** Returns the first other spelling of the unknown words by which all words are found together. */
  function correct(
    words: readonly TypedWord[],
    unknown: readonly Unit[],
  ): Interpretation | undefined {
    const texts = words.map(({ text }) => text)
    const misspelled = unknown.flatMap(listTexts)
    for (const { words: respelled, ignored } of suggestSpellings(texts, misspelled, vocabulary())) {
      const corrected = respelled.join(' ')
      const units = buildUnits(splitIntoWords(corrected), lexicon)
      if (units.length > 0 && lexicon.exists(matchUnits(units)))
        return { units, ignored, corrected }
    }
    return undefined
  }

  /** Returns the hits of the whole catalog, or among the cards that have the printing of the filter. */
  function findHits(found: Pick<Search, 'units' | 'tags'>, { printing }: CardSearchInput) {
    return printing === undefined ? hits : printingHits(printing, formatMatch(found), source)
  }

  /**
   * Sorts and filters by the prices of the printings that the words ask for.
   *
   * @returns undefined without such printings or prices, and for more cards than can be sorted at once
   */
  function answerByPrinting(
    found: Omit<Search, 'ranks'>,
    input: CardSearchInput,
    { words, exact }: RequestedPrintings,
  ): { ids: number[]; total: number } | undefined {
    const { sort, min_price, max_price, limit, offset } = input
    if (words.length === 0 || exact !== undefined) return undefined
    if (sort in ORDERS && !isPriceFilter(input)) return undefined
    const search = { ...found, ranks: ALL_RANKS, printings: words }
    if (search.hits.count(formatMatch(search), ALL_RANKS) > PRINTING_CARDS_MAX) return undefined
    const everything = { ...input, limit: PRINTING_CARDS_MAX, offset: 0 }
    const ids = printingOrder.select(listIds(search, everything), {
      ...{ words, min_price, max_price },
      sort: sort === 'price_asc' || sort === 'price_desc' ? sort : undefined,
    })
    return { ids: ids.slice(offset, offset + limit), total: ids.length }
  }

  function answer(search: Search, input: CardSearchInput): { ids: number[]; total: number } {
    const match = formatMatch(search)
    // A first page that is not full contains everything. For relevance, which runs several queries,
    // counting first is cheaper.
    const early =
      input.offset === 0 && input.sort !== 'relevance' ? listIds(search, input) : undefined
    const isAll = early !== undefined && early.length < input.limit
    const total = isAll ? early.length : search.hits.count(match, search.ranks)
    // Ends the walk with the last match.
    const limit = Math.max(0, Math.min(input.limit, total - input.offset))
    return { ids: early ?? (limit > 0 ? listIds(search, { ...input, limit }) : []), total }
  }

  function listIds(search: Search, input: CardSearchInput): number[] {
    const match = formatMatch(search)
    switch (input.sort) {
      case 'relevance':
        return listByRelevance(search, input)
      case 'price_desc':
        return search.hits.listByPriceDesc(match, search.ranks, input)
      case 'price_asc':
        return search.hits.listByPriceAsc(match, search.ranks, input)
      default:
        return search.hits.listInOrder(ORDERS[input.sort], match, search.ranks, input)
    }
  }

  /** Walks the levels depth first, without the branches that have no match, until the page is full. */
  function listByRelevance(search: Search, { limit, offset }: RowWindow): number[] {
    const match = formatMatch(search)
    const ids: number[] = []
    let skip = offset
    const walk = ([level, ...deeper]: readonly Level[], branch: Branch): void => {
      if (level === undefined) {
        const { rows, skipped } = listBranch(formatBranch(match, branch), search, {
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
        const isEmpty = deeper.length > 0 && !search.hits.exists(formatBranch(match, inner))
        if (!isEmpty) walk(deeper, inner)
      }
    }
    walk(listRankLevels(search.units, lexicon), { with: [], without: [] })
    return ids
  }

  /** Lists the cards of a branch by standing, then by price. */
  function listBranch(
    match: string,
    { hits, ranks, printings }: Search,
    { limit, offset }: RowWindow,
  ): { rows: number[]; skipped: number } {
    const rows = hits.listByPriceDesc(match, ranks, { limit: limit + 1, offset })
    if (offset > 0 && rows.length === 0) return { rows, skipped: hits.count(match, ranks) }
    // A branch of one page is sorted here, and few pages hold other cards than ordinary ones: that is
    // one query instead of one for each standing.
    if (offset === 0 && rows.length <= limit) {
      return { rows: sortByStanding(byPrinting(rows, printings)), skipped: 0 }
    }
    if (offset === 0 && areOrdinary(rows.slice(0, limit))) {
      return { rows: rows.slice(0, limit), skipped: 0 }
    }
    let skip = offset
    const page: number[] = []
    for (const standing of STANDINGS) {
      const own = formatBranch(match, standing)
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

  /** Returns undefined if no card is in the price range. */
  function findRanks(
    hits: SearchHits,
    { min_price, max_price }: CardSearchInput,
  ): RankRange | undefined {
    if (min_price === undefined && max_price === undefined) return ALL_RANKS
    return hits.findRanks(min_price ?? 0, max_price ?? Number.POSITIVE_INFINITY)
  }

  function vocabulary(): Vocabulary {
    lists ??= terms.all().map(({ length, terms, cards, letters }) => {
      return { length, terms, cards: toNumbers(cards), letters: toNumbers(letters) }
    })
    return {
      lists,
      isWord: (text) => isKnown(text, false),
      isBeginning: (text) => isKnown(text, true),
    }
  }

  function isKnown(text: string, isUnfinished: boolean): boolean {
    const words = splitIntoWords(text)
    if (words.length === 0) return false
    if (findRewording([text], 0) !== undefined) return true
    const options = { isUnfinished, isAlone: false, mayBeTotal: false }
    return lexicon.exists(allOf(words.map((one) => matchWord(one, options, lexicon))))
  }
}

function isPriceFilter({ min_price, max_price }: CardSearchInput): boolean {
  return min_price !== undefined || max_price !== undefined
}

/** Maximum number of cards that are sorted by the price of a printing: some milliseconds. */
const PRINTING_CARDS_MAX = 2_000

function formatMatch({ units, tags }: Pick<Search, 'units' | 'tags'>): string {
  return tagged(matchUnits(units), tags)
}

function joinBranches(outer: Branch, inner: Branch): Branch {
  return {
    with: [...outer.with, ...inner.with],
    without: [...outer.without, ...inner.without],
  }
}

function formatBranch(match: string, branch: Branch): string {
  return except(allOf([match, ...branch.with]), branch.without)
}

/** Copies a blob into numbers, because it may begin at any offset. */
function toNumbers(blob: Buffer): Uint32Array {
  return new Uint32Array(new Uint8Array(blob).buffer)
}
