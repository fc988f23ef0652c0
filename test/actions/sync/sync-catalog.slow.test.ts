import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { importHistory } from '#actions/sync/import-history.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { sizedFor } from '../../support/chaos.ts'
import { closeAfterEach } from '../../support/closers.ts'
import {
  type Contents,
  createSyncWorld,
  createUpstream,
  differences,
  priceRow,
  type SyncWorld,
  smallUpstream,
  type Upstream,
  writeArchive,
} from '../../support/sync/upstream-fixture.ts'

const closers = closeAfterEach()

function openWorld(upstream: Upstream = smallUpstream()): SyncWorld {
  const world = createSyncWorld(upstream)
  closers.push(world.close)
  return world
}

/** Creates a small upstream that is already synced. */
async function syncedWorld(upstream?: Upstream): Promise<SyncWorld> {
  const world = openWorld(upstream)
  expect(await world.sync()).toMatchObject({ outcome: 'complete', failures: [] })
  world.newRequestPaths()
  return world
}

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-archive-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The largest rises of a day. */
const ALL_MOVERS = {
  period: '24h',
  direction: 'up',
  game_id: undefined,
  type: undefined,
  printing: undefined,
} as const
const ALL = { limit: 1_000, offset: 0 }
const PRICE_FILES = ['3/11', '3/12', '500/21', '500/22'].map((set) => `tcgplayer/${set}/prices`)
const PRODUCT_FILES = PRICE_FILES.map((path) => path.replace('prices', 'products'))

function card(world: SyncWorld, id: number) {
  return JSON.parse(world.catalog.cards.getById(id) ?? 'null')
}

function version(world: SyncWorld): number {
  return world.catalog.publication.getCurrent().version
}

function idsOfSet(world: SyncWorld, setId: number): number[] {
  return world.catalog.cards
    .listBySet({ set_id: setId, type: undefined, after_version: undefined }, ALL)
    .rows.map(({ id }) => id)
}

function search(world: SyncWorld, q: string): number[] {
  return world.catalog.search.find({
    q,
    game_id: undefined,
    set_id: undefined,
    rarity: undefined,
    type: undefined,
    min_price: undefined,
    max_price: undefined,
    sort: 'relevance',
    ...ALL,
  }).ids
}

