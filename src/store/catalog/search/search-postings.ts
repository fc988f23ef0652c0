import type { Postings } from '#rules/search/evaluate-match.ts'
import { type Db, inSnapshot } from '../../db.ts'

/**
 * The search index of one version of the catalog as flat arrays, which threads share. Documents are
 * numbered by rank, from 1; item 0 of the columns is unused.
 */
export type SearchPostings = {
  /** Version of the catalog; see `readSearchVersion`. */
  version: string
  /** All words in the order of their bytes, one after the other in UTF-8. */
  words: Uint8Array
  /** End of each word in `words`. */
  wordEnds: Uint32Array
  /** Ranks of each word's documents, ascending. */
  ranks: Uint32Array
  /** End of each word's documents in `ranks`. */
  rankEnds: Uint32Array
  cardIds: Float64Array
  /** Cents; -1 if unknown. */
  marketPrices: Float64Array
  nameRanks: Uint32Array
}

/** Returns the version whose documents the index holds. Numbers repeat after a restore, moments do not. */
export function readSearchVersion(db: Db): () => string {
  const version = db
    .prepare<[], string>(`SELECT version || ' of ' || changed_at FROM publication WHERE id = 1`)
    .pluck()
  return () => version.get() ?? ''
}

/** Reads the whole index: some seconds for half a million cards, so a thread of its own does it. */
export function readSearchPostings(db: Db): SearchPostings {
  db.exec(`CREATE VIRTUAL TABLE temp.words_read USING fts5vocab(main, card_search, row);
           CREATE VIRTUAL TABLE temp.documents_read USING fts5vocab(main, card_search, instance)`)
  try {
    return inSnapshot(db, () => ({
      version: readSearchVersion(db)(),
      ...readWords(db),
      ...readColumns(db),
    }))
  } finally {
    db.exec('DROP TABLE temp.words_read; DROP TABLE temp.documents_read')
  }
}

type Word = { term: string; documents: number }

function readWords(db: Db): Pick<SearchPostings, 'words' | 'wordEnds' | 'ranks' | 'rankEnds'> {
  const totals = db
    .prepare<[], { words: number; bytes: number; documents: number }>(
      `SELECT count(*) AS words, coalesce(sum(length(CAST(term AS BLOB))), 0) AS bytes,
              coalesce(sum(doc), 0) AS documents FROM temp.words_read`,
    )
    .get()
  const words = share(Uint8Array, totals?.bytes ?? 0)
  const wordEnds = share(Uint32Array, totals?.words ?? 0)
  const ranks = share(Uint32Array, totals?.documents ?? 0)
  const rankEnds = share(Uint32Array, totals?.words ?? 0)
  const next = db.prepare<[string], Word>(
    `SELECT term, doc AS documents FROM temp.words_read WHERE term >= ? LIMIT ${WORDS_AT_ONCE}`,
  )
  // Reads many documents as a JSON text, because rows cross the driver value by value.
  const documents = db
    .prepare<[string, string], string>(
      'SELECT json_group_array(doc) FROM temp.documents_read WHERE term >= ? AND term <= ?',
    )
    .pluck()
  const encoder = new TextEncoder()
  let [word, byte, document] = [0, 0, 0]
  for (let after = ''; ; ) {
    const found = next.all(after).filter(({ term }) => term !== after)
    if (found.length === 0) return { words, wordEnds, ranks, rankEnds }
    for (const group of groupByDocuments(found)) {
      after = group.at(-1)?.term ?? after
      ranks.set(JSON.parse(documents.get(group[0]?.term ?? '', after) ?? '[]'), document)
      for (const { term, documents: count } of group) {
        byte += encoder.encodeInto(term, words.subarray(byte)).written
        document += count
        wordEnds[word] = byte
        rankEnds[word++] = document
      }
    }
  }
}

const WORDS_AT_ONCE = 10_000

/** Splits words into groups with about DOCUMENTS_AT_ONCE documents: filters are words of many cards. */
function groupByDocuments(words: readonly Word[]): Word[][] {
  const groups: Word[][] = []
  let count = DOCUMENTS_AT_ONCE
  for (const word of words) {
    if (count >= DOCUMENTS_AT_ONCE) {
      groups.push([])
      count = 0
    }
    groups.at(-1)?.push(word)
    count += word.documents
  }
  return groups
}

const DOCUMENTS_AT_ONCE = 100_000

function readColumns(db: Db): Pick<SearchPostings, 'cardIds' | 'marketPrices' | 'nameRanks'> {
  const columns = db
    .prepare<[], [cards: string, prices: string, names: string]>(
      `SELECT json_group_array(card_id), json_group_array(coalesce(market_price, -1)),
              json_group_array(name_rank) FROM (SELECT * FROM search_ranks ORDER BY rank)`,
    )
    .raw()
    .get()
  const [cards = [], prices = [], names = []] = (columns ?? []).map((text): number[] =>
    JSON.parse(text),
  )
  const cardIds = share(Float64Array, cards.length + 1)
  const marketPrices = share(Float64Array, cards.length + 1)
  const nameRanks = share(Uint32Array, cards.length + 1)
  cardIds.set(cards, 1)
  marketPrices.set(prices, 1)
  nameRanks.set(names, 1)
  return { cardIds, marketPrices, nameRanks }
}

function share<T>(
  type: { new (buffer: SharedArrayBuffer): T; BYTES_PER_ELEMENT: number },
  length: number,
): T {
  return new type(new SharedArrayBuffer(length * type.BYTES_PER_ELEMENT))
}

/** Looks up the documents of a word by binary search. */
export function openPostings(index: SearchPostings): Postings {
  const { words, wordEnds, ranks, rankEnds } = index
  const bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength)

  /** Returns the first word that is at least a text, or, past its beginnings, the first that is greater. */
  function find(text: Buffer, isPastBeginnings: boolean): number {
    let [low, high] = [0, wordEnds.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const from = startOf(wordEnds, middle)
      const end = wordEnds[middle] ?? from
      const to = isPastBeginnings ? Math.min(end, from + text.length) : end
      const order = bytes.compare(text, 0, text.length, from, to)
      if (order < 0 || (isPastBeginnings && order === 0)) low = middle + 1
      else high = middle
    }
    return low
  }

  const documentsOf = (word: number) => ranks.subarray(startOf(rankEnds, word), rankEnds[word])

  return {
    documents: index.cardIds.length,
    get(text) {
      const wanted = Buffer.from(text)
      const word = find(wanted, false)
      const from = startOf(wordEnds, word)
      const isFound =
        word < wordEnds.length &&
        bytes.compare(wanted, 0, wanted.length, from, wordEnds[word] ?? from) === 0
      return isFound ? documentsOf(word) : NONE
    },
    listBeginningWith(text) {
      const wanted = Buffer.from(text)
      const first = find(wanted, false)
      return Array.from({ length: find(wanted, true) - first }, (_, at) => documentsOf(first + at))
    },
  }
}

const NONE = new Uint32Array(0)

function startOf(ends: Uint32Array, at: number): number {
  return at === 0 ? 0 : (ends[at - 1] ?? 0)
}
