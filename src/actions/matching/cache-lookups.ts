import type { NameHit } from '#store/catalog/names.ts'
import type { NameIndex } from './name-lookup.ts'

/** Caches the lookups of one line, whose readings ask for the same names in several ways. */
export function cacheLookups(index: NameIndex): NameIndex {
  const known = new Map<string, NameHit[]>()
  const once = (key: string, find: () => NameHit[]): NameHit[] => {
    const hits = known.get(key) ?? find()
    known.set(key, hits)
    return hits
  }
  return {
    exact: (bare) => once(`exact ${bare}`, () => index.exact(bare)),
    printed: (bare) => once(`printed ${bare}`, () => index.printed(bare)),
    startingWith: (bare, limit) =>
      once(`starting ${limit} ${bare}`, () => index.startingWith(bare, limit)),
    containing: (bare, limit) =>
      once(`containing ${limit} ${bare}`, () => index.containing(bare, limit)),
    similar: (bare, faults) => once(`similar ${faults} ${bare}`, () => index.similar(bare, faults)),
    sharingWord: (text) => index.sharingWord(text),
  }
}
