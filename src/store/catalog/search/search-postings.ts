import { LRUCache } from 'lru-cache'
import { type DocumentSet, numbersIn } from '#rules/search/document-sets.ts'
import { evaluateMatch, type Postings } from '#rules/search/evaluate-match.ts'
import type { Match } from '#rules/search/match-expressions.ts'
import { type Db, inSnapshot } from '../../db.ts'
import { openDocumentsVersion, openSearchColumns, placesOf } from './search-columns.ts'
import type { SearchMatches } from './search-hits.ts'

/**
 * The words of all documents as flat arrays, which threads share. Documents are the places of their cards in
 * `SearchColumns`. Price changes do not affect them.
 */
export type SearchPostings = {
  /** Version of the documents. */
  version: string
  /** Number of cards. */
  cards: number
  /** All words in byte order, concatenated in UTF-8. */
  words: Uint8Array
  /** End of each word in `words`. */
  wordEnds: Uint32Array
  /** Documents of each word, ascending. */
  documents: Uint32Array
  /** End of each word's documents in `documents`. */
  documentEnds: Uint32Array
}

/** Reads the whole index in a separate thread, because half a million cards take some seconds. */
export function readSearchPostings(db: Db): SearchPostings {
  db.exec(`CREATE VIRTUAL TABLE temp.words_read USING fts5vocab(main, card_search, row);
           CREATE VIRTUAL TABLE temp.documents_read USING fts5vocab(main, card_search, instance)`)
  try {
    return inSnapshot(db, () => {
      const { cards } = openSearchColumns(db)()
      const version = openDocumentsVersion(db)()
      return { version, cards: cards.length, ...readWords(db, cards) }
    })
  } finally {
    db.exec('DROP TABLE temp.words_read; DROP TABLE temp.documents_read')
  }
}

type Word = { term: string; documents: number }

function readWords(
  db: Db,
  cards: Float64Array,
): Pick<SearchPostings, 'words' | 'wordEnds' | 'documents' | 'documentEnds'> {
  const totals = db
    .prepare<[], { words: number; bytes: number; documents: number }>(
      `SELECT count(*) AS words, coalesce(sum(length(CAST(term AS BLOB))), 0) AS bytes,
              coalesce(sum(doc), 0) AS documents FROM temp.words_read`,
    )
    .get()
  const words = share(Uint8Array, totals?.bytes ?? 0)
  const wordEnds = share(Uint32Array, totals?.words ?? 0)
  const documents = share(Uint32Array, totals?.documents ?? 0)
  const documentEnds = share(Uint32Array, totals?.words ?? 0)
  const next = db.prepare<[string], Word>(
    `SELECT term, doc AS documents FROM temp.words_read WHERE term >= ? LIMIT ${WORDS_AT_ONCE}`,
  )
  // Reads many documents as a JSON text, because rows cross the driver value by value.
  const idsBetween = db
    .prepare<[string, string], string>(
      'SELECT json_group_array(doc) FROM temp.documents_read WHERE term >= ? AND term <= ?',
    )
    .pluck()
  const encoder = new TextEncoder()
  let [word, byte, document] = [0, 0, 0]
  for (let after = ''; ; ) {
    const found = next.all(after).filter(({ term }) => term !== after)
    if (found.length === 0) return { words, wordEnds, documents, documentEnds }
    for (const group of groupByDocuments(found)) {
      after = group.at(-1)?.term ?? after
      const ids: number[] = JSON.parse(idsBetween.get(group[0]?.term ?? '', after) ?? '[]')
      let read = 0
      for (const { term, documents: count } of group) {
        byte += encoder.encodeInto(term, words.subarray(byte)).written
        documents.set(placesOf(ids.slice(read, read + count), cards), document)
        read += count
        document += count
        wordEnds[word] = byte
        documentEnds[word++] = document
      }
    }
  }
}

const WORDS_AT_ONCE = 10_000

/** Splits words into groups with about DOCUMENTS_AT_ONCE documents, because filters are words of many cards. */
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

function share<T>(
  type: { new (buffer: SharedArrayBuffer): T; BYTES_PER_ELEMENT: number },
  length: number,
): T {
  return new type(new SharedArrayBuffer(length * type.BYTES_PER_ELEMENT))
}

/** Opens the matches of an index in memory. */
export function openPostingMatches(index: SearchPostings): SearchMatches {
  const find = openMatchEvaluator(openPostings(index))
  return { find, exists: (match) => find(match).count > 0 }
}

/** Returns a function that evaluates expressions and caches the results of their parts. */
export function openMatchEvaluator(postings: Postings): (match: Match) => DocumentSet {
  // Most parts of an expression occur again in the same query, and in the query with one more letter.
  const known = new LRUCache<string, DocumentSet>({
    maxSize: KNOWN_MAX,
    sizeCalculation: (set) => ENTRY_SIZE + numbersIn(set),
  })
  function find(match: Match): DocumentSet {
    const found = known.get(match.source)
    if (found !== undefined) return found
    const set = evaluateMatch(match, postings, find)
    // The list of a single word is in the index, so only its bits are cached.
    if (match.kind !== 'token' || set.kind === 'bits') known.set(match.source, set)
    return set
  }
  return find
}

/** Maximum total of numbers in cached results: some 8 MB. */
const KNOWN_MAX = 2_000_000

/** Cost of the text of an expression, as a count of numbers. */
const ENTRY_SIZE = 100

/** Looks up the documents of a word by binary search. */
function openPostings(index: SearchPostings): Postings {
  const { words, wordEnds, documents, documentEnds } = index
  const bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength)

  /** Returns the first word that is at least a text; with `past`, the first word after those that begin with it. */
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

  const documentsOf = (word: number) =>
    documents.subarray(startOf(documentEnds, word), documentEnds[word])

  return {
    documents: index.cards,
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