describe('a first sync', () => {
  test('publishes its first game immediately if many sets remain', async () => {
    const upstream = createUpstream()
    for (const [id, sets] of [
      [1, 102],
      [2, 1],
    ] as const) {
      upstream.addGame({ id, name: `Game ${id}` })
      for (let set = id * 1_000; set < id * 1_000 + sets; set++) {
        upstream.addSet(id, { id: set, name: `Set ${set}` })
        upstream.addCard(set, { id: set, prices: { Normal: 2 } })
      }
    }
    upstream.publish()
    const world = openWorld(upstream)
    const served = new Map<number, number>()
    const onProgress = ({ done }: { done: number }) =>
      served.set(done, world.catalog.games.list(ALL).total)
    expect(await world.sync({ onProgress })).toMatchObject({ outcome: 'complete', games: 2 })
    expect([1, 2, 103].map((done) => served.get(done))).toEqual([0, 1, 1])
    expect(world.catalog.games.list(ALL).total).toBe(2)
  })

  test('reads popular games first, and small ones before large ones', async () => {
    const upstream = createUpstream()
    const games = [
      { id: 1, sets: 3 },
      { id: 2, sets: 1, popularity: 20_000 },
      { id: 3, sets: 2 },
      { id: 4, sets: 1 },
    ]
    for (const { id, sets, popularity = 400_000 } of games) {
      upstream.addGame({ id, name: `Game ${id}`, popularity })
      for (let set = id * 10; set < id * 10 + sets; set++) {
        upstream.addSet(id, { id: set, name: `Set ${set}` })
        upstream.addCard(set, { id: set * 10, name: 'Foam Fox', prices: { Normal: 2 } })
      }
    }
    upstream.publish()
    const world = openWorld(upstream)
    expect(await world.sync()).toMatchObject({ outcome: 'complete' })
    const read = world
      .newRequestPaths()
      .flatMap((path) => /^tcgplayer\/(\d+)\/\d+\//.exec(path)?.[1] ?? [])
    expect([...new Set(read)]).toEqual(['4', '3', '1', '2'])
  })

  test('loads games, sets, cards and prices, with the ids of the marketplace', async () => {
    const world = openWorld()
    const report = await world.sync()
    expect(report).toMatchObject({
      outcome: 'complete',
      published_at: '2026-03-10T20:05:50.000Z',
      games: 2,
      sets_read: 4,
      cards_read: 16,
      prices_changed: 28,
      bad_records: 0,
      alerts: 0,
      failures: [],
    })
    expect(world.catalog.games.list(ALL)).toEqual({
      total: 2,
      rows: [
        {
          id: 3,
          name: 'Pokemon',
          slug: 'pokemon',
          marketplace_id: 3,
          priority: 3,
          set_count: 2,
          card_count: 8,
          image_url: 'https://pictures.example/product/113_200w.jpg',
          logo_url: null,
          last_synced_at: '2026-03-10T21:05:50.000Z',
        },
        {
          id: 500,
          name: 'Harbour & Haven',
          slug: 'harbour-and-haven',
          marketplace_id: 500,
          priority: 1,
          set_count: 2,
          card_count: 8,
          image_url: 'https://pictures.example/product/213_200w.jpg',
          logo_url: null,
          last_synced_at: '2026-03-10T21:05:50.000Z',
        },
      ],
    })
    expect(world.catalog.sets.getById(12)).toEqual({
      id: 12,
      game_id: 3,
      name: 'Chapter 2',
      slug: 'chapter-2',
      marketplace_id: 12,
      abbreviation: 'S12',
      release_date: '2025-11-14',
      card_count: 4,
      single_count: 3,
      priced_count: 3,
      value: 7.5,
      image_url: 'https://pictures.example/product/123_200w.jpg',
      set_icon_url: null,
      last_synced_at: '2026-03-10T21:05:50.000Z',
      game_name: 'Pokemon',
      game_slug: 'pokemon',
    })
    expect(card(world, 110)).toEqual({
      id: 110,
      game_id: 3,
      set_id: 11,
      name: 'Tide Turtle',
      clean_name: 'Tide Turtle',
      number: '1/3',
      rarity: 'Common',
      image_url: 'https://pictures.example/product/110_200w.jpg',
      marketplace_url: 'https://marketplace.example/product/110',
      marketplace_id: 110,
      product_type: 'Cards',
      foil_only: 0,
      total_listings: 0,
      shipping_category_id: 1,
      product_status_id: 1,
      custom_attributes: {},
      set_name: 'Chapter 1',
      set_slug: 'chapter-1',
      game_name: 'Pokemon',
      game_slug: 'pokemon',
    })
    expect(card(world, 113)).toMatchObject({ product_type: 'Sealed Products', number: null })
    expect(world.prices(110)).toEqual({
      Normal: {
        card_id: 110,
        printing: 'Normal',
        market_price: 1.5,
        low_price: 1.2,
        median_price: 1.65,
        lowest_with_shipping: null,
        buylist_price: null,
        price_change_24h: null,
        price_change_7d: null,
        price_change_30d: null,
        last_updated_at: '2026-03-10T20:05:50.000Z',
      },
      Holofoil: expect.objectContaining({ market_price: 4, low_price: 3.2, median_price: 4.4 }),
    })
    expect(search(world, 'reef raider')).toHaveLength(4)
  })

  test('reads the optional fields that only some upstreams have', async () => {
    const upstream = smallUpstream()
    Object.assign(upstream.product(110).extra, {
      totalListings: 41,
      shippingCategoryId: 7,
      productStatusId: 20,
      foilOnly: true,
    })
    Object.assign(upstream.row(110), {
      lowestPriceWithShipping: 1.75,
      buylistPrice: 0.9,
      averageSalesPrice: 1.44,
      salesVolume: 12,
    })
    upstream.publish()
    const world = await syncedWorld(upstream)
    expect(card(world, 110)).toMatchObject({
      total_listings: 41,
      shipping_category_id: 7,
      product_status_id: 20,
      foil_only: 1,
    })
    expect(world.prices(110).Normal).toMatchObject({
      lowest_with_shipping: 1.75,
      buylist_price: 0.9,
    })
    expect(world.points(110)).toEqual([
      {
        day: dayOf(upstream.publishedAt()),
        market_price: 150,
        low_price: 120,
        avg_sales_price: 144,
        sales_volume: 12,
      },
    ])
  })

  test.each([
    [['Holofoil'], 1],
    [['Holofoil', 'Reverse Holofoil'], 1],
    [['Normal', 'Holofoil'], 0],
    [['Normal'], 0],
    [[], 0],
  ])('derives from the printings %p whether a card is foil only: %i', async (printings, foil) => {
    const upstream = smallUpstream()
    const prices = Object.fromEntries(printings.map((printing) => [printing, 2]))
    upstream.addCard(11, { id: 119, prices })
    upstream.publish()
    const world = await syncedWorld(upstream)
    expect(card(world, 119).foil_only).toBe(foil)
  })

  const faces = ({ catalog }: SyncWorld) => ({
    set: catalog.sets.getById(11)?.image_url?.split('/').at(-1),
    game: catalog.games.getBySlugOrId('pokemon')?.image_url?.split('/').at(-1),
  })

  test('gives a set and its game the picture of the card with the highest price of all printings', async () => {
    const upstream = smallUpstream()
    upstream.setPrice(111, 'Normal', 300)
    upstream.setPrice(112, 'Holofoil', 900)
    upstream.setPrice(122, 'Normal', 800)
    upstream.publish()
    const world = await syncedWorld(upstream)
    expect(faces(world)).toEqual({ set: '112_200w.jpg', game: '112_200w.jpg' })

    upstream.setPrice(122, 'Normal', 1_000)
    await world.day()
    expect(faces(world)).toEqual({ set: '112_200w.jpg', game: '122_200w.jpg' })
  })

  test('gives them one whose price is of low confidence only if there is no other', async () => {
    const upstream = smallUpstream()
    // Nobody sells it at its market price.
    const overprice = (id: number) => {
      for (const row of upstream.product(id).rows) row.lowPrice = 10_000
    }
    upstream.setPrice(111, 'Normal', 300)
    upstream.setPrice(112, 'Holofoil', 900)
    overprice(112)
    // Another set of the game, of which every price is doubtful.
    for (const id of [120, 121, 122, 123]) {
      upstream.setPrice(id, 'Normal', 2_000 + id)
      overprice(id)
    }
    upstream.publish()
    const world = await syncedWorld(upstream)
    expect(faces(world)).toEqual({ set: '111_200w.jpg', game: '111_200w.jpg' })
    expect(world.catalog.sets.getById(12)?.image_url).toEndWith('/123_200w.jpg')

    for (const id of [110, 111, 113]) overprice(id)
    await world.day()
    expect(faces(world)).toEqual({ set: '112_200w.jpg', game: '123_200w.jpg' })
  })

  test('stores any printing that the upstream names, unchanged', async () => {
    const upstream = smallUpstream()
    const names = ['Gold Cold Foil', 'Étoile ★ "Crystal"', '1st Edition Zebra', 'normal']
    for (const name of names) upstream.setPrice(110, name, 3.33)
    upstream.publish()
    const world = await syncedWorld(upstream)
    expect(Object.keys(world.prices(110)).sort()).toEqual(['Holofoil', 'Normal', ...names].sort())
    expect(world.points(110, 'Étoile ★ "Crystal"')).toHaveLength(1)
  })

  test('gives two sets of one name two slugs', async () => {
    const upstream = smallUpstream()
    upstream.addSet(3, { id: 13, name: 'Chapter 1', abbreviation: 'C-1b' })
    upstream.addSet(3, { id: 14, name: 'Chapter 1', abbreviation: null })
    upstream.addSet(3, { id: 15, name: 'Chapter 1', abbreviation: 'C-1b' })
    upstream.publish()
    const world = await syncedWorld(upstream)
    const slugs = [11, 13, 14, 15].map((id) => world.catalog.sets.getById(id)?.slug)
    expect(slugs).toEqual(['chapter-1', 'chapter-1-c-1b', 'chapter-1-14', 'chapter-1-15'])
  })

  test('counts and skips a price row without a card', async () => {
    const upstream = smallUpstream()
    upstream.group(11).strays.push({ productId: 7_777, ...priceRow('Normal', 9) })
    upstream.publish()
    const world = await syncedWorld(upstream)
    expect(world.catalog.prices.getByCard(7_777)).toBeUndefined()
    expect(JSON.parse(world.catalog.syncLog.getLast()?.report ?? '{}').bad_records).toBe(1)
  })
})

describe('a second sync', () => {
  test('of the same publication only checks for a new one, and changes nothing', async () => {
    const world = await syncedWorld()
    const before = world.contents({ exact: true })
    const at = version(world)
    expect(await world.sync()).toMatchObject({ outcome: 'complete', sets_read: 0 })
    const known = ['last-updated.txt', 'tcgplayer/categories']
    expect(world.newRequestPaths().filter((path) => !known.includes(path))).toEqual([])
    expect(differences(world.contents({ exact: true }), before)).toEqual([])
    expect(version(world)).toBe(at)
  })

  test('of a new publication requests the prices of all sets conditionally', async () => {
    const world = await syncedWorld()
    expect(await world.day()).toMatchObject({ outcome: 'complete', sets_read: 4 })
    const paths = world.newRequestPaths()
    expect(paths.filter((path) => path.endsWith('/prices')).sort()).toEqual(PRICE_FILES)
    expect(paths.filter((path) => path.endsWith('/products'))).toEqual([])
    for (const path of PRICE_FILES) {
      const [first, second] = world.mirror.requestsOf(path)
      expect(first?.headers.get('if-none-match')).toBeNull()
      expect(second?.headers.get('if-none-match')).toMatch(/^".+"$/)
      expect(second?.status).toBe(304)
    }
  })

  test('requests the products only of a set that has changed', async () => {
    const world = await syncedWorld()
    world.upstream.touch(12)
    world.upstream.product(120).name = 'Tide Tortoise'
    await world.day()
    expect(world.newRequestPaths('/products')).toEqual(['tcgplayer/3/12/products'])
    expect(card(world, 120).name).toBe('Tide Tortoise')
    expect(search(world, 'tortoise')).toEqual([120])
  })

  test('requests all products if they were not requested for two days', async () => {
    const world = await syncedWorld()
    await world.day()
    await world.day()
    const early = world.newRequestPaths('/products')
    expect(early).toEqual([])
    await world.day()
    const late = world.newRequestPaths('/products')
    expect(late.sort()).toEqual(PRODUCT_FILES)
    await world.day()
    expect(world.newRequestPaths('/products')).toEqual([])
  })

  test('reports when unchanged prices were last published, and that no price changed', async () => {
    const world = await syncedWorld()
    expect(await world.day()).toMatchObject({ prices_changed: 0 })
    expect(world.prices(110).Normal?.last_updated_at).toBe('2026-03-11T20:05:50.000Z')
    expect(world.catalog.publication.getCurrent().published_at).toBe('2026-03-11T20:05:50.000Z')
  })

  test('keeps the day of a price that the upstream reports as unchanged', async () => {
    const world = await syncedWorld()
    const first = dayOf(world.upstream.publishedAt())
    for (let day = 1; day <= 3; day++) await world.day()
    expect(world.mirror.requestsOf(PRICE_FILES[0] ?? '').at(-1)?.status).toBe(304)
    expect(world.points(110).map(({ day, market_price }) => [day - first, market_price])).toEqual([
      [0, 150],
      [1, 150],
      [2, 150],
      [3, 150],
    ])
    expect(world.prices(110).Normal?.price_change_24h).toBe(0)
  })

  test('counts changed prices, and stores the newest of two publications of one day', async () => {
    const world = await syncedWorld()
    world.upstream.setPrice(110, 'Normal', 1.8)
    expect(await world.day(1 / 24)).toMatchObject({ prices_changed: 1, sets_read: 4 })
    expect(world.points(110).map(({ market_price }) => market_price)).toEqual([180])
  })

  test('keeps the slugs of games and sets whose names change', async () => {
    const world = await syncedWorld()
    for (const game of world.upstream.games) game.name = `New ${game.name}`
    world.upstream.group(21).name = 'Prologue'
    await world.day()
    expect(world.catalog.games.getBySlugOrId('harbour-and-haven')?.name).toBe('New Harbour & Haven')
    expect(world.catalog.sets.getById(21)).toMatchObject({ name: 'Prologue', slug: 'chapter-1' })
    expect((await world.sync({ game: 'harbour-and-haven' })).outcome).toBe('complete')
  })

  test('finds cards by the new code of their set', async () => {
    const world = await syncedWorld()
    world.upstream.group(11).abbreviation = 'ZQX'
    await world.day()
    expect(search(world, 'turtle zqx')).toEqual([110])
    // An unknown word is ignored.
    expect(search(world, 'turtle s11').length).toBeGreaterThan(1)
  })

  test('loads a set that is announced before it has any file', async () => {
    const world = await syncedWorld()
    world.upstream.addSet(3, { id: 13, name: 'Chapter 3' })
    world.upstream.publish(1)
    world.upstream.files.delete('tcgplayer/3/13/products')
    world.upstream.files.delete('tcgplayer/3/13/prices')
    expect(await world.sync()).toMatchObject({ outcome: 'complete' })
    expect(world.catalog.sets.getById(13)).toMatchObject({ card_count: 0, image_url: null })

    world.upstream.addCard(13, { id: 130, name: 'Late Lobster' })
    world.upstream.touch(13)
    await world.day()
    expect(world.catalog.sets.getById(13)).toMatchObject({ card_count: 1 })
    expect(search(world, 'lobster')).toEqual([130])
  })

  test('loads a price that existed before its card did', async () => {
    const world = await syncedWorld()
    world.upstream.group(11).strays.push({ productId: 119, ...priceRow('Normal', 9) })
    await world.day()
    expect(world.catalog.prices.getByCard(119)).toBeUndefined()

    world.upstream.group(11).strays = []
    world.upstream.addCard(11, { id: 119, prices: { Normal: 9 } })
    world.upstream.touch(11)
    await world.day()
    expect(world.prices(119).Normal?.market_price).toBe(9)
  })
})

describe('an interrupted sync', () => {
  test('is resumed: only the missing parts are requested, and all of it is loaded', async () => {
    const world = await syncedWorld()
    for (const { groups } of world.upstream.games) {
      for (const { groupId } of groups) world.upstream.touch(groupId)
    }
    world.upstream.setPrice(110, 'Normal', 1.6)
    world.upstream.publish(1)
    const before = world.contents({ exact: true })
    expect(await world.stopAfter(2)).toBe(true)
    expect(differences(world.contents({ exact: true }), before)).toEqual([])
    world.newRequestPaths()

    expect(await world.sync()).toMatchObject({ outcome: 'complete', sets_read: 4 })
    const files = world.newRequestPaths().filter((path) => /prices|products/.test(path))
    expect(files.sort()).toEqual([...PRICE_FILES.slice(2), ...PRODUCT_FILES.slice(2)].sort())
    expect(world.prices(110).Normal?.market_price).toBe(1.6)
  })

  test('is not resumed with a newer publication', async () => {
    const world = await syncedWorld()
    world.upstream.setPrice(110, 'Normal', 1.6)
    world.upstream.publish(1)
    expect(await world.stopAfter(1)).toBe(true)
    world.newRequestPaths()
    world.upstream.setPrice(110, 'Normal', 1.7)
    await world.day()
    expect(world.newRequestPaths('/prices').sort()).toEqual(PRICE_FILES)
    expect(world.points(110).map(({ market_price }) => market_price)).toEqual([150, 170])
  })

  test('is not resumed by a forced sync', async () => {
    const world = await syncedWorld()
    world.upstream.publish(1)
    expect(await world.stopAfter(1)).toBe(true)
    world.newRequestPaths()
    await world.sync({ force: true })
    expect(world.newRequestPaths()).toEqual(
      expect.arrayContaining([...PRICE_FILES, ...PRODUCT_FILES]),
    )
  })
})

describe('a removal upstream', () => {
  test('a card is marked, is found by its id, leaves lists, search and counts, and can return', async () => {
    const world = await syncedWorld()
    const gone = structuredClone(world.upstream.product(111))
    const total = world.catalog.sets.getTotal(11)
    world.upstream.removeCard(111)
    world.upstream.touch(11)
    await world.day()
    expect(card(world, 111)).toMatchObject({ id: 111, name: 'Reef Raider' })
    expect(world.prices(111).Normal).toMatchObject({ market_price: null, low_price: null })
    expect(idsOfSet(world, 11)).toEqual([110, 112, 113])
    expect([...world.catalog.prices.listBySet(11)].some(({ card_id }) => card_id === 111)).toBe(
      false,
    )
    expect(search(world, 'reef raider')).not.toContain(111)
    expect(world.catalog.sets.getById(11)?.card_count).toBe(3)
    expect(world.catalog.sets.getTotal(11)).toEqual({
      cards: total.cards - 1,
      priced: total.priced - 1,
      value: total.value - 2.5,
    })
    expect(world.catalog.games.getBySlugOrId('pokemon')?.card_count).toBe(7)
    expect(world.points(111).map(({ market_price }) => market_price)).toContain(250)

    world.upstream.group(11).products.push(gone)
    world.upstream.touch(11)
    await world.day()
    expect(idsOfSet(world, 11)).toEqual([110, 111, 112, 113])
    expect(search(world, 'reef raider')).toContain(111)
    expect(world.catalog.games.getBySlugOrId('pokemon')?.card_count).toBe(8)
    expect(world.prices(111).Normal?.market_price).toBe(2.5)
    expect(world.catalog.sets.getTotal(11)).toEqual(total)
  })

  test('a printing keeps its row and its history, and its prices become unknown', async () => {
    const world = await syncedWorld()
    world.upstream.removePrinting(110, 'Holofoil')
    await world.day()
    expect(world.prices(110).Holofoil).toMatchObject({
      market_price: null,
      low_price: null,
      median_price: null,
      price_change_24h: null,
    })
    expect(world.points(110, 'Holofoil')[0]?.market_price).toBe(400)
    world.upstream.setPrice(110, 'Holofoil', 5)
    await world.day()
    expect(world.prices(110).Holofoil).toMatchObject({
      market_price: 5,
      // A day ago it was unknown; two days ago is too long ago.
      price_change_24h: null,
    })
  })

  test('a set keeps its page and its cards', async () => {
    const world = openWorld()
    for (const id of [13, 14, 15, 16]) world.upstream.addSet(3, { id, name: `Chapter ${id}` })
    world.upstream.publish()
    await world.sync()
    const game = world.upstream.games[0]
    const gone = game?.groups.shift()
    expect(await world.day()).toMatchObject({ outcome: 'complete' })
    expect(world.catalog.sets.getById(11)?.name).toBe('Chapter 1')
    expect(world.prices(110).Normal?.market_price).toBe(1.5)

    if (gone !== undefined) game?.groups.push(gone)
    world.upstream.setPrice(110, 'Normal', 1.75)
    expect(await world.day()).toMatchObject({ outcome: 'complete' })
    expect(world.prices(110).Normal?.market_price).toBe(1.75)
    expect(idsOfSet(world, 11)).toEqual([110, 111, 112, 113])
  })

  test('a card that moves to another set is one card, with one history', async () => {
    for (const [from, to] of [
      [11, 12],
      [12, 11],
    ] as const) {
      const world = await syncedWorld()
      const id = from * 10
      const moving = world.upstream.product(id)
      world.upstream.removeCard(id)
      world.upstream.group(to).products.push(moving)
      world.upstream.setPrice(id, 'Normal', 3)
      world.upstream.touch(from)
      world.upstream.touch(to)
      expect(await world.day()).toMatchObject({ outcome: 'complete', bad_records: 0 })
      expect(card(world, id)).toMatchObject({ id, set_id: to })
      expect(idsOfSet(world, from)).not.toContain(id)
      expect(idsOfSet(world, to)).toContain(id)
      expect(world.prices(id).Normal).toMatchObject({ market_price: 3, price_change_24h: 100 })
      expect(world.points(id).map(({ market_price }) => market_price)).toEqual([150, 300])
      expect(world.catalog.sets.getById(from)?.card_count).toBe(3)
      expect(world.catalog.sets.getById(to)?.card_count).toBe(5)
    }
  })

  test('sets that lose a card have the right number and picture, also if their products are not read', async () => {
    for (const [from, to] of [
      [11, 12],
      [12, 11],
    ] as const) {
      const world = await syncedWorld()
      // The most expensive one, whose picture represents its set.
      const id = from * 10 + 3
      const moving = world.upstream.product(id)
      world.upstream.group(to).products.push(moving)
      world.upstream.touch(to)
      // The products of the old set stay as they were, and so are not read.
      expect(await world.day()).toMatchObject({ outcome: 'complete' })
      expect(idsOfSet(world, from)).not.toContain(id)
      expect(world.catalog.sets.getById(from)).toMatchObject({
        card_count: 3,
        image_url: `https://pictures.example/product/${from * 10 + 2}_200w.jpg`,
      })
      expect(world.catalog.sets.getById(to)?.card_count).toBe(5)
      expect(world.catalog.games.getBySlugOrId('pokemon')?.card_count).toBe(8)
    }
  })

  test('a set that loses a card is corrected even if the run reads another set only', async () => {
    const world = await syncedWorld()
    const moving = world.upstream.product(110)
    world.upstream.removeCard(110)
    world.upstream.group(12).products.push(moving)
    world.upstream.touch(12)
    world.upstream.publish(1)
    await world.sync({ set: 12 })
    expect(world.catalog.sets.getById(11)?.card_count).toBe(3)
    expect(world.catalog.sets.getById(12)?.card_count).toBe(5)
    expect(world.catalog.games.getBySlugOrId('pokemon')?.card_count).toBe(8)
  })
})

describe('an unreadable record', () => {
  test('of a card affects no other, and the known card stays', async () => {
    const world = await syncedWorld()
    world.upstream.product(111).extra.name = 17
    world.upstream.product(112).name = 'Foam Ferret'
    world.upstream.touch(11)
    const report = await world.day()
    expect(report).toMatchObject({ outcome: 'complete', bad_records: 1 })
    expect(card(world, 111).name).toBe('Reef Raider')
    expect(card(world, 112).name).toBe('Foam Ferret')
    expect(idsOfSet(world, 11)).toEqual([110, 111, 112, 113])
    expect(world.logged.map(({ event }) => event)).toContain('skipped bad record')
  })

  test('of a price affects no other, and the known price stays, without a new point', async () => {
    const world = await syncedWorld()
    const known = world.prices(111)
    Object.assign(world.upstream.row(111), { marketPrice: 'dear' })
    world.upstream.setPrice(111, 'Holofoil', 6)
    world.upstream.setPrice(112, 'Normal', 3.75)
    const report = await world.day()
    expect(report).toMatchObject({ outcome: 'complete', bad_records: 1 })
    expect(world.prices(111).Normal?.market_price).toBe(known.Normal?.market_price ?? 0)
    expect(world.points(111)).toHaveLength(1)
    expect(world.prices(111).Holofoil?.market_price).toBe(6)
    expect(world.prices(112).Normal?.market_price).toBe(3.75)
  })

  test('of a set or a game affects no other', async () => {
    const upstream = smallUpstream()
    const files = upstream.files
    const spoil = (path: string, from: string, to: string) => {
      const text = files.get(path) ?? ''
      expect(text).toContain(from)
      files.set(path, text.replace(from, to))
    }
    spoil('tcgplayer/3/groups', '"name":"Chapter 2"', '"name":null')
    spoil('tcgplayer/categories', '"name":"Pokemon","pop', '"name":"Pokemon","extra":{},"pop')
    const world = openWorld(upstream)
    expect(await world.sync()).toMatchObject({ bad_records: 1, games: 2, sets_read: 3 })
    expect(world.catalog.sets.listIds()).toEqual([11, 21, 22])
  })
})

describe('history', () => {
  test('begins on the day that a price first reaches a dollar, and continues below it', async () => {
    const upstream = smallUpstream()
    upstream.setPrice(110, 'Normal', 0.99)
    upstream.publish()
    const world = await syncedWorld(upstream)
    expect(world.points(110)).toEqual([])
    const walk = [0.5, null, 1, 0.4, null, 2] as const
    for (const price of walk) {
      upstream.setPrice(110, 'Normal', price)
      await world.day()
    }
    const cents = world.points(110).map(({ market_price }) => market_price)
    expect(cents).toEqual([100, 40, null, 200])
  })

  test('is equal before and after its months are closed, over 260 days', async () => {
    const upstream = createUpstream('2025-06-20T20:05:50Z')
    upstream.addGame({ id: 3, name: 'Pokemon' })
    upstream.addSet(3, { id: 11, name: 'Chapter 1' })
    upstream.addCard(11, { id: 110, prices: { Normal: 5 } })
    upstream.addCard(11, { id: 111, prices: { Normal: 5, Holofoil: 9 } })
    upstream.publish()
    const world = await syncedWorld(upstream)
    const oracle = [{ day: dayOf(upstream.publishedAt()), market_price: 500 as number | null }]
    for (let day = 1; day <= 260; day++) {
      const market_price = day % 37 === 0 ? null : 100 + ((day * 7) % 450)
      upstream.setPrice(110, 'Normal', market_price === null ? null : market_price / 100)
      await world.day()
      oracle.push({ day: dayOf(upstream.publishedAt()), market_price })
    }
    expect(world.points(110).map(({ day, market_price }) => ({ day, market_price }))).toEqual(
      oracle,
    )
    const count = (table: string) =>
      world.db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0
    // Three series, whose first months are closed and whose last three are open.
    expect(count('history_cold')).toBe(3)
    expect(count('history_hot')).toBe(9)
  })

  test.each([
    ['2026-03-01', 35, 100],
    ['2026-03-01', 36, null],
    ['2026-07-31', 35, 100],
    ['2026-07-31', 36, null],
    ['2024-03-01', 35, 100],
    ['2026-01-30', 30, 100],
    ['2026-01-30', 29, null],
  ])('of %s counts the change of 30 days from %i days before: %p', async (date, age, change) => {
    const start = new Date(Date.parse(`${date}T20:05:50Z`) - age * 86_400_000)
    const upstream = smallUpstream(start.toISOString())
    const world = await syncedWorld(upstream)
    upstream.setPrice(110, 'Normal', 3)
    await world.day(age)
    expect(world.prices(110).Normal?.price_change_30d).toBe(change)
  })
})

/** The expected series as a plain list of days: the oracle of changes and movers. */
type Day = { day: number; price: number | null }

function trackedDays(days: readonly Day[]): Day[] {
  const first = days.findIndex(({ price }) => price !== null && price >= 100)
  return first < 0 ? [] : days.slice(first)
}

function baseOf(days: readonly Day[], period: keyof typeof BASE_AGES): number | null {
  const today = days.at(-1)?.day ?? 0
  const [newest, oldest] = BASE_AGES[period]
  const known = trackedDays(days).filter(
    ({ day, price }) => price !== null && day <= today - newest && day >= today - oldest,
  )
  return known.at(-1)?.price ?? null
}

/** Ages of a base in days, the first and the last one. */
const BASE_AGES = { '24h': [1, 1], '7d': [7, 9], '30d': [30, 35] } as const

const PERIODS = ['24h', '7d', '30d'] as const

/** Prices of the invented printings: two games, types and printings, eight lists each. */
const WALKED = Array.from({ length: 32 }, (_, index) => ({
  id: (index < 16 ? 110 : 210) + ((index % 16) >> 1),
  setId: index < 16 ? 11 : 21,
  gameId: index < 16 ? 3 : 500,
  type: index % 16 < 12 ? ('Cards' as const) : ('Sealed Products' as const),
  printing: index % 2 === 0 ? 'Normal' : 'Holofoil',
}))

const PRICE = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 60, max: 400 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9_000 }) },
  { weight: 1, arbitrary: fc.constant(null) },
)
const STEP = fc.oneof(
  { weight: 8, arbitrary: fc.constant(1) },
  { weight: 2, arbitrary: fc.integer({ min: 2, max: 9 }) },
  { weight: 1, arbitrary: fc.integer({ min: 10, max: 64 }) },
)
const WALK = fc.array(
  fc.record({ step: STEP, prices: fc.array(PRICE, { minLength: 32, maxLength: 32 }) }),
  { minLength: 24, maxLength: 24 },
)

