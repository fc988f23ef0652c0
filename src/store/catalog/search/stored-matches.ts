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
    const known = new Map<string, DocumentSet>()
    return {
      exists: (match) => {
        const set = known.get(match)
        return set === undefined ? any.get(match) !== undefined : set.count > 0
      },
      find(match) {
        const found = known.get(match)
        if (found !== undefined) return found
        const places = placesOf(JSON.parse(ids.get(match) ?? '[]'), cards)
        const set = fromAscending(places, cards.length)
        if (known.size >= KNOWN_MAX) known.clear()
        known.set(match, set)
        return set
      },
    }
  }
}

/** A query counts and lists the same few expressions. */
const KNOWN_MAX = 20
