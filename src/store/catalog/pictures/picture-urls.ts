import type { Db } from '../../db.ts'

/** Picture URLs as the upstream lists them: null without a picture, undefined without a row. */
export type PictureUrlStore = {
  /** Returns a card's picture URL. */
  getForCard(id: number): string | null | undefined
  /** Returns a set's picture URL. */
  getForSet(id: number): string | null | undefined
  /** Returns a game's picture URL. */
  getForGame(slug: string): string | null | undefined
}

export function openPictureUrlStore(db: Db): PictureUrlStore {
  const ofCard = db.prepare<[number], string | null>('SELECT image_url FROM cards WHERE id = ?')
  const ofSet = db.prepare<[number], string | null>('SELECT image_url FROM sets WHERE id = ?')
  const ofGame = db.prepare<[string], string | null>('SELECT image_url FROM games WHERE slug = ?')
  for (const statement of [ofCard, ofSet, ofGame]) statement.pluck()

  return {
    getForCard: (id) => ofCard.get(id),
    getForSet: (id) => ofSet.get(id),
    getForGame: (slug) => ofGame.get(slug),
  }
}