function walkedUpstream(): Upstream {
  const upstream = createUpstream('2025-10-05T20:05:50Z')
  for (const [id, setId] of [
    [3, 11],
    [500, 21],
  ] as const) {
    upstream.addGame({ id, name: `Game ${id}` })
    upstream.addSet(id, { id: setId, name: 'Chapter' })
  }
  for (const { id, setId, type } of WALKED.filter((_, index) => index % 2 === 0)) {
    const facts = type === 'Cards' ? {} : { number: null, rarity: null }
    upstream.addCard(setId, { id, prices: {}, ...facts })
  }
  return upstream
}

describe('changes and movers', () => {
  test('equal those of the plain list of points, for any prices and gaps', async () => {
    await fc.assert(
      fc.asyncProperty(WALK, async (walk) => {
        const world = createSyncWorld(walkedUpstream())
        try {
          const days: Day[][] = WALKED.map(() => [])
          for (const { step, prices } of walk) {
            for (const [index, { id, printing }] of WALKED.entries()) {
              const cents = prices[index] ?? null
              world.upstream.setPrice(id, printing, cents === null ? null : cents / 100)
            }
            // Random prices are unknown more often than the guard accepts.
            const { outcome } = await world.day(step, { force: true })
            expect(outcome).toBe('complete')
            const day = dayOf(world.upstream.publishedAt())
            for (const [index, list] of days.entries()) {
              list.push({ day, price: prices[index] ?? null })
            }
            expectChanges(world, days)
            expectMovers(world, days)
          }
          for (const [index, { id, printing }] of WALKED.entries()) {
            const points = world.points(id, printing)
            expect(points.map(({ day, market_price: price }) => ({ day, price }))).toEqual(
              trackedDays(days[index] ?? []),
            )
          }
        } finally {
          world.close()
        }
      }),
      { numRuns: sizedFor(2, 20), endOnFailure: true },
    )
  })

  function expectChanges(world: SyncWorld, days: readonly Day[][]): void {
    for (const [index, { id, printing }] of WALKED.entries()) {
      const price = world.prices(id)[printing]
      const list = days[index] ?? []
      const now = list.at(-1)?.price ?? null
      expect(price?.market_price ?? null).toBe(now === null ? null : now / 100)
      for (const period of PERIODS) {
        const stored = price?.[`price_change_${period}`] ?? null
        const base = baseOf(list, period)
        if (now === null || base === null) {
          expect({ id, printing, period, stored }).toEqual({ id, printing, period, stored: null })
        } else {
          expect(stored).not.toBeNull()
          expect(Math.abs((stored ?? 0) - ((now - base) / base) * 100)).toBeLessThanOrEqual(0.00501)
        }
      }
    }
  }

  function expectMovers(world: SyncWorld, days: readonly Day[][]): void {
    for (const period of PERIODS) {
      const moved = WALKED.flatMap((series, index) => {
        const list = days[index] ?? []
        const price = list.at(-1)?.price ?? null
        const base = baseOf(list, period)
        return price === null || base === null || price === base
          ? []
          : [{ ...series, price, base, ratio: price / base }]
      })
      for (const direction of ['up', 'down'] as const) {
        for (const game_id of [undefined, 3, 500]) {
          for (const type of [undefined, 'Cards', 'Sealed Products'] as const) {
            for (const printing of [undefined, 'Normal', 'Holofoil', 'Never Seen']) {
              const moving = moved
                .filter(({ ratio }) => (direction === 'up' ? ratio > 1 : ratio < 1))
                .filter((one) => game_id === undefined || one.gameId === game_id)
                .filter((one) => type === undefined || one.type === type)
                .filter((one) => printing === undefined || one.printing === printing)
              const believed = moving
                .filter(({ price, base }) => price >= 100 && base >= 100)
                .filter(({ price, base }) => price <= base * 10 && base <= price * 10)
                .sort((a, b) => (direction === 'up' ? b.ratio - a.ratio : a.ratio - b.ratio))
              const question = { period, direction, game_id, type, printing }
              const { rows, excluded } = world.catalog.movers.listTop({ ...question, limit: 50 })
              expect({ question, excluded }).toEqual({
                question,
                excluded: moving.length - believed.length,
              })
              expect(
                rows.map(({ market_price, price_change }) => [market_price, price_change]),
              ).toEqual(
                believed.map(({ price, ratio }) => [
                  price / 100,
                  expect.closeTo((ratio - 1) * 100, 1),
                ]),
              )
              const key = (card_id: number, of: string) => `${card_id} ${of}`
              expect(rows.map((row) => key(row.card_id, row.printing)).sort()).toEqual(
                believed.map((one) => key(one.id, one.printing)).sort(),
              )
            }
          }
        }
      }
    }
  }

  test('list the fifty biggest changes, best first, without a removed card', async () => {
    const upstream = createUpstream()
    upstream.addGame({ id: 3, name: 'Pokemon' })
    upstream.addSet(3, { id: 11, name: 'Chapter 1' })
    for (let index = 0; index < 60; index++) upstream.addCard(11, { id: 1_000 + index })
    upstream.publish()
    const world = await syncedWorld(upstream)
    for (let index = 0; index < 60; index++) {
      upstream.setPrice(1_000 + index, 'Normal', 2.5 + (index + 1) / 10)
    }
    await world.day()
    const question = { ...ALL_MOVERS, game_id: 3, limit: 50 }
    const best = Array.from({ length: 50 }, (_, index) => 1_059 - index)
    expect(world.catalog.movers.listTop(question).rows.map(({ card_id }) => card_id)).toEqual(best)

    upstream.removeCard(1_059)
    upstream.touch(11)
    await world.day(0.1)
    const left = world.catalog.movers.listTop(question).rows.map(({ card_id }) => card_id)
    expect(left).toEqual(best.map((id) => id - 1))
  })

  test('are reliable after days without a price only if the listings have followed, also on the next day', async () => {
    const world = await syncedWorld()
    const moved = (min_confidence: 'low' | 'medium') =>
      world.catalog.movers
        .listTop({ ...ALL_MOVERS, period: '7d', min_confidence, limit: 50 })
        .rows.map(({ card_id }) => card_id)
    for (const id of [110, 111]) world.upstream.setPrice(id, 'Normal', null)
    for (let day = 1; day < 7; day++) await world.day()
    for (const id of [110, 111]) world.upstream.setPrice(id, 'Normal', 3)
    // A copy at the old price, and none below the new one.
    world.upstream.row(110, 'Normal').lowPrice = 1.5
    world.upstream.row(111, 'Normal').lowPrice = 3
    await world.day()
    expect([moved('low'), moved('medium')]).toEqual([[110, 111], [111]])
    await world.day()
    expect([moved('low'), moved('medium')]).toEqual([[110, 111], [111]])
  })
})

