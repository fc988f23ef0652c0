import { LRUCache } from 'lru-cache'
import type { PublicationStore } from '#store/catalog/publication.ts'

/** Caches expensive results until the next publication of the catalog. */
export type ResultCache<T> = { get(key: string, compute: () => T): T }

/** @param entriesMax maximum number of entries; beyond it, the least recently used one is dropped */
export function createResultCache<T>(
  publication: Pick<PublicationStore, 'getCurrent'>,
  entriesMax = 200,
): ResultCache<T> {
  const entries = new LRUCache<string, NonNullable<T>>({ max: entriesMax })
  let version = 0

  return {
    get(key, compute) {
      const current = publication.getCurrent().version
      if (current !== version) {
        entries.clear()
        version = current
      }
      const cached = entries.get(key)
      if (cached !== undefined) return cached
      const result = compute()
      entries.set(key, result ?? undefined)
      return result
    },
  }
}
