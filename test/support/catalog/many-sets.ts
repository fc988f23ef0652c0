/** Number of sets that `addManySets` adds to a game. */
export const MANY_SETS = 554

/**
 * Returns SQL that gives a game as many sets as the largest one has: ten a year, with one to 554 cards. Each fiftieth
 * has no date, each fortieth no code and no price, and some have long names.
 */
export function addManySets(game: string): string {
  return `WITH RECURSIVE numbers (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM numbers WHERE at < ${MANY_SETS})
    INSERT INTO sets (id, game_id, name, slug, abbreviation, release_date, card_count, single_count,
        priced_count, value, last_synced_at)
      SELECT 91000 + at, games.id,
          'Set ' || at || iif(at % 7 = 0, ': Chronicles of the Incomprehensibilities and Counterrevolutionaries', ''),
          'many-' || at, iif(at % 40 = 0, NULL, 'S' || at),
          iif(at % 50 = 0, NULL, printf('%d-%02d-01', 2026 - at / 10, 12 - at % 10)),
          at, at, iif(at % 40 = 0, 0, at), iif(at % 40 = 0, 0, at * 98765), '2026-11-15T21:30:00.000Z'
        FROM numbers JOIN games ON games.slug = '${game}';
    UPDATE games SET set_count = set_count + ${MANY_SETS} WHERE slug = '${game}';`
}
