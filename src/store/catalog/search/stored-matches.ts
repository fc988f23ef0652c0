import { LRUCache } from 'lru-cache'
import { type DocumentSet, fromAscending } from '#rules/search/document-sets.ts'
import type { Db } from '../../db.ts'
import { placesOf } from './search-columns.ts'
import type { SearchMatches } from './search-hits.ts'

/** Returns a function that opens the matches of one version of the catalog in FTS5, for as long as they are not in memory. */
export function openStoredMatches(db: Db): (cards: Float64Array) => SearchMatches {
  const any = db
    .prepare<[string], number>('SELECT 1 FROM card_search WHERE card_search MATCH ? LIMIT 1')
    .pluck()
  // Returns one JSON text, because rows cross the driver one by one.
  const ids = db
    .prepare<[string], string>(
      'SELECT json_group_array(rowid) FROM card_search WHERE card_search MATCH ?',
    )
    .pluck()

  return (cards) => {
    const known = new LRUCache<string, DocumentSet>({ max: KNOWN_MAX })
    return {
      exists: (match) => {
        const set = known.get(match.source)
        return set === undefined ? any.get(match.source) !== undefined : set.count > 0
      },
      find({ source }) {
        const found = known.get(source)
        if (found !== undefined) return found
        const places = placesOf(JSON.parse(ids.get(source) ?? '[]'), cards)
        const set = fromAscending(places, cards.length)
        known.set(source, set)
        return set
      },
    }
  }
}

/** A query counts and lists the same few expressions. */
const KNOWN_MAX = 20
