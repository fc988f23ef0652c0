import type { CandidateCard } from '#rules/candidate.ts'
import type { PictureUrl } from '#rules/picture-url.ts'
import type { Db } from '../db.ts'

/** Questions about the cards that a photo may show. Cards that vanished upstream are none of them. */
export function openCandidates(db: Db, pictureUrl: PictureUrl) {
  const byIds = db.prepare<[string], Row>(
    `SELECT cards.id, cards.name, clean_name, number, rarity, product_type, cards.image_url,
            set_id, sets.name AS set_name, sets.abbreviation AS set_code, sets.release_date,
            cards.game_id, games.slug AS game_slug, games.name AS game_name, art_group,
            (SELECT json_group_array(printings.name ORDER BY printings.id)
               FROM prices JOIN printings ON printings.id = printing_id
              WHERE prices.card_id = cards.id) AS printings
       FROM cards
       JOIN sets ON sets.id = cards.set_id
       JOIN games ON games.id = cards.game_id
       LEFT JOIN card_pictures ON card_pictures.card_id = cards.id
      WHERE cards.id IN (SELECT value FROM json_each(+?)) AND cards.missing_since IS NULL
      ORDER BY cards.id`,
  )
  const siblingsOf = db
    .prepare<[{ ids: string; limit: number }], number>(
      `WITH asked AS (SELECT value AS id FROM json_each(@ids)),
            sameArt AS (
              SELECT other.card_id AS id FROM asked
                JOIN card_pictures AS own ON own.card_id = asked.id
                JOIN card_pictures AS other ON other.art_group = own.art_group),
            unseen AS (
              SELECT other.id FROM asked
                JOIN cards AS own ON own.id = asked.id
                JOIN cards AS other
                  ON other.game_id = own.game_id AND other.clean_name = own.clean_name
                LEFT JOIN card_pictures ON card_pictures.card_id = other.id
               WHERE art_group IS NULL AND other.missing_since IS NULL)
       SELECT id FROM sameArt UNION SELECT id FROM unseen
       EXCEPT SELECT id FROM asked ORDER BY id LIMIT @limit`,
    )
    .pluck()

  return {
    /** By id; a card that is not in the catalog is left out. */
    byIds: (ids: readonly number[]): CandidateCard[] =>
      byIds.all(JSON.stringify(ids)).map((row) => cardOf(row, pictureUrl)),
    /**
     * Other cards that may show the same art as one of these: those of the same art group, and those
     * of the same name and game whose picture is not known.
     */
    siblingsOf: (ids: readonly number[]): number[] =>
      siblingsOf.all({ ids: JSON.stringify(ids), limit: SIBLINGS_MAX }),
  }
}

/** The most reprinted art of any game has some hundred cards. */
const SIBLINGS_MAX = 1_000

type Row = {
  id: number
  name: string
  clean_name: string
  number: string | null
  rarity: string | null
  product_type: string
  image_url: string | null
  set_id: number
  set_name: string
  set_code: string | null
  release_date: string | null
  game_id: number
  game_slug: string
  game_name: string
  art_group: number | null
  printings: string
}

function cardOf(row: Row, pictureUrl: PictureUrl): CandidateCard {
  const { set_id, set_name, set_code, game_id, game_slug, game_name, ...card } = row
  return {
    ...card,
    image_url: pictureUrl(row.image_url),
    set: { id: set_id, name: set_name, code: set_code },
    game: { id: game_id, slug: game_slug, name: game_name },
    printings: JSON.parse(row.printings),
  }
}