describe('a request', () => {
  test('for one game changes no other game game', async () => {
    const world = openWorld()
    expect(await world.sync({ game: 'pokemon' })).toMatchObject({ outcome: 'complete', games: 1 })
    expect(world.newRequestPaths().some((path) => path.startsWith('tcgplayer/500'))).toBe(false)
    expect(world.catalog.sets.listIds()).toEqual([11, 12])

    const before = world.db.prepare('SELECT * FROM cards WHERE game_id = 3 ORDER BY id').all()
    world.upstream.setPrice(110, 'Normal', 7)
    await world.day(1, { game: 'harbour-and-haven' })
    expect(world.catalog.sets.listIds()).toEqual([11, 12, 21, 22])
    expect(world.db.prepare('SELECT * FROM cards WHERE game_id = 3 ORDER BY id').all()).toEqual(
      before,
    )
    expect(world.prices(110).Normal?.market_price).toBe(1.5)
  })

  test('for one set reads only that set', async () => {
    const world = await syncedWorld()
    world.upstream.setPrice(110, 'Normal', 7)
    world.upstream.setPrice(120, 'Normal', 7)
    await world.day(1, { set: 12 })
    expect(world.newRequestPaths('/prices')).toEqual(['tcgplayer/3/12/prices'])
    expect(world.prices(120).Normal?.market_price).toBe(7)
    expect(world.prices(110).Normal?.market_price).toBe(1.5)

    // The game is not complete yet: the next run adds the rest.
    expect(await world.sync()).toMatchObject({ outcome: 'complete', sets_read: 3 })
    expect(world.prices(110).Normal?.market_price).toBe(7)
  })

  test('that forces fetches everything again and accepts what the guards reject', async () => {
    const world = await syncedWorld()
    world.upstream.removeCard(110)
    world.upstream.removeCard(111)
    world.upstream.removeCard(112)
    world.upstream.touch(11)
    expect(await world.day()).toMatchObject({
      outcome: 'incomplete',
      failures: [{ game: 'pokemon', set: 11, reason: expect.stringContaining('--set 11 --force') }],
    })
    expect(idsOfSet(world, 11)).toEqual([110, 111, 112, 113])
    world.newRequestPaths()
    expect(await world.sync({ force: true })).toMatchObject({ outcome: 'complete', failures: [] })
    expect(world.newRequestPaths()).toEqual(
      expect.arrayContaining([...PRICE_FILES, ...PRODUCT_FILES]),
    )
    for (const path of PRICE_FILES) {
      expect(world.mirror.requestsOf(path).at(-1)?.headers.get('if-none-match')).toBeNull()
    }
    expect(idsOfSet(world, 11)).toEqual([113])
  })

  test.each([[{ game: 'no-such-game' }], [{ set: 999_999 }]])(
    'for an unknown target, %p, fails with a message and changes nothing',
    async (request) => {
      const world = await syncedWorld()
      const before = world.contents({ exact: true })
      const report = await world.sync(request)
      expect(report).toMatchObject({
        outcome: 'failed',
        failures: [{ reason: expect.any(String) }],
      })
      expect(differences(world.contents({ exact: true }), before)).toEqual([])
      // A mistyped command does not affect the freshness of the data.
      expect(world.catalog.games.listFreshness().map((game) => game.stale_since)).toEqual([
        null,
        null,
      ])
    },
  )

  test('for the games that are due skips the others', async () => {
    const world = await syncedWorld()
    // Priority 3 is due the next day, priority 1 (Mondays and Thursdays) is not on a Wednesday.
    await world.day(1, { due: true })
    expect(world.newRequestPaths().some((path) => path.startsWith('tcgplayer/500'))).toBe(false)
    expect(world.prices(110).Normal?.last_updated_at).toBe('2026-03-11T20:05:50.000Z')
    expect(world.prices(210).Normal?.last_updated_at).toBe('2026-03-10T20:05:50.000Z')
    // On Thursday it is due.
    await world.day(1, { due: true })
    expect(world.prices(210).Normal?.last_updated_at).toStartWith('2026-03-12T')
  })
})

