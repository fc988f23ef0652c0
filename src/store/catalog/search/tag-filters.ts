import type { ProductType } from '#rules/catalog/catalog-records.ts'
import type { TagFilter } from '#rules/search/match-expressions.ts'
import type { Db } from '../../db.ts'

type FilteredInput = {
  game_id?: number | undefined
  set_id?: number | undefined
  rarity?: string | undefined
  type?: ProductType | undefined
}

/** Returns a function that finds the tags of filters; undefined if no card has the value of one. */
export function openTagFilters(db: Db): (input: FilteredInput) => TagFilter | undefined {
  const tag = db
    .prepare<[string, string], string>('SELECT tag FROM search_tags WHERE kind = ? AND value = ?')
    .pluck()

  return ({ game_id, set_id, rarity, type }) => {
    const needed: string[][] = []
    const wanted = [
      ['game', game_id],
      ['set', set_id],
      ['rarity', rarity?.toLowerCase()],
    ] as const
    for (const [kind, value] of wanted) {
      if (value === undefined) continue
      const found = tag.get(kind, String(value))
      if (found === undefined) return undefined
      needed.push([found])
    }
    const sealed = type === undefined ? undefined : tag.get('type', 'Sealed Products')
    if (sealed === undefined) return { with: needed, without: [] }
    if (type === 'Cards') return { with: needed, without: [sealed] }
    return { with: [...needed, [sealed]], without: [] }
  }
}
