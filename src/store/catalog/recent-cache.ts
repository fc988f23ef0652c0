import type { PublicationStore } from './publication.ts'

/**
 * Creates a cache of what is asked about single cards, until the next publication. The look-up in the file
 * is most of the cost of such a request, and few cards get most requests.
 *
 * @param read returns undefined for what is not cached
 */
export function createRecentCache<Value>(
  publication: Pick<PublicationStore, 'onChange'>,
  read: (cardId: number) => Value | undefined,
): (cardId: number) => Value | undefined {
  let recent = new Map<number, Value>()
  publication.onChange(() => {
    recent = new Map()
  })
  return (cardId) => {
    // Reading may notice a publication: then the value is of the version that is forgotten.
    const current = recent
    const known = current.get(cardId)
    if (known !== undefined) return known
    const value = read(cardId)
    if (value === undefined) return undefined
    if (current.size >= RECENT_MAX) current.clear()
    current.set(cardId, value)
    return value
  }
}

/** Prices take a few hundred bytes, a card about a thousand: 30 MB for both. */
const RECENT_MAX = 20_000
