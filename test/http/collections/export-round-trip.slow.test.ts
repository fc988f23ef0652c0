// Collections that go through the file of each format and back: every language, condition, printing, grade, quantity,
// price and text, with cards whose names and sets are difficult. REMAINS lists what each format cannot keep.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { findSourceCode } from '#rules/catalog/set-codes.ts'
import { COLLECTION_FORMATS, type CollectionFormat } from '#rules/collections/collection-formats.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import { openDatabase } from '#store/db.ts'
import { sizedFor } from '../../support/chaos.ts'
import {
  createFilled,
  describeCopies,
  type OwnableCard,
  REMAINS,
  sendAround,
} from '../../support/collections/round-trip.ts'
import { pick, randomFrom, SEED } from '../../support/random.ts'
import { RECORDED_SYNC_MS_MAX, recordedCatalog } from '../../support/sync/real-upstream.ts'
import { createSyncWorld, createUpstream } from '../../support/sync/upstream-fixture.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

/** The game of the collection that goes through each format. */
const GAMES: Record<CollectionFormat, string> = {
  full: 'magic',
  tcgplayer: 'magic',
  collectr: 'pokemon',
  moxfield: 'magic',
  manabox: 'magic',
  archidekt: 'magic',
  deckbox: 'magic',
  dragon_shield: 'magic',
  dreamborn: 'lorcana',
  pokecollector: 'pokemon',
}

const MAGIC_NAMES = [
  '+2 Mace',
  "Lim-Dûl's Vault",
  'Fire // Ice',
  'Delver of Secrets // Insectile Aberration',
  'Kongming, "Sleeping Dragon"',
  "Erase (Not the Urza's Legacy One)",
  'Isperia, Supreme Judge',
  'Borrowing 100,000 Arrows',
  'Jötun Grunt',
]
const POKEMON_NAMES = ['Flabébé', "Farfetch'd", 'Mr. Mime', 'リザードン', 'Unown (!)', 'Porygon2']
const LORCANA_NAMES = ['Elsa - Spirit of Winter', 'Hi, Diddly-Dee', 'Te Kā - The Burning One']

const UNPRICED = 10_290

function createCards() {
  const upstream = createUpstream()
  const add = (
    [game, first]: [number, number],
    sets: [name: string, abbreviation: string][],
    names: readonly string[],
    printings: readonly string[],
  ) => {
    for (const [at, [name, abbreviation]] of sets.entries()) {
      const set = first + at
      upstream.addSet(game, { id: set, name, abbreviation })
      for (const [index, card] of names.entries()) {
        upstream.addCard(set, {
          id: set * 100 + index,
          name: card,
          number: game === 3 ? `${index + 1}/${names.length}` : String(index + 1),
          prices: Object.fromEntries(printings.map((printing) => [printing, 1 + index])),
        })
      }
    }
  }
  upstream.addGame({ id: 1, name: 'Magic' })
  upstream.addGame({ id: 3, name: 'Pokemon' })
  upstream.addGame({ id: 71, name: 'Lorcana TCG' })
  const magic: [string, string][] = [
    ['Alliances', 'ALL'],
    ['Magic 2011', 'M11'],
  ]
  add([1, 101], magic, MAGIC_NAMES, ['Normal', 'Foil'])
  // Two cards of one name in a set, one of them without a price.
  upstream.addCard(102, { id: UNPRICED, name: 'Island', number: '30', prices: {} })
  upstream.addCard(102, { id: 10291, name: 'Island', number: '31' })
  const pokemon: [string, string][] = [
    ['Base Set', 'BS'],
    ['SV08: Surging Sparks', 'SV08'],
  ]
  const printings = ['Normal', 'Holofoil', 'Reverse Holofoil', '1st Edition Holofoil']
  add([3, 301], pokemon, POKEMON_NAMES, printings)
  const lorcana: [string, string][] = [
    ['The First Chapter', 'TFC'],
    ['Attack of the Vine!', 'ATV'],
  ]
  add([71, 701], lorcana, LORCANA_NAMES, ['Normal', 'Cold Foil'])
  upstream.publish()
  return upstream
}

type RealCard = OwnableCard & { name: string; number: string; set_name: string }

/** Reads the cards of a game that have a number, with their printings. */
function readCards(file: string, game: string): RealCard[] {
  const db = openDatabase(file, { readonly: true })
  const rows = db
    .prepare<[string], Omit<RealCard, 'printings'> & { printings: string | null }>(
      `SELECT cards.id, cards.name, number, sets.name AS set_name,
              group_concat(printings.name, '|' ORDER BY printings.id) AS printings
         FROM cards JOIN games ON games.id = cards.game_id JOIN sets ON sets.id = set_id
              LEFT JOIN prices ON card_id = cards.id LEFT JOIN printings ON printings.id = printing_id
        WHERE games.slug = ? AND number IS NOT NULL AND cards.missing_since IS NULL GROUP BY cards.id`,
    )
    .all(game)
  db.close()
  return rows.map((row) => ({ ...row, printings: row.printings?.split('|') ?? [] }))
}

