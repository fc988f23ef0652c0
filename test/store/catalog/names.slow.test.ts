import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { printedNames } from '#rules/catalog/names.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { editDistance, weightedEditDistance } from '#rules/search/spelling.ts'
import type { NameHit, NameStore } from '#store/catalog/names.ts'
import { openDatabase } from '#store/db.ts'
import {
  createSyncWorld,
  createUpstream,
  smallUpstream,
} from '../../support/sync/upstream-fixture.ts'
import { createTestApp } from '../../support/test-app.ts'

const worlds: { close(): void }[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

const testApp = await createTestApp()
afterAll(() => testApp.close())
const { names } = testApp.deps.catalog

type Card = {
  id: number
  name: string
  game_id: number
  release_date: string
  price: number | null
}

/** Every card of the sample, most expensive first, ties in the specified order. */
const CARDS = testApp.catalogDb
  .prepare<[], Card>(
    `SELECT cards.id, cards.name, cards.game_id, release_date,
            (SELECT market_price FROM prices
              WHERE card_id = cards.id AND is_base_printing = 1) AS price
       FROM cards JOIN sets ON sets.id = set_id ORDER BY price DESC, cards.id`,
  )
  .all()

const GAMES = [...new Set(CARDS.map(({ game_id }) => game_id))]

/** Expected hit: its cards, of which the four most expensive are listed. */
type Found = { spelling: string; dearest: number[]; all: number[] }

/** Groups cards by full name with a full scan, most expensive first. */
function wholeNames(passes: (bare: string) => boolean, game?: number): Found[] {
  const fit = CARDS.filter((card) => game === undefined || card.game_id === game)
  const groups = Map.groupBy(
    fit.filter(({ name }) => passes(normalizeName(name))),
    ({ game_id, name }) => `${game_id} ${name}`,
  )
  return [...groups.values()].map((cards) => foundOf(cards[0]?.name ?? '', cards))
}

function foundOf(spelling: string, cards: readonly Card[]): Found {
  const newestFirst = cards.toSorted(
    (a, b) =>
      (a.release_date < b.release_date ? 1 : a.release_date > b.release_date ? -1 : 0) ||
      a.id - b.id,
  )
  return {
    spelling,
    dearest: cards.slice(0, 4).map(({ id }) => id),
    all: newestFirst.map(({ id }) => id),
  }
}

const summarize = (hits: readonly NameHit[]): Found[] =>
  hits.map((hit) => ({
    spelling: hit.spelling,
    dearest: [...hit.topPriced],
    all: [...hit.listAll()],
  }))

/** Groups cards by printed name with a full scan. */
function printedCards(passes: (bare: string) => boolean, game?: number): number[] {
  return CARDS.filter((card) => game === undefined || card.game_id === game)
    .filter(({ name }) => printedNames(name).some((one) => passes(normalizeName(one))))
    .map(({ id }) => id)
}

const cardsIn = (hits: readonly NameHit[]): number[] => [
  ...new Set(hits.flatMap((hit) => hit.listAll())),
]

const findExact = (store: NameStore, name: string, inGame?: number): NameHit[] =>
  store.findExact([name], inGame).get(name) ?? []

const findPrinted = (store: NameStore, name: string, inGame?: number): NameHit[] =>
  store.findPrinted([name], inGame).get(name) ?? []

const sortedIds = (ids: readonly number[]): number[] => ids.toSorted((a, b) => a - b)

/** Full names, printed names, parts of both, and unknown names. */
const bareName = fc.oneof(
  fc.constantFrom(...CARDS.map(({ name }) => normalizeName(name))),
  fc.constantFrom(...CARDS.flatMap(({ name }) => printedNames(name).map(normalizeName))),
  fc
    .tuple(fc.constantFrom(...CARDS.map(({ name }) => normalizeName(name))), fc.nat(), fc.nat())
    .map(([name, from, to]) => name.slice(from % name.length).slice(0, 1 + (to % name.length))),
  fc
    .string({ minLength: 1, maxLength: 5 })
    .map(normalizeName)
    .filter((name) => name !== ''),
)

const game = fc.option(fc.constantFrom(...GAMES, 5), { nil: undefined })

describe('names of the catalog', () => {
  test('found by full name equal those of a full scan, most expensive first', () => {
    fc.assert(
      fc.property(bareName, game, (bare, inGame) => {
        const wanted = wholeNames((one) => one === bare, inGame)
        expect(summarize(findExact(names, bare, inGame))).toEqual(wanted)
      }),
    )
  })

  test('found by prefix are the first of those of a full scan', () => {
    fc.assert(
      fc.property(bareName, game, fc.integer({ min: 1, max: 300 }), (bare, inGame, limit) => {
        const wanted = wholeNames((one) => one.startsWith(bare) && one !== bare, inGame)
        expect(summarize(names.findByPrefix(bare, limit, inGame))).toEqual(wanted.slice(0, limit))
      }),
    )
  })

  test('found by substring are the first of those of a full scan', () => {
    fc.assert(
      fc.property(bareName, game, fc.integer({ min: 1, max: 300 }), (bare, inGame, limit) => {
        const wanted = bare.length < 3 ? [] : wholeNames((one) => one.includes(bare), inGame)
        expect(summarize(names.findContaining(bare, limit, inGame))).toEqual(wanted.slice(0, limit))
      }),
    )
  })

  test('found by printed name include all cards that have it', () => {
    fc.assert(
      fc.property(bareName, game, (bare, inGame) => {
        const hits = findPrinted(names, bare, inGame)
        const wanted = printedCards((one) => one === bare, inGame)
        expect(sortedIds(cardsIn(hits))).toEqual(sortedIds(wanted))
        expect(hits.every((hit) => hit.name === bare)).toBe(true)
        const ranks = hits.map(({ topPriced }) => CARDS.findIndex(({ id }) => id === topPriced[0]))
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
      }),
    )
  })

  test('of some sets are those of their cards, most expensive first', () => {
    const sets = testApp.deps.catalog.sets.listIds()
    fc.assert(
      fc.property(fc.subarray(sets), (ids) => {
        const inSets = testApp.catalogDb
          .prepare<[string], number>(
            'SELECT id FROM cards WHERE set_id IN (SELECT value FROM json_each(?))',
          )
          .pluck()
          .all(JSON.stringify(ids))
        const wanted = CARDS.filter(({ id }) => inSets.includes(id))
        expect(names.listBySets(ids)).toEqual(wanted.map(({ id, name }) => ({ id, name })))
      }),
    )
  })
})

/** A wrong, missing, extra or transposed letter. */
type Fault = { kind: 'wrong' | 'missing' | 'added' | 'swapped'; at: number; letter: string }

const fault = fc.record({
  kind: fc.constantFrom('wrong', 'missing', 'added', 'swapped'),
  at: fc.nat(),
  letter: fc.constantFrom('a', 'e', 'x', '7', '鬼', '𠮷'),
})

function faulty(name: string, { kind, at, letter }: Fault): string {
  const letters = [...name]
  const place = at % letters.length
  if (kind === 'added') letters.splice(place, 0, letter)
  else if (kind === 'wrong') letters[place] = letter
  else if (kind === 'missing') letters.splice(place, 1)
  else letters.splice(place, 2, ...letters.slice(place, place + 2).reverse())
  return letters.join('')
}

const misspelt = fc.tuple(fc.constantFrom(...CARDS.map(({ name }) => normalizeName(name))), fault)

/** Lists cards with a full or printed name within this distance. */
function nearCards(bare: string, most: number, inGame?: number): number[] {
  const near = (one: string) => editDistance(bare, one, most) <= most
  return [...wholeNames(near, inGame).flatMap(({ all }) => all), ...printedCards(near, inGame)]
}

describe('a misspelled name', () => {
  test('with one error finds exactly the names at distance one', () => {
    fc.assert(
      fc.property(misspelt, game, ([name, one], inGame) => {
        const text = faulty(name, one)
        fc.pre(text !== '')
        const wanted = [...new Set(nearCards(text, 1, inGame))]
        expect(sortedIds(cardsIn(names.findSimilar(text, 1, inGame)))).toEqual(sortedIds(wanted))
      }),
      { numRuns: 400 },
    )
  })

  test('with two errors is found if one half, or the first and the last quarter, is intact', () => {
    const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    const kinds = fc.constantFrom('wrong', 'missing', 'added')
    const long = CARDS.map(({ name }) => normalizeName(name)).filter((name) => name.length >= 8)
    const areas = [
      [0, 0.5],
      [0.5, 1],
      [0.25, 0.75],
    ] as const
    fc.assert(
      fc.property(
        fc.constantFrom(...long),
        fc.constantFrom(...areas),
        fc.tuple(kinds, kinds),
        fc.tuple(place, place),
        (name, [from, to], [first, second], [one, other]) => {
          // Stays one letter away from both ends: parts are counted by the length of the typed name, which errors
          // change.
          const [low, high] = [Math.ceil(from * name.length) + 1, Math.floor(to * name.length) - 2]
          fc.pre(high > low)
          const at = (share: number) => low + Math.floor(share * (high - low))
          const places = [at(one), at(other)].sort((a, b) => b - a)
          const faults: Fault[] = [first, second].map((kind, index) => ({
            kind,
            at: places[index] ?? 0,
            letter: '鬼',
          }))
          const text = faults.reduce(faulty, name)
          expect(names.findSimilar(text, 2).map((hit) => hit.name)).toContain(name)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('finds no name beyond the requested distance, fewest errors first', () => {
    fc.assert(
      fc.property(misspelt, fault, fc.constantFrom(1, 2), ([name, one], other, most) => {
        const text = faulty(faulty(name, one) || name, other)
        fc.pre(text !== '')
        const faults = names
          .findSimilar(text, most)
          .map((hit) => weightedEditDistance(text, hit.name, most))
        expect(faults.every((count) => count < most + 1)).toBe(true)
        expect(faults).toEqual(faults.toSorted((a, b) => a - b))
      }),
    )
  })

  test('of one letter, or of none, does not throw', () => {
    for (const text of ['', 'x', '鬼', '𠮷', '🔥']) {
      expect(Array.isArray(names.findSimilar(text, 1))).toBe(true)
      expect(Array.isArray(names.findSimilar(text, 2))).toBe(true)
    }
  })
})

describe('facts about cards', () => {
  test('include every filter criterion, most expensive card first', () => {
    expect(names.getFacts([900001, 5, 900101])).toEqual([
      {
        game_slug: 'wickerwild',
        id: 900001,
        name: 'Cindle',
        number: '001/024',
        rarity: 'Common',
        set_id: 90011,
        set_name: 'Lantern Season',
        set_slug: 'lantern-season',
        set_code: 'LSN',
        price: expect.any(Number),
        printings: expect.arrayContaining(['Unlimited', '1st Edition']),
        release_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        price_facts: expect.objectContaining({ market_price: expect.any(Number) }),
      },
      expect.objectContaining({ id: 900101, set_name: 'Tidepool Parade', number: '001/020' }),
    ])
    expect(names.getFacts([])).toEqual([])
    const all = names.getFacts(CARDS.map(({ id }) => id)).map(({ id, price }) => ({ id, price }))
    expect(all).toEqual(CARDS.map(({ id, price }) => ({ id, price })))
  })
})

/**
 * Creates a catalog of one set with these names and the ids 1, 2, 3, …; each card costs a cent more than the previous
 * one.
 */
async function openNamed(...named: string[]) {
  const upstream = createUpstream()
  upstream.addGame({ id: 3, name: 'Pokemon' })
  upstream.addSet(3, { id: 30, name: 'First' })
  for (const [at, name] of named.entries()) {
    upstream.addCard(30, { id: at + 1, name, prices: { Normal: 5 + at / 100 } })
  }
  upstream.publish()
  const world = createSyncWorld(upstream)
  worlds.push(world)
  await world.sync()
  return world
}

describe('names that', () => {
  test('differ in punctuation only are distinguished, and found together without it', async () => {
    const { catalog } = await openNamed('Nidoran ♂', 'Nidoran ♀', 'Nidoran')
    const found = findExact(catalog.names, 'nidoran').map((hit) => [hit.spelling, ...hit.listAll()])
    expect(found).toEqual([
      ['Nidoran', 3],
      ['Nidoran ♀', 2],
      ['Nidoran ♂', 1],
    ])
    expect(
      findPrinted(catalog.names, 'nidoran')
        .flatMap((hit) => hit.listAll())
        .sort(),
    ).toEqual([1, 2, 3])
  })

  test('have surrogate pairs are found with one extra letter', async () => {
    const name = '𠮷野𠮷家𠮷'
    const { catalog } = await openNamed(name)
    const letters = [...name]
    for (let at = 0; at <= letters.length; at++) {
      const added = letters.toSpliced(at, 0, 'x').join('')
      expect([at, ...cardsIn(catalog.names.findSimilar(added, 1))]).toEqual([at, 1])
    }
    expect(cardsIn(catalog.names.findSimilar(name.replace('野', ''), 1))).toEqual([1])
  })

  test('contain SQL or pattern characters are handled like any other', async () => {
    const { catalog } = await openNamed('100% _wild_ *', "O'Neill; DROP TABLE cards")
    expect(cardsIn(findExact(catalog.names, normalizeName("O'Neill; DROP TABLE cards")))).toEqual([
      2,
    ])
    expect(cardsIn(catalog.names.findContaining('wild', 9))).toEqual([1])
    expect(catalog.names.findContaining('%%%', 9)).toEqual([])
    expect(catalog.names.findByPrefix('%', 9)).toEqual([])
  })

  test('change with a publication: renamed, added, more expensive, removed, restored', async () => {
    const world = createSyncWorld(smallUpstream())
    worlds.push(world)
    const { upstream, catalog } = world
    const all = (...[step, ...rest]: [(typeof QUESTIONS)[number], string]) => {
      const [text] = rest
      if (step === 'findExact') return cardsIn(findExact(catalog.names, text, 3))
      if (step === 'findPrinted') return cardsIn(findPrinted(catalog.names, text, 3))
      if (step === 'findSimilar') return cardsIn(catalog.names.findSimilar(text, 1, 3))
      return cardsIn(catalog.names[step](text, 9, 3))
    }
    await world.sync()
    expect(all('findExact', 'foamfox').sort()).toEqual([112, 122])
    expect(all('findContaining', 'amfo').sort()).toEqual([112, 122])
    expect(all('findContaining', 'ternly')).toEqual([])

    upstream.product(112).name = 'Lantern Lynx'
    upstream.addCard(12, { id: 129, name: 'Foam Fox (Full Art)', prices: { Normal: 900 } })
    upstream.setPrice(122, 'Normal', 80)
    for (const set of [11, 12]) upstream.touch(set)
    await world.day()
    expect(all('findExact', 'foamfox')).toEqual([122])
    expect(all('findByPrefix', 'foamf')).toEqual([129, 122])
    expect(all('findPrinted', 'foamfox').sort()).toEqual([122, 129])
    expect(all('findContaining', 'ternly')).toEqual([112])
    expect(all('findSimilar', 'lanternlyn')).toEqual([112])

    upstream.removeCard(112)
    upstream.touch(11)
    await world.day()
    for (const question of QUESTIONS) expect(all(question, 'lanternlynx')).toEqual([])
    expect(catalog.names.listBySets([11]).map(({ id }) => id)).not.toContain(112)

    upstream.addCard(11, { id: 112, name: 'Lantern Lynx' })
    upstream.touch(11)
    await world.day()
    expect(all('findExact', 'lanternlynx')).toEqual([112])
    expect(all('findContaining', 'ternly')).toEqual([112])
  })

  test('are not written again if only prices change, but are ordered by the new ones', async () => {
    const world = createSyncWorld(smallUpstream())
    worlds.push(world)
    await world.sync()
    const db = openDatabase(join(world.dataDir, 'catalog.db'), { readonly: true })
    const firstPlace = db.prepare<[], number>('SELECT min(place) FROM card_names').pluck()
    const foxes = () => findExact(world.catalog.names, 'foamfox', 3).flatMap((hit) => hit.topPriced)
    const written = firstPlace.get()
    for (const [more, less] of [
      [112, 122],
      [122, 112],
    ] as const) {
      world.upstream.setPrice(more, 'Normal', 90)
      world.upstream.setPrice(less, 'Normal', 3)
      await world.day()
      expect(foxes()).toEqual([more, less])
      expect(firstPlace.get()).toBe(written)
    }
    // A different order of sets changes which card of a name is the newest.
    world.upstream.group(11).publishedOn = '2026-03-01T00:00:00'
    await world.day()
    expect(firstPlace.get()).toBeGreaterThan(written ?? 0)
    expect(findExact(world.catalog.names, 'foamfox', 3).map((hit) => hit.listAll())).toEqual([
      [112, 122],
    ])
    db.close()
  })

  test('were found before a publication list their own cards afterwards, not those at their former place', async () => {
    const world = createSyncWorld(smallUpstream())
    worlds.push(world)
    await world.sync()
    const hits = findExact(world.catalog.names, 'foamfox', 3)
    for (let at = 0; at < 9; at++) {
      world.upstream.addCard(11, { id: 900 + at, name: `Aardvark ${at}`, prices: { Normal: 999 } })
    }
    world.upstream.touch(11)
    await world.day()
    expect(cardsIn(hits).sort()).toEqual([112, 122])
  })
})

const QUESTIONS = [
  'findExact',
  'findPrinted',
  'findByPrefix',
  'findContaining',
  'findSimilar',
] as const