describe('import-history', () => {
  /** Days of a random walk below and above a dollar, as archives and as syncs. */
  function walked(): { upstream: Upstream; prices: (number | null)[] } {
    return {
      upstream: smallUpstream('2026-01-20T20:05:50Z'),
      prices: [0.4, 1.6, 0.7, null, 0.9, 3.1, 2.2, 0.6, 1.1, 5, 4.5, 4],
    }
  }

  function setDay(upstream: Upstream, price: number | null, days: number): void {
    upstream.setPrice(110, 'Normal', price)
    upstream.setPrice(121, 'Zebra Foil', price === null ? null : price + 0.25)
    upstream.publish(days)
  }

  const oddFirst = (folders: string[]) => (one: string, other: string) =>
    (folders.indexOf(other) % 2) - (folders.indexOf(one) % 2)

  /** Writes an archive folder per day; the upstream has the last day. */
  function archives(upstream: Upstream, prices: (number | null)[]): string[] {
    return prices.map((price, index) => {
      const folder = tempFolder()
      setDay(upstream, price, index === 0 ? 0 : 1)
      writeArchive(upstream, folder)
      return folder
    })
  }

  /** Returns the content of a catalog that was synced on each of these days. */
  async function syncedEveryDay() {
    const { upstream, prices } = walked()
    const world = openWorld(upstream)
    for (const [index, price] of prices.entries()) {
      setDay(upstream, price, index === 0 ? 0 : 1)
      await world.sync()
    }
    return world.contents()
  }

  /** History and what is derived from it: the result of an import. */
  function derived(contents: Contents): Contents {
    const { history, prices, price_texts, price_changes, movers, mover_exclusions } = contents
    // An import does not set the time of a price's last change.
    const rows = prices?.map((text) => JSON.stringify({ ...JSON.parse(text), changed_at: 0 }))
    const texts = { price_texts, price_changes }
    const more = { history, prices: rows, ...texts, movers, mover_exclusions }
    return Object.fromEntries(Object.entries(more).map(([table, lines]) => [table, lines ?? []]))
  }

  test('of all days equals a sync on every one of them', async () => {
    const { upstream, prices } = walked()
    const folders = archives(upstream, prices)
    const world = await syncedWorld(upstream)
    for (const folder of folders) world.importHistory(folder)
    const wanted = derived(await syncedEveryDay())
    expect(differences(derived(world.contents()), wanted)).toEqual([])
  })

  test.each([
    ['twice', (folders: string[]) => [...folders, ...folders]],
    ['every other day first', (folders: string[]) => folders.toSorted(oddFirst(folders))],
  ])('again or with gaps filled later (%s) equals one import', async (_, order) => {
    const { upstream, prices } = walked()
    const folders = archives(upstream, prices)
    const [one, other] = [await syncedWorld(upstream), await syncedWorld(upstream)]
    for (const folder of folders) one.importHistory(folder)
    for (const folder of order(folders)) other.importHistory(folder)
    expect(differences(other.contents(), one.contents())).toEqual([])
  })

  test('of days that a sync has loaded changes none of them', async () => {
    const { upstream, prices } = walked()
    const world = openWorld(upstream)
    const folder = tempFolder()
    for (const [index, price] of prices.entries()) {
      setDay(upstream, price, index === 0 ? 0 : 1)
      writeArchive(upstream, folder)
      await world.sync()
    }
    const before = world.contents()
    const report = world.importHistory(folder)
    expect(report).toMatchObject({ days: prices.length, unknown_cards: 0, failures: [] })
    expect(differences(world.contents(), before)).toEqual([])
  })

  test('of a printing that is not on the list of printings follows a sync that loaded it', async () => {
    const upstream = smallUpstream()
    upstream.setPrice(110, 'Zebra Foil', 3)
    const folder = tempFolder()
    upstream.publish()
    writeArchive(upstream, folder)
    const world = openWorld(upstream)
    // Through a single connection to the catalog, as the bundled sample is loaded.
    upstream.publish(1)
    await world.sync()
    expect(importHistory(world.deps, folder)).toMatchObject({ days: 1, failures: [] })
    expect(world.points(110, 'Zebra Foil')).toHaveLength(2)
  })

  test('that makes a price doubtful changes the picture of the game with that of its set', async () => {
    const upstream = smallUpstream()
    // The most expensive products. Nobody sells them at their price, which has not moved for months.
    for (const id of [113, 123]) {
      Object.assign(upstream.row(id), { lowPrice: 170, midPrice: 200 })
    }
    const folder = tempFolder()
    for (let week = 0; week < 17; week++) {
      writeArchive(upstream, folder)
      for (const id of [112, 122]) upstream.setPrice(id, 'Holofoil', 7 + week)
      upstream.publish(7)
    }
    const world = await syncedWorld(upstream)
    const pictures = () => [
      world.catalog.games.getBySlugOrId('pokemon')?.image_url,
      world.catalog.sets.getById(11)?.image_url,
    ]
    const pictureOf = (id: number) => `https://pictures.example/product/${id}_200w.jpg`
    expect(pictures()).toEqual([pictureOf(113), pictureOf(113)])
    world.importHistory(folder)
    expect(pictures()).toEqual([pictureOf(112), pictureOf(112)])
  })

  test('adds no current price of a printing that exists only in archives', async () => {
    const upstream = smallUpstream()
    upstream.setPrice(110, 'Reverse Holofoil', 0.3)
    upstream.setPrice(111, 'Reverse Holofoil', 3)
    // The rest of this card has no history.
    upstream.addCard(11, { id: 119, prices: { Normal: 0.4, Holofoil: 0.6 } })
    upstream.publish()
    const folder = tempFolder()
    writeArchive(upstream, folder)
    upstream.removePrinting(119, 'Holofoil')
    upstream.removePrinting(110, 'Reverse Holofoil')
    upstream.removePrinting(111, 'Reverse Holofoil')
    upstream.publish(1)
    const world = await syncedWorld(upstream)
    world.importHistory(folder)
    for (const isSyncedAgain of [false, true]) {
      if (isSyncedAgain) await world.day()
      expect(Object.keys(world.prices(111))).not.toContain('Reverse Holofoil')
      expect(Object.keys(world.prices(111))).toContain('Normal')
      const priced = world.catalog.pricedCards.getByIds([111]).get(111)
      expect(priced?.printings.map(({ printing }) => printing)).not.toContain('Reverse Holofoil')
    }
    expect(world.points(111, 'Reverse Holofoil')[0]?.market_price).toBe(300)
    world.upstream.setPrice(111, 'Reverse Holofoil', 4)
    await world.day()
    expect(world.prices(111)['Reverse Holofoil']?.market_price).toBe(4)
  })

  test('recomputes changes and movers, as one publication', async () => {
    const upstream = smallUpstream()
    const folder = tempFolder()
    writeArchive(upstream, folder)
    upstream.setPrice(110, 'Normal', 3)
    upstream.publish(1)
    const world = await syncedWorld(upstream)
    const at = version(world)
    expect(world.prices(110).Normal?.price_change_24h).toBeNull()
    const report = world.importHistory(folder)
    expect(report).toMatchObject({ days: 1, points: 28, unknown_cards: 0, bad_records: 0 })
    expect(world.prices(110).Normal?.price_change_24h).toBe(100)
    const top = world.catalog.movers.listTop({ ...ALL_MOVERS, limit: 1 })
    expect(top.rows[0]).toMatchObject({ card_id: 110, price_change: 100 })
    expect(version(world)).toBe(at + 1)
  })

  test('counts unknown cards, and continues after a broken file', async () => {
    const upstream = smallUpstream()
    upstream.group(11).strays.push({ productId: 7_777, ...priceRow('Normal', 9) })
    upstream.publish()
    upstream.files.set('tcgplayer/3/12/prices', '<html>')
    const folder = tempFolder()
    writeArchive(upstream, folder)
    upstream.publish(1)
    const world = await syncedWorld(upstream)
    expect(world.importHistory(folder)).toMatchObject({
      days: 1,
      points: 21,
      unknown_cards: 1,
      failures: [{ file: expect.stringContaining('3/12/prices') }],
    })
  })

  test('into a catalog that was never synced leaves it without a publication', () => {
    const upstream = smallUpstream()
    const folder = tempFolder()
    writeArchive(upstream, folder)
    const world = openWorld(upstream)
    expect(world.importHistory(folder)).toMatchObject({ points: 0, unknown_cards: 28 })
    expect(world.catalog.publication.getCurrent().published_at).toBeNull()
  })
})
