import type { ProductType } from '#rules/catalog/catalog-records.ts'
import {
  matchExpression,
  parseQuery,
  relevanceExpressions,
  type SearchQuery,
  type TagFilter,
  taggedExpression,
  wholeWordExpression,
} from '#rules/search/search-text.ts'
import { suggestSpellings, type TermList, type Vocabulary } from '#rules/search/spelling.ts'
import { type Db, inSnapshot } from '../db.ts'
import type { RowWindow } from '../rows.ts'
import type { SearchTermRow } from './schema.ts'
import { ALL_RANKS, openSearchHits, type RankRange } from './search-hits.ts'

export type SearchSort = 'relevance' | 'price_asc' | 'price_desc' | 'name'

export type CardSearchInput = {
  q: string
  game_id?: number | undefined
  set_id?: number | undefined
  rarity?: string | undefined
  type?: ProductType | undefined
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
  /** Words that were searched instead, if nothing matched the input. */
  corrected?: string
}

/** Words, tags and a range of ranks; without words everything with the tags matches. */
type Search = { query: SearchQuery | undefined; tags: TagFilter; ranks: RankRange }

/** Maximum number of tags that a run of words may name; more would be ambiguous. */
const TAGS_MAX = 60
/** Maximum number of words in the name of a set. */
const RUN_MAX = 4
/** Number of respellings that are also tried as set names: each costs as much as all others. */
const RESPELLED_BY_TAGS = 2

/** Full-text search over the index that `rebuildSearch` builds. */
export type SearchStore = {
  /**
   * Finds cards that have all words of `q`; the last word may be unfinished. Without a match, some
   * words are tried as the name of a set, a rarity or a game, and then as misspelled words.
   */
  find(input: CardSearchInput): CardSearchResult
  /** Drops the vocabulary of an older catalog. */
  invalidate(): void
}

