import type { Deps } from '#deps.ts'
import type { CollectionRow } from '#rules/matching/collection-columns.ts'

/** The sets that a row may mean by its code and its name. */
export type NamedSets = {
  /** Most specific first; undefined if the row names none. */
  tiers: readonly (readonly number[])[] | undefined
  /** Sets that the code and the name both mean, as far as they are known. */
  agreed: readonly number[]
  /** True if only the code is known, and not the name beside it. */
  isSetNameUnknown: boolean
}

/** Parts of a row that name a set, and the slug of its game. */
type SetLabels = Pick<CollectionRow, 'set_code' | 'set_name'> & { game: string | undefined }

/** Returns a function that lists the sets which a row may mean. */
export function createSetLookup({ games, sets }: Pick<Deps['catalog'], 'games' | 'sets'>) {
  const tiersByLabel = new Map<string, readonly (readonly number[])[]>()
  const findTiers = (label: string, game: string | undefined) => {
    const key = `${game} ${label}`
    const gameId = game === undefined ? undefined : games.getBySlugOrId(game)?.id
    const tiers = tiersByLabel.get(key) ?? sets.findTiers(label, gameId)
    tiersByLabel.set(key, tiers)
    return tiers
  }
  return ({ set_code, set_name, game }: SetLabels): NamedSets => {
    const labels = [set_code, set_name].filter((label) => label !== null)
    if (labels.length === 0) return { tiers: undefined, agreed: [], isSetNameUnknown: false }
    const found = labels.map((label) => findTiers(label, game))
    const [ofFirst = [], ofSecond] = found.filter((tiers) => tiers.length > 0)
    const known = ofFirst.flat()
    // A code may mean several sets, of which the name is one, best first. The name of another set outranks it.
    const agreed = ofSecond?.map((ids) => ids.filter((id) => known.includes(id))) ?? []
    const tiers = [...agreed, ...found.toReversed().flat()]
    return {
      tiers: tiers.filter((ids) => ids.length > 0),
      agreed: ofSecond === undefined ? known : agreed.flat(),
      isSetNameUnknown: labels.length > 1 && found[1]?.length === 0,
    }
  }
}
