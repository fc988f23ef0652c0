import { afterEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { cardTitle } from '#rules/catalog/names.ts'
import { fakeFingerprint } from '../../support/photos/fake-pipeline.ts'
import { createIndexWorld } from '../../support/photos/index-world.ts'
import { createSyncWorld, smallUpstream } from '../../support/sync/upstream-fixture.ts'

type World = Awaited<ReturnType<typeof createIndexWorld>>

const worlds: { close(): void }[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

async function openWorld() {
  const world = await createIndexWorld()
  worlds.push(world)
  return world
}

function index({ index }: World, card_id: number, siblings: number[] = []) {
  const look = { card_id, game_id: 9001, image_url: 'x', model: 'm1', now: new Date(0) }
  index.put(look, { ...fakeFingerprint(`art ${card_id}`), etag: null }, siblings, 0)
}

describe('a candidate', () => {
  test('has every field of the verdict and the response', async () => {
    const world = await openWorld()
    index(world, 900001)
    expect(world.catalog.candidates.getByIds([900001])).toEqual([
      {
        id: 900001,
        name: 'Cindle',
        clean_name: 'Cindle',
        number: '001/024',
        rarity: 'Common',
        product_type: 'Cards',
        image_url: 'pictures/900001.webp',
        set: { id: 90011, name: 'Lantern Season', code: 'LSN' },
        release_date: '2024-10-25',
        game: { id: 9001, slug: 'wickerwild', name: 'Wickerwild Creature Duels' },
        printings: ['Unlimited', '1st Edition'],
        art_group: 900001,
      },
    ])
  })

  test('is returned by id; unknown and vanished cards are omitted', async () => {
    const world = await openWorld()
    world.run("UPDATE cards SET missing_since = '2026-01-01' WHERE id = 900002")
    const found = world.catalog.candidates.getByIds([900003, 5, 900002, 900001])
    expect(found.map(({ id, art_group }) => [id, art_group])).toEqual([
      [900001, null],
      [900003, null],
    ])
    expect(world.catalog.candidates.getByIds([])).toEqual([])
  })
})

describe('siblings of cards', () => {
  test('share an art group', async () => {
    const world = await openWorld()
    index(world, 900005)
    index(world, 900003, [900005])
    index(world, 900001)
    index(world, 900007, [900001])
    expect(world.catalog.candidates.listSiblings([900003])).toEqual([900005])
    expect(world.catalog.candidates.listSiblings([900003, 900007])).toEqual([900001, 900005])
    expect(world.catalog.candidates.listSiblings([900003, 900005])).toEqual([])
  })

  test('include cards of the same name and game without an indexed picture', async () => {
    const world = await openWorld()
    // 900101 is its reprint in the sample.
    for (const id of [900001, 900003, 900004]) index(world, id)
    world.run("UPDATE cards SET clean_name = 'Cindle' WHERE id IN (900002, 900003, 900301)")
    expect(world.catalog.candidates.listSiblings([900001])).toEqual([900002, 900101])
    index(world, 900101)
    world.run("UPDATE cards SET missing_since = '2026-01-01' WHERE id = 900002")
    expect(world.catalog.candidates.listSiblings([900001])).toEqual([])
  })
})

const EVERYWHERE = { gameId: undefined, limit: 1_000 }

describe('cards by collector number', () => {
  test('are found with and without leading zeros, newest set first', async () => {
    const { catalog } = await openWorld()
    expect(catalog.candidates.findByNumbers(['0002'], EVERYWHERE)).toEqual([900302, 900202])
    expect(catalog.candidates.findByNumbers(['1/20'], EVERYWHERE)).toEqual([900101])
    expect(catalog.candidates.findByNumbers(['pd1-7'], EVERYWHERE)).toEqual([900407])
  })

  test('come in the order of the requested numbers, each once', async () => {
    const { catalog } = await openWorld()
    const found = catalog.candidates.findByNumbers(['001/024', '1', '1/24', '001/020'], EVERYWHERE)
    expect(found).toEqual([900001, 900301, 900201, 900101])
  })

  test('respect limit and game', async () => {
    const { catalog } = await openWorld()
    const numbers = ['PD1-001', '1', '1/24']
    const { findByNumbers } = catalog.candidates
    expect(findByNumbers(numbers, { gameId: undefined, limit: 2 })).toEqual([900401, 900301])
    expect(findByNumbers(numbers, { gameId: 9002, limit: 9 })).toEqual([900301, 900201])
    expect(findByNumbers(numbers, { gameId: 5, limit: 9 })).toEqual([])
  })

  test('are empty without a number', async () => {
    const { catalog } = await openWorld()
    expect(catalog.candidates.findByNumbers([], EVERYWHERE)).toEqual([])
    expect(catalog.candidates.findByNumbers(['', ' '], EVERYWHERE)).toEqual([])
  })

  test('of sets without a date come last, vanished ones are omitted', async () => {
    const { catalog, run } = await openWorld()
    run('UPDATE sets SET release_date = NULL WHERE id = 90022')
    expect(catalog.candidates.findByNumbers(['2'], EVERYWHERE)).toEqual([900202, 900302])
    run("UPDATE cards SET missing_since = '2026-01-01' WHERE id = 900202")
    expect(catalog.candidates.findByNumbers(['2'], EVERYWHERE)).toEqual([900302])
  })
})

describe('cards by printed name', () => {
  test.each([
    ['Cindle', [900101, 900001]],
    ['C1ndle', [900101, 900001]],
    ['Bramb1ehart', [900012, 900025]],
    ['Cafe Famillar', [900117, 900023]],
    ['CAFÉFAMILIAR', [900117, 900023]],
    ['Naive Cartograper', [900209]],
    ['Pilot Tamsln 0koro-Lind', [900413]],
    ['Little Whale', [900119]],
    ['Crovvn of Low Watcr', [900315, 900317]],
  ])('%p: first %p', async (text, cards) => {
    const { catalog } = await openWorld()
    expect(catalog.candidates.findByNames([text], EVERYWHERE).slice(0, cards.length)).toEqual(cards)
  })

  test('match one of two names, or both', async () => {
    const { catalog } = await openWorld()
    for (const text of ['Lamplight', 'Long Shadow', 'Lamplight // Long Shadow']) {
      expect(catalog.candidates.findByNames([text], { gameId: undefined, limit: 1 })).toEqual([
        900219,
      ])
    }
  })

  test('come most similar first over all texts, each once', async () => {
    const { catalog } = await openWorld()
    const found = catalog.candidates.findByNames(['Whlsht', 'Stowaway', 'Stowawav'], EVERYWHERE)
    expect(found.slice(0, 3)).toEqual([900416, 900305, 900208])
    expect(new Set(found).size).toBe(found.length)
  })

  test('respect limit and game', async () => {
    const { catalog } = await openWorld()
    const { findByNames } = catalog.candidates
    expect(findByNames(['Cindle'], { gameId: 9001, limit: 1 })).toEqual([900101])
    expect(findByNames(['Cindle'], { gameId: 9001, limit: 0 })).toEqual([])
    expect(findByNames(['Cindle'], { gameId: 9003, limit: 9 })).toEqual([])
    expect(findByNames(['Cindle'], { gameId: 5, limit: 9 })).toEqual([])
    const tide = findByNames(['Tide Clerk'], { gameId: 9002, limit: 1_000 })
    expect(tide[0]).toBe(900210)
    expect(tide.every((id) => id > 900200 && id < 900400)).toBe(true)
  })

  test('have exactly this name, in any case and with any spaces', async () => {
    const { findNamed } = (await openWorld()).catalog.candidates
    expect(findNamed('CINDLE', EVERYWHERE)).toEqual([900101, 900001])
    expect(findNamed('Crown of LowWater', EVERYWHERE)).toEqual([900315, 900317])
    expect(findNamed('Cindle', { gameId: 9001, limit: 1 })).toEqual([900101])
    expect(findNamed('Cindle', { gameId: 9003, limit: 9 })).toEqual([])
    expect(findNamed('C1ndle', EVERYWHERE)).toEqual([])
    expect(findNamed('', EVERYWHERE)).toEqual([])
  })

  test('are empty without a text', async () => {
    const { catalog } = await openWorld()
    expect(catalog.candidates.findByNames([], EVERYWHERE)).toEqual([])
    expect(catalog.candidates.findByNames(['', '  '], EVERYWHERE)).toEqual([])
  })

  test('are found with any two errors in a name of eight letters or more', async () => {
    const { catalog, db } = await openWorld()
    const cards = db
      .prepare<[], { id: number; name: string; game_id: number }>(
        "SELECT id, name, game_id FROM cards WHERE product_type = 'Cards'",
      )
      .all()
      .filter(({ name }) => cardTitle(name).replaceAll(' ', '').length >= 8)
    const fault = fc.record({
      at: fc.nat(),
      put: fc.constantFrom('', 'x', '0', 'é', 'rn'),
      cut: fc.nat({ max: 1 }),
    })
    const faults = fc.array(fault, { maxLength: 2 })
    fc.assert(
      fc.property(fc.constantFrom(...cards), faults, fc.boolean(), (card, faults, spaced) => {
        let text = cardTitle(card.name).trim()
        for (const { at, put, cut } of faults) {
          const from = at % text.length
          text = text.slice(0, from) + put + text.slice(from + cut)
        }
        const read = spaced ? text : text.replaceAll(' ', '')
        expect(catalog.candidates.findByNames([read], EVERYWHERE)).toContain(card.id)
        const { game_id: gameId } = card
        expect(catalog.candidates.findByNames([read], { gameId, limit: 1_000 })).toContain(card.id)
      }),
      { numRuns: 300 },
    )
  })

  test('follow the last publication: renamed, added, moved up, vanished, restored', async () => {
    const world = createSyncWorld(smallUpstream())
    worlds.push(world)
    const { upstream, catalog } = world
    const first = (text: string) => catalog.candidates.findByNames([text], EVERYWHERE).slice(0, 2)
    await world.sync()
    expect(first('Foam Fax')).toEqual([112, 122])

    upstream.product(112).name = 'Lantern Lynx'
    upstream.addCard(12, { id: 129, name: 'Foam Fox (Full Art)' })
    for (const set of [11, 12]) upstream.touch(set)
    await world.day()
    expect(first('Foam Fax')).toEqual([122, 129])
    expect(first('Lantem Lynx')[0]).toBe(112)

    upstream.removeCard(122)
    upstream.group(12).publishedOn = '2026-02-01T00:00:00'
    upstream.touch(12)
    await world.day()
    expect(first('Foam Fax')[0]).toBe(129)
    expect(catalog.candidates.findByNames(['Foam Fox'], EVERYWHERE)).not.toContain(122)
    expect(first('Tide Turtle')).toEqual([120, 110])

    upstream.addCard(12, { id: 122, name: 'Foam Fox' })
    upstream.touch(12)
    await world.day()
    expect(first('Foam Fax')).toEqual([122, 129])
  })
})

describe('shapes of collector numbers', () => {
  test('are frequent in a game and distinguish a number from other print', async () => {
    const world = createSyncWorld(smallUpstream())
    worlds.push(world)
    const { upstream, catalog } = world
    const { getNumberShapes } = catalog.candidates
    const add = (from: number, count: number, numberOf: (at: number) => string) => {
      for (let at = 0; at < count; at++) {
        upstream.addCard(12, { id: from + at, name: `Card ${from + at}`, number: numberOf(at) })
      }
      upstream.touch(12)
    }
    await world.sync()
    expect(getNumberShapes(undefined)).toEqual(new Set())

    add(1_000, 20, (at) => `UE${10 + at}-B07`)
    add(1_100, 19, (at) => `ZZ${10 + at}.A07`)
    add(1_200, 30, (at) => `${10 + at}/120`)
    await world.day()
    expect(getNumberShapes(undefined)).toEqual(new Set(['AA00-A00']))
    const game = catalog.candidates.getByIds([1_000])[0]?.game.id ?? 0
    expect([getNumberShapes(game).size, getNumberShapes(game + 999).size]).toEqual([1, 0])

    upstream.removeCard(1_000)
    upstream.touch(12)
    await world.day()
    expect(getNumberShapes(undefined)).toEqual(new Set())
  })
})
