import type { Publication } from '#store/catalog/publication.ts'

/**
 * Keeps answers that are dear to make for as long as the same catalog is published. The oldest go
 * first when there are too many.
 */
export function createResultCache<T>(publication: { getCurrent(): Publication }, entriesMax = 200) {
  const entries = new Map<string, T>()
  let version = 0

  return {
    get(key: string, make: () => T): T {
      const now = publication.getCurrent().version
      if (now !== version) {
        entries.clear()
        version = now
      }
      const known = entries.get(key)
      if (known !== undefined) return known
      const made = make()
      if (entries.size >= entriesMax) {
        const oldest = entries.keys().next()
        if (!oldest.done) entries.delete(oldest.value)
      }
      entries.set(key, made)
      return made
    },
  }
}
