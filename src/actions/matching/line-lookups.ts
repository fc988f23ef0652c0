import type { NameHit } from '#store/catalog/names.ts'
import type { Effort } from './line-effort.ts'
import type { NameIndex, WholeKind } from './name-index.ts'

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
const HIT_COST = 30

/** Finding a whole name in the catalog. */
const WHOLE_COST = 200

function cacheLookups(index: NameIndex, effort: Effort): NameIndex {
  const { costs } = index
  const known = new Map<string, { hits: NameHit[]; limit: number }>()
  let isRead = false
  const once = (key: string, find: () => NameHit[], limit = Number.POSITIVE_INFINITY) => {
    const seen = known.get(key)
    if (seen !== undefined && (seen.limit >= limit || seen.hits.length < seen.limit)) {
      return seen.hits.length > limit ? seen.hits.slice(0, limit) : seen.hits
    }
    const hits = find()
    known.set(key, { hits, limit })
    return hits
  }
  const whole = (bare: string, kind: WholeKind, find: (bare: string) => NameHit[]) =>
    once(`${kind} ${bare}`, () => {
      const hasEffort = effort.spendOnWhole(costs.whole?.(bare, kind) ?? WHOLE_COST)
      return hasEffort || costs.whole === undefined ? find(bare) : []
    })
  /** A line without effort left finds nothing new but whole names of the catalog. */
  const search = (key: string, cost: () => number, find: () => NameHit[], limit?: number) =>
    once(
      key,
      () => {
        if (!effort.spend(isRead ? cost() : cost() + costs.read())) return []
        isRead = true
        const hits = find()
        effort.count(hits.length * HIT_COST)
        return hits
      },
      limit,
    )
  return {
    ...index,
    exact: (bare) => whole(bare, 'called', index.exact),
    printed: (bare) => whole(bare, 'printed', index.printed),
    startingWith: (bare, limit) =>
      search(
        `starting ${bare}`,
        () => costs.startingWith(bare),
        () => index.startingWith(bare, limit),
        limit,
      ),
    containing: (bare, limit) =>
      search(
        `containing ${bare}`,
        () => costs.containing(bare),
        () => index.containing(bare, limit),
        limit,
      ),
    similar: (bare, faults) =>
      search(
        `similar ${faults} ${bare}`,
        () => costs.similar(bare, faults),
        () => index.similar(bare, faults),
      ),
    sharingWord: (text) =>
      search(
        `sharing ${text}`,
        () => costs.sharingWord(),
        () => index.sharingWord(text),
      ),
  }
}
