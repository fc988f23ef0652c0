import type { NameHit } from '#store/catalog/names.ts'
import type { Effort } from './line-effort.ts'
import type { NameIndex } from './name-index.ts'

/** Returns a function that caches the lookups of an index for one line, whose readings need the same ones. */
export function createLookups(effort: Effort): (index: NameIndex) => NameIndex {
  const known = new Map<NameIndex, NameIndex>()
  return (index) => {
    const cached = known.get(index) ?? cacheLookups(index, effort)
    known.set(index, cached)
    return cached
  }
}

/** Reading a name takes as long as so many comparisons. */
const HIT_COST = 20

function cacheLookups(index: NameIndex, effort: Effort): NameIndex {
  const known = new Map<string, { hits: NameHit[]; limit: number }>()
  const once = (key: string, find: () => NameHit[], limit = Number.POSITIVE_INFINITY) => {
    const seen = known.get(key)
    if (seen !== undefined && (seen.limit >= limit || seen.hits.length < seen.limit)) {
      return seen.hits.slice(0, limit)
    }
    const hits = find()
    known.set(key, { hits, limit })
    return hits
  }
  /** A line without effort left finds nothing new but whole names. */
  const search = (key: string, find: () => NameHit[], limit?: number) =>
    once(
      key,
      () => {
        if (!effort.spend(index.searchCost())) return []
        const hits = find()
        effort.spend(hits.length * HIT_COST)
        return hits
      },
      limit,
    )
  return {
    ...index,
    exact: (bare) => once(`exact ${bare}`, () => index.exact(bare)),
    printed: (bare) => once(`printed ${bare}`, () => index.printed(bare)),
    startingWith: (bare, limit) =>
      search(`starting ${bare}`, () => index.startingWith(bare, limit), limit),
    containing: (bare, limit) =>
      search(`containing ${bare}`, () => index.containing(bare, limit), limit),
    similar: (bare, faults) =>
      search(`similar ${faults} ${bare}`, () => index.similar(bare, faults)),
    sharingWord: (text) => search(`sharing ${text}`, () => index.sharingWord(text)),
  }
}
