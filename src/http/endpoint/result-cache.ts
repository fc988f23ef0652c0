import { LRUCache } from 'lru-cache'
import { nextTurn } from '#actions/cooperative-loop.ts'
import type { PublicationStore } from '#store/catalog/publication.ts'

/** Caches expensive results until the next publication of the catalog. */
export type ResultCache<T> = {
  get(key: string, compute: () => T): T
  /** Like `get`, but computes in a turn of the event loop of its own: for results that take milliseconds. */
  getInTurn(key: string, compute: () => T): Promise<T>
}

/** @param entriesMax maximum number of entries; beyond it, the least recently used one is dropped */
export function createResultCache<T>(
  publication: Pick<PublicationStore, 'getCurrent'>,
  entriesMax = 200,
): ResultCache<T> {
  const entries = new LRUCache<string, NonNullable<T>>({ max: entriesMax })
  let version = 0

  function find(key: string): T | undefined {
    const current = publication.getCurrent().version
    if (current !== version) {
      entries.clear()
      version = current
    }
    return entries.get(key)
  }

  function get(key: string, compute: () => T): T {
    const cached = find(key)
    if (cached !== undefined) return cached
    const result = compute()
    entries.set(key, result ?? undefined)
    return result
  }

  return {
    get,
    async getInTurn(key, compute) {
      const cached = find(key)
      if (cached !== undefined) return cached
      await nextTurn()
      return get(key, compute)
    },
  }
}
