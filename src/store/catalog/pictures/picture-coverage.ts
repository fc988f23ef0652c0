import type { Db } from '../../db.ts'

/** How many cards have a picture, and how many pictures have been tried. */
export type PictureCoverage = { cards: number; tried: number }

/** Opens the coverage of the picture index. Photo workers have a copy of the index without the catalog, and none. */
export function openPictureCoverage(db: Db): () => PictureCoverage {
  const tried = db.prepare<[], number>('SELECT count(*) FROM card_pictures').pluck()
  const cards = db
    .prepare<[], number>(
      'SELECT count(*) FROM cards WHERE image_url IS NOT NULL AND missing_since IS NULL',
    )
    .pluck()
  const published = db.prepare<[], number>('SELECT version FROM publication').pluck()
  // Counting cards reads all of them.
  let counted: { version: number | undefined; cards: number } | undefined

  return () => {
    const version = published.get()
    if (counted === undefined || counted.version !== version) {
      counted = { version, cards: cards.get() ?? 0 }
    }
    return { cards: counted.cards, tried: tried.get() ?? 0 }
  }
}
