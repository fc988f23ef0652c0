import { LRUCache } from 'lru-cache'
import { intersectPostings } from '#rules/catalog/trigrams.ts'
import type { Db } from '../db.ts'

/** The packed lists of the names that contain a trigram (rules/catalog/trigrams.ts). */
export type TrigramLists = {
  /** Returns the indexes from `first` on that are in the lists of the rarest of these trigrams. */
  inAll(trigrams: readonly number[], first: number): number[]
  /** Drops the cached lists of an older catalog. */
  forget(): void
}

/** Reads lists on demand, and unpacks only the shortest. */
export function openTrigramLists(db: Db): TrigramLists {
  const listOf = db
    .prepare<[number], Uint8Array>('SELECT places FROM card_name_trigrams WHERE trigram = ?')
    .pluck()
  // Queries read the same lists repeatedly. Those of half a million cards have 10 MB.
  const known = new LRUCache<number, Uint8Array>({
    maxSize: LISTS_BYTES_MAX,
    sizeCalculation: (places) => places.length + ENTRY_BYTES,
  })

  function list(trigram: number): Uint8Array {
    const seen = known.get(trigram)
    if (seen !== undefined) return seen
    const read = listOf.get(trigram)
    // Unknown trigrams are not cached, because a client can send any number of them.
    if (read !== undefined) known.set(trigram, read)
    return read ?? NO_PLACES
  }

  return {
    inAll(trigrams, first) {
      const lists = trigrams.map(list).sort((a, b) => a.length - b.length)
      return intersectPostings(lists.slice(0, LISTS_MAX)).filter((place) => place >= first)
    },
    forget: () => known.clear(),
  }
}

/** More than twice the size for half a million cards. */
const LISTS_BYTES_MAX = 24_000_000

/** Size of an entry in addition to its list. */
const ENTRY_BYTES = 100

const NO_PLACES = new Uint8Array(0)

/** Number of lists to intersect: more lists mean fewer names to check. */
const LISTS_MAX = 3