/** Describes copies of some cards, each of them several times. */
const copiesOf = (cards: readonly OwnableCard[], count: number) =>
  describeCopies(
    Array.from({ length: count }, (_, at) => cards[at % cards.length]).filter(
      (card) => card !== undefined,
    ),
  )

/** Sends a collection around, and returns the items that are not as they should be. */
async function differencesAfter(testApp: TestApp, id: string, format: CollectionFormat) {
  const query = `?game=${GAMES[format]}${BY_NUMBER.includes(format) ? '&accept=guessed,certain' : ''}`
  const { before, after, ...trip } = await sendAround(testApp, id, format, query)
  const today = formatDate(dayOf(testApp.deps.now()))
  const expected = before.map((item) => ({ ...item, ...REMAINS[format](item, today) }))
  return { ...trip, expected, after }
}

/** Formats without names: the rows are matched by set and number, which is a guess. */
const BY_NUMBER: readonly CollectionFormat[] = ['pokecollector']

describe('a collection of invented cards', () => {
  let testApp: TestApp
  let catalogFile: string
  const world = createSyncWorld(createCards())
  afterAll(() => world.close())

  beforeAll(async () => {
    await world.sync()
    catalogFile = join(world.dataDir, 'copy.db')
    world.db.exec(`VACUUM INTO '${catalogFile}'`)
    testApp = await createTestApp({ onDisk: true, catalogFile })
  })

  test.each(COLLECTION_FORMATS)('is the same after a file of %s', async (format) => {
    const items = copiesOf(readCards(catalogFile, GAMES[format]), 480)
    const id = await createFilled(testApp, items)
    const { report, leftOut, expected, after } = await differencesAfter(testApp, id, format)
    // Without a price, no printing is known.
    const problems = report.problems.filter(({ card_id }) => card_id !== UNPRICED)
    expect([leftOut, report.skipped, problems]).toEqual([0, 0, []])
    expect(after).toEqual(expected)
  })
})

const recorded = recordedCatalog(import.meta.path)
afterAll(() => recorded?.remove(), 60_000)

describe.skipIf(recorded === undefined)('a collection of real cards', () => {
  let testApp: TestApp
  const catalogFile = join(recorded?.dataDir ?? '', 'catalog.db')

  beforeAll(async () => {
    await recorded?.sync()
    testApp = await createTestApp({ onDisk: true, catalogFile })
  }, RECORDED_SYNC_MS_MAX)

  test.each(COLLECTION_FORMATS)(
    'is the same after a file of %s',
    async (format) => {
      const random = randomFrom(SEED)
      const cards = new Map(readCards(catalogFile, GAMES[format]).map((card) => [card.id, card]))
      const drawn = Array.from({ length: CARDS }, () => pick(random, [...cards.values()]))
      const id = await createFilled(testApp, describeCopies(drawn))
      const { report, leftOut, expected, after } = await differencesAfter(testApp, id, format)
      const cardOf = (card_id: number | undefined) => cards.get(card_id ?? 0)
      const included = expected.filter(({ card_id }) => hasPlace(format, cardOf(card_id)))
      expect([leftOut, report.skipped]).toEqual([expected.length - included.length, 0])
      const differences = included.flatMap((item, at) => {
        const isCard = item.card_id === after[at]?.card_id
        const [wanted, found] = [item, after[at]].map((one) => ({
          ...one,
          card_id: labelIn(format, cardOf(one?.card_id)),
          ...(!isCard && { printing: 'of another card' }),
        }))
        return Bun.deepEquals(wanted, found) ? [] : [{ wanted, found }]
      })
      expect(differences).toEqual([])
      const others = included.filter(({ card_id }, at) => card_id !== after[at]?.card_id).length
      const facts = { round_trip: format, items: expected.length, leftOut, others, seed: SEED }
      console.info(JSON.stringify(facts))
    },
    120_000,
  )
})

const NUMBERED_SETS = 'tfc rotf iti urr ssk azu arc roj fab whi win wun atv'.split(' ')

/** Returns true if the files of a format have a place for a card. */
function hasPlace(format: CollectionFormat, card: RealCard | undefined): boolean {
  if (format === 'dreamborn') return NUMBERED_SETS.includes(card?.set_name ?? '')
  if (format !== 'pokecollector') return true
  return (
    findSourceCode(
      { game_slug: 'pokemon', name: card?.set_name ?? '', abbreviation: null },
      'tcgdex',
    ) !== null
  )
}

/**
 * Facts about a card that the files of a format state. The catalog has some cards twice, and several of its sets share
 * a code of PokéCollector's.
 */
function labelIn(format: CollectionFormat, card: RealCard | undefined) {
  if (card === undefined) return undefined
  const { id, name, number, set_name } = card
  if (format === 'full' || format === 'tcgplayer') return id
  if (format === 'pokecollector') return number.split('/')[0]?.replace(/^0+/, '')
  return `${set_name} ${number} ${name}`
}

const CARDS = sizedFor(500, 2_000)
