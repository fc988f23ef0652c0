import { printedNames } from '#rules/catalog/names.ts'
import { normalizeName, packNames, reverseName } from '#rules/catalog/trigrams.ts'
import type { Db } from '../db.ts'
import { putNamePrices } from './name-prices.ts'
import type { SetRow } from './schema/catalog.ts'
import { openSearchColumns } from './search/search-columns.ts'

/** A name, both normalized and as listed. */
type Name = { bare: string; spelling: string }

/** Cards with the same name, newest set first. */
type Namesakes = Name & { game_id: number; cards: number[] }

/**
 * Rebuilds the index of misspelled and misread names, without their prices, within the caller's transaction. Skips
 * cards that are missing upstream. Half a million cards take 8 s on an idle machine, 15 s on a busy one.
 */
function rebuildNames(db: Db): void {
  const first = firstFreePlace(db)
  db.exec('DELETE FROM card_names; DELETE FROM card_name_games; DELETE FROM card_name_trigrams')
  const { printed, whole } = groupNamesakes(db)
  withoutIndexes(db, () => {
    const put = prepareName(db, first)
    for (const one of printed) put(one, 0)
    for (const one of whole) put(one, 1)
  })
  const { sizes, postings } = packNames([...printed, ...whole].map(({ bare }) => bare))
  storeGames(db, printed, sizes)
  storeTrigrams(db, postings)
}

/** Returns a place after those of all names, including deleted ones. */
function firstFreePlace(db: Db): number {
  const find = db.prepare<[], number>(
    `SELECT max((SELECT coalesce(max(place) + 1, 0) FROM card_names),
                (SELECT coalesce(max(first_place + length(ranks) / 4), 0) FROM card_name_prices))`,
  )
  return find.pluck().get() ?? 0
}

/**
 * Updates the index of names within the caller's transaction: their prices, and the names themselves if
 * any has changed. It uses the ranks of `updateSearch`.
 */
export function updateNames(db: Db, haveChanged: boolean): void {
  if (haveChanged) rebuildNames(db)
  putNamePrices(db, openSearchColumns(db)())
}

/**
 * Drops the indexes on names while `action` runs. Names come in the order of their sets, and updating three indexes
 * for each takes longer than building them. Readers keep the indexes in their snapshots.
 */
function withoutIndexes(db: Db, action: () => void): void {
  const indexes = db
    .prepare<[], { name: string; sql: string }>(
      `SELECT name, sql FROM sqlite_schema
        WHERE type = 'index' AND tbl_name = 'card_names' ORDER BY name`,
    )
    .all()
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`)
  action()
  for (const { sql } of indexes) db.exec(sql)
}

/** @param first place of the first name */
function prepareName(db: Db, first: number) {
  const put = db.prepare<unknown[]>('INSERT INTO card_names VALUES (?, ?, ?, ?, ?, ?, ?)')
  let place = first
  return ({ game_id, bare, spelling, cards }: Namesakes, isWhole: 0 | 1): void => {
    put.run(place++, game_id, bare, spelling, reverseName(bare), isWhole, JSON.stringify(cards))
  }
}

/** Stores where the printed names of each game begin; the games are consecutive. */
function storeGames(db: Db, printed: readonly Namesakes[], sizes: Uint8Array): void {
  const put = db.prepare<[number, number, Uint8Array]>(
    'INSERT INTO card_name_games VALUES (?, ?, ?)',
  )
  let first = 0
  for (const [game, names] of Map.groupBy(printed, ({ game_id }) => game_id)) {
    put.run(game, first, sizes.subarray(first, first + names.length))
    first += names.length
  }
}

function storeTrigrams(db: Db, places: ReadonlyMap<number, Uint8Array>): void {
  const put = db.prepare<[number, Uint8Array]>('INSERT INTO card_name_trigrams VALUES (?, ?)')
  // In table order, pages are filled one after another.
  const trigrams = Float64Array.from(places.keys()).sort()
  for (const trigram of trigrams) put.run(trigram, places.get(trigram) ?? new Uint8Array())
}

/** Groups the cards by printed and by full name. */
function groupNamesakes(db: Db): { printed: Namesakes[]; whole: Namesakes[] } {
  // In table order, because in set order each card would need a separate lookup.
  const columns = db
    .prepare<[], [ids: string, names: string, sets: string]>(
      `SELECT json_group_array(id), json_group_array(name), json_group_array(set_id)
         FROM (SELECT id, name, set_id FROM cards WHERE missing_since IS NULL ORDER BY id)`,
    )
    .raw()
    .get()
  const ids: number[] = JSON.parse(columns?.[0] ?? '[]')
  const names: string[] = JSON.parse(columns?.[1] ?? '[]')
  const setIds: number[] = JSON.parse(columns?.[2] ?? '[]')
  const bySet = Map.groupBy(ids.keys(), (at) => setIds[at] ?? 0)
  const sets = db.prepare<[], Pick<SetRow, 'game_id'> & { ids: string }>(
    `SELECT game_id, json_group_array(id) AS ids FROM sets
      GROUP BY game_id, release_date ORDER BY game_id, release_date DESC`,
  )
  const normalize = createNormalizer()
  const printed = createNamesakes()
  const whole = createNamesakes()
  for (const { game_id, ids: ofOneDay } of sets.iterate()) {
    // Cards of sets released on the same day are ordered by id, like the columns.
    const places = (JSON.parse(ofOneDay) as number[]).flatMap((set) => bySet.get(set) ?? [])
    for (const at of places.sort((a, b) => a - b)) {
      const bare = normalize(names[at] ?? '')
      const id = ids[at] ?? 0
      for (const one of bare.printed) printed.add(game_id, one.bare, one, id)
      whole.add(game_id, bare.whole.spelling, bare.whole, id)
    }
  }
  return { printed: printed.all(), whole: whole.all() }
}

/** Normalizes each distinct name once. */
function createNormalizer() {
  const known = new Map<string, { whole: Name; printed: readonly Name[] }>()
  const named = (spelling: string): Name => ({ bare: normalizeName(spelling), spelling })
  return (name: string) => {
    const seen = known.get(name)
    if (seen !== undefined) return seen
    const whole = named(name)
    // The printed name is usually the full name.
    const inPrint = printedNames(name).map((one) => (one === name ? whole : named(one)))
    const printed = [...new Map(inPrint.map((one) => [one.bare, one])).values()]
    const bare = { whole, printed }
    known.set(name, bare)
    return bare
  }
}

/** Collects cards by game and key; games are listed in the order of insertion. */
function createNamesakes() {
  const games = new Map<number, Map<string, Namesakes>>()
  return {
    add(game_id: number, key: string, name: Name, card: number): void {
      const names = games.get(game_id) ?? new Map<string, Namesakes>()
      games.set(game_id, names)
      const same = names.get(key)
      if (same === undefined) names.set(key, { ...name, game_id, cards: [card] })
      else same.cards.push(card)
    },
    all: () => [...games.values()].flatMap((names) => [...names.values()]),
  }
}
