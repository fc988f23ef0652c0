import { LRUCache } from 'lru-cache'
import { type Db, inSnapshot } from '../db.ts'
import type { PublicationStore } from './publication.ts'

/**
 * Creates a cache for requests of single cards or sets, until the next publication. The lookup in the file is most of
 * the cost of such a request, and few cards get most requests.
 *
 * @param read returns undefined for values that are not cached
 * @param valuesMax maximum number of cached values
 */
export function createRecentCache<Value extends {}>(
  publication: Pick<PublicationStore, 'onChange'>,
  read: (id: number) => Value | undefined,
  valuesMax = RECENT_MAX,
): (id: number) => Value | undefined {
  const open = () => new LRUCache<number, Value>({ max: valuesMax })
  let recent = open()
  publication.onChange(() => {
    recent = open()
  })
  return (id) => {
    // The read may notice a publication; the value then belongs to the old version and is dropped.
    const current = recent
    // Does not mark the value as used, which would cost more than the lookup: the oldest value is dropped first.
    const known = current.peek(id)
    if (known !== undefined) return known
    const value = read(id)
    if (value === undefined) return undefined
    current.set(id, value)
    return value
  }
}

/** A price takes a few hundred bytes, a card about a thousand: 30 MB for both. */
const RECENT_MAX = 20_000

/**
 * Creates a cache of rendered cards in lists. All values of a list belong to one publication, even if another process
 * publishes between two lists.
 *
 * @param read returns values in the order of the ids; unknown cards are skipped
 */
export function createRecentLists<Value extends { id: number }>(
  db: Db,
  publication: Pick<PublicationStore, 'onChange' | 'refresh'>,
  read: (cardIds: readonly number[]) => Value[],
): (cardIds: readonly number[]) => Value[] {
  const recent = new LRUCache<number, Value>({ max: LISTED_MAX })
  publication.onChange(() => recent.clear())
  return (cardIds) =>
    inSnapshot(db, () => {
      publication.refresh()
      const missing = cardIds.filter((id) => !recent.has(id))
      const found = new Map(
        (missing.length === 0 ? [] : read(missing)).map((value) => [value.id, value]),
      )
      const values = cardIds.flatMap((id) => recent.get(id) ?? found.get(id) ?? [])
      for (const [id, value] of found) recent.set(id, value)
      return values
    })
}

/** A search result takes 1 to 2 KB: some 10 MB. */
const LISTED_MAX = 6_000