export function openSearchStore(db: Db): SearchStore {
  const hits = openSearchHits(db)
  const tag = db
    .prepare<[string, string], string>('SELECT tag FROM search_tags WHERE kind = ? AND value = ?')
    .pluck()
  // Ranks descend with the price: the first is the most expensive.
  const firstRankUpTo = db
    .prepare<[number], number>(
      `SELECT first_rank FROM search_prices WHERE market_price <= ?
        ORDER BY market_price DESC LIMIT 1`,
    )
    .pluck()
  const lastRankFrom = db
    .prepare<[number], number>(
      'SELECT last_rank FROM search_prices WHERE market_price >= ? ORDER BY market_price LIMIT 1',
    )
    .pluck()
  const tagsByName = db
    .prepare<[string, number], string>(
      `SELECT tag FROM tag_search CROSS JOIN search_tags ON search_tags.id = tag_search.rowid
        WHERE tag_search MATCH +? LIMIT +?`,
    )
    .pluck()
  let lists: readonly TermList[] | undefined
  const terms = db.prepare<[], SearchTermRow>(
    'SELECT length, terms, cards, letters FROM search_terms',
  )

  return {
    find: (input) =>
      inSnapshot(db, () => {
        const query = parseQuery(input.q)
        const tags = findTags(input)
        const rankRange = findRanks(input)
        if (query === undefined || tags === undefined || rankRange === undefined) return nothing()
        const search = { query, tags, ranks: rankRange }
        const found = answer(search, input)
        if (found !== undefined) return found
        // Cards that are only excluded by a filter were spelled correctly.
        if (isFiltered(search) && hits.exists(matchExpression(query))) return nothing()
        return answerByTags(search, input) ?? answerRespelled(search, input) ?? nothing()
      }),
    invalidate() {
      lists = undefined
    },
  }

  /** Returns undefined if nothing matches on any page. */
  function answer(search: Search, input: CardSearchInput): CardSearchResult | undefined {
    // A first page that is not full contains everything. For relevance, which runs several queries,
    // counting first is cheaper.
    const early =
      input.offset === 0 && input.sort !== 'relevance' ? listIds(search, input) : undefined
    const isAll = early !== undefined && early.length < input.limit
    const total = isAll ? early.length : hits.count(formatMatch(search), search.ranks)
    if (total === 0) return undefined
    return { ids: early ?? (input.offset < total ? listIds(search, input) : []), total }
  }

  function listIds(search: Search, input: CardSearchInput): number[] {
    switch (input.sort) {
      case 'relevance':
        return byRelevance(search, input)
      case 'price_desc':
        return hits.listByPriceDesc(formatMatch(search), search.ranks, input)
      case 'price_asc':
        return hits.listByPriceAsc(formatMatch(search), search.ranks, input)
      case 'name':
        return hits.listByName(formatMatch(search), search.ranks, input)
    }
  }

  function byRelevance({ query, tags, ranks }: Search, { limit, offset }: RowWindow): number[] {
    if (query === undefined) {
      return hits.listByPriceDesc(taggedExpression(undefined, tags), ranks, { limit, offset })
    }
    const ids: number[] = []
    let skip = offset
    for (const tier of relevanceExpressions(query)) {
      const match = taggedExpression(tier, tags)
      const found = hits.listByPriceDesc(match, ranks, { limit: limit - ids.length, offset: skip })
      ids.push(...found)
      if (ids.length === limit) break
      skip = ids.length > 0 || skip === 0 ? 0 : skip - hits.count(match, ranks)
    }
    return ids
  }

  /** Returns undefined if no card has the value of a filter. */
  function findTags({ game_id, set_id, rarity, type }: CardSearchInput): TagFilter | undefined {
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
    const sealed = tag.get('type', 'Sealed Products')
    if (type === undefined || sealed === undefined) return { with: needed, without: [] }
    if (type === 'Cards') return { with: needed, without: [sealed] }
    return { with: [...needed, [sealed]], without: [] }
  }

  /** Returns undefined if no card is in the price range. */
  function findRanks({ min_price, max_price }: CardSearchInput): RankRange | undefined {
    if (min_price === undefined && max_price === undefined) return ALL_RANKS
    const first = max_price === undefined ? 1 : firstRankUpTo.get(max_price)
    const last = lastRankFrom.get(min_price ?? 0)
    return first === undefined || last === undefined || first > last ? undefined : { first, last }
  }

  /** Reads the first or last words as a set, rarity or game; undefined if no card matches. */
  function answerByTags(
    { query, tags, ranks }: Search,
    input: CardSearchInput,
  ): CardSearchResult | undefined {
    if (query === undefined) return undefined
    for (const { run, rest } of splitRuns(query)) {
      const called = tagsByName.all(matchExpression(run), TAGS_MAX + 1)
      if (called.length === 0 || called.length > TAGS_MAX) continue
      if (!hits.exists(formatMatch({ query: rest, tags: { with: [called], without: [] } })))
        continue
      const both = { with: [...tags.with, called], without: tags.without }
      return answer({ query: rest, tags: both, ranks }, input) ?? nothing()
    }
    return undefined
  }

  /** Searches for words that are spelled like those that were typed. */
  function answerRespelled(
    { query, tags, ranks }: Search,
    input: CardSearchInput,
  ): CardSearchResult | undefined {
    if (query === undefined) return undefined
    // Corrects the parts of `blue-eyess`, but never a number.
    const words = query.words.flatMap(({ text, parts }) =>
      /[0-9]/.test(text) ? [text] : parts.map(({ raw }) => raw),
    )
    for (const [at, respelled] of suggestSpellings(words, vocabulary()).entries()) {
      const corrected = respelled.join(' ')
      const attempt = { query: parseQuery(corrected), tags, ranks }
      const found =
        answer(attempt, input) ??
        (at < RESPELLED_BY_TAGS ? answerByTags(attempt, input) : undefined)
      if (found !== undefined && found.total > 0) return { ...found, corrected }
    }
    return undefined
  }

  function vocabulary(): Vocabulary {
    lists ??= terms.all().map(({ length, terms, cards, letters }) => {
      return { length, terms, cards: toNumbers(cards), letters: toNumbers(letters) }
    })
    return {
      lists,
      isWord: (word) => isKnown(word, wholeWordExpression),
      isBeginning: (word) => isKnown(word, matchExpression),
    }
  }

  function isKnown(word: string, matchFor: (query: SearchQuery) => string): boolean {
    const query = parseQuery(word)
    if (query === undefined) return false
    const match = matchFor(query)
    return hits.exists(match) || tagsByName.get(match, 1) !== undefined
  }
}

function nothing(): CardSearchResult {
  return { ids: [], total: 0 }
}

function isFiltered({ tags, ranks }: Search): boolean {
  return tags.with.length > 0 || tags.without.length > 0 || ranks !== ALL_RANKS
}

function formatMatch({ query, tags }: Pick<Search, 'query' | 'tags'>): string {
  return taggedExpression(query && matchExpression(query), tags)
}

type Run = { run: SearchQuery; rest: SearchQuery | undefined }

/** Splits a query into first or last words and the rest, longest first. */
function splitRuns({ words, isFinished }: SearchQuery): Run[] {
  const runs: Run[] =
    words.length > RUN_MAX ? [] : [{ run: { words, isFinished }, rest: undefined }]
  for (let length = Math.min(RUN_MAX, words.length - 1); length > 0; length--) {
    // Only the part that was typed last may be unfinished.
    runs.push(
      {
        run: { words: words.slice(-length), isFinished },
        rest: { words: words.slice(0, -length), isFinished: true },
      },
      {
        run: { words: words.slice(0, length), isFinished: true },
        rest: { words: words.slice(length), isFinished },
      },
    )
  }
  return runs
}

/** Copies a blob into numbers, because it may begin at any offset. */
function toNumbers(blob: Buffer): Uint32Array {
  return new Uint32Array(new Uint8Array(blob).buffer)
}
