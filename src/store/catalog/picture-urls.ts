import type { Db } from '../db.ts'

/**
 * Where the catalog says that pictures are, as it has them from the upstream: absolute, or relative to
 * the folders of the catalog. Null: there is no picture; undefined: there is no such row.
 */
export function openPictureUrlStore(db: Db) {
  const ofCard = db.prepare<[number], string | null>('SELECT image_url FROM cards WHERE id = ?')
  const ofSet = db.prepare<[number], string | null>('SELECT image_url FROM sets WHERE id = ?')
  const ofGame = db.prepare<[string], string | null>('SELECT image_url FROM games WHERE slug = ?')
  for (const statement of [ofCard, ofSet, ofGame]) statement.pluck()

  return {
    getForCard: (id: number) => ofCard.get(id),
    getForSet: (id: number) => ofSet.get(id),
    getForGame: (slug: string) => ofGame.get(slug),
  }
}
