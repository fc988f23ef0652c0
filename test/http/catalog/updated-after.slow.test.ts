import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { importHistory } from '#actions/sync/import-history.ts'
import { syncCatalog } from '#actions/sync/sync-catalog.ts'
import { openMarketplace } from '#outbound/marketplace/marketplace.ts'
import { openCatalogWriter } from '#store/open-catalog-writer.ts'
import { CHAOS_LIMIT_MS, sizedFor } from '../../support/chaos.ts'
import { closeAfterEach, createTempFolder } from '../../support/closers.ts'
import { startMirror } from '../../support/sync/mirror-server.ts'
import {
  createWarningLog,
  SMALL_SETS,
  smallUpstream,
  writeArchive,
} from '../../support/sync/upstream-fixture.ts'
import { createTestApp } from '../../support/test-app.ts'
import type { CardRow, PriceRow, Row } from '../../support/test-client.ts'

const closers = closeAfterEach()

/** Creates an app with the sample, and two games that are synced from a mirror that the test changes. */
async function openWorld() {
  const testApp = await createTestApp({ onDisk: true })
  const upstream = smallUpstream('2026-11-16T20:05:50Z')
  const mirror = startMirror(upstream.files)
  const marketplace = openMarketplace({ upstreamUrl: mirror.url, userAgent: 'test', pauseMs: 0 })
  const { dataDir } = testApp.deps.config
  const catalogWriter = openCatalogWriter(dataDir)
  const clock: { now: () => Date } = {
    now: () => new Date(upstream.publishedAt().getTime() + 3_600_000),
  }
  const deps = {
    dataDir,
    catalogWriter,
    marketplace,
    log: createWarningLog([]),
    now: () => clock.now(),
  }
  const refresh = () => testApp.deps.catalog.publication.refresh()
  closers.push(() => {
    marketplace.close()
    mirror.close()
    catalogWriter.close()
    testApp.close()
  })

  const world = {
    upstream,
    /** Runs the clock of the sync: an hour after the publication unless a test sets it. */
    clock,
    async sync(): Promise<void> {
      upstream.publish(1)
      // Every file is read again, and every row is written again if the catalogWriter is careless.
      const report = await syncCatalog(deps, { force: true })
      expect(report.outcome).toBe('complete')
      refresh()
    },
    importHistory(folder: string): void {
      importHistory(deps, folder)
      refresh()
    },
    async list<T = Row>(path: string): Promise<T[]> {
      const { status, body, text } = await testApp.client.get<T[]>(path, { as: 'business' })
      if (status !== 200) throw new Error(`${path}: ${text}`)
      return body.data
    },
    get: (path: string) => testApp.client.get<Row[]>(path, { as: 'business' }),
    async changedAt(): Promise<string> {
      return String((await testApp.client.get('/v1/meta')).body.data.changed_at)
    },
  }
  await world.sync()
  return world
}

type World = Awaited<ReturnType<typeof openWorld>>

/** Returns the list entries after a time: IDs of sets and cards, and card and printing of prices. */
async function changesAfter(world: World, moment: string) {
  const query = `updated_after=${moment}&per_page=100`
  const sets = await world.list<{ id: number }>(`/v1/sets?${query}`)
  const cards: number[] = []
  const prices: string[] = []
  for (const [, set] of SMALL_SETS) {
    const found = await world.list<CardRow>(`/v1/sets/${set}/cards?${query}`)
    cards.push(...found.map(({ id }) => Number(id)))
    const rows = await world.list<PriceRow>(`/v1/sets/${set}/prices?${query}`)
    prices.push(...rows.map((row) => `${row.card_id} ${row.printing}`))
  }
  return { sets: sets.map(({ id }) => id).sort(), cards: cards.sort(), prices: prices.sort() }
}

/** Returns the expected entries after a sync of such a change; there must be no others. */
async function changesOf(change: (world: World) => void) {
  const world = await openWorld()
  // Applies the changes due to the passing of a day.
  await world.sync()
  const before = await world.changedAt()
  change(world)
  await world.sync()
  return { world, before, changes: await changesAfter(world, before) }
}

const both = (...cards: number[]) =>
  cards.flatMap((card) => [`${card} Holofoil`, `${card} Normal`]).sort()

describe('changes since a time', () => {
  test('are empty after a sync without changes', async () => {
    const { world, before, changes } = await changesOf(() => {})
    expect(changes).toEqual({ sets: [], cards: [], prices: [] })
    expect((await world.changedAt()) > before).toBe(true)
    const sets = await world.list<{ last_synced_at: string }>('/v1/sets?game=pokemon')
    expect(sets[0]?.last_synced_at).toStartWith('2026-11-19')
  })

  test('include a price, its card and its set, and no other printing, card or set', async () => {
    const { changes } = await changesOf(({ upstream }) => upstream.setPrice(110, 'Normal', 1.75))
    expect(changes).toEqual({ sets: [11], cards: [110], prices: ['110 Normal'] })
  })

  test.each([
    ['lowPrice', 0.11],
    ['midPrice', null],
    ['lowestPriceWithShipping', 2.5],
    ['buylistPrice', 1],
  ])('include a price if only its %s changes', async (field, value) => {
    const { changes } = await changesOf(({ upstream }) => {
      Object.assign(upstream.row(111, 'Holofoil'), { [field]: value })
    })
    expect(changes).toEqual({ sets: [11], cards: [111], prices: ['111 Holofoil'] })
  })

  test('include a price whose daily change differs a day later', async () => {
    const { world } = await changesOf(({ upstream }) => upstream.setPrice(110, 'Normal', 1.75))
    const before = await world.changedAt()
    await world.sync()
    expect(await changesAfter(world, before)).toEqual({
      sets: [11],
      cards: [110],
      prices: ['110 Normal'],
    })
  })

  test.each([
    ['name', { name: 'Tide Tortoise' }],
    ['picture', { imageUrl: 'https://pictures.example/other.jpg' }],
    ['link', { url: 'https://marketplace.example/other' }],
    ['listings', { totalListings: 7 }],
    ['attributes', { extendedData: [{ name: 'Rarity', value: 'Rare' }] }],
    ['foil', { foilOnly: true }],
  ])('include a card whose %s changes, with its prices', async (_what, extra) => {
    const { changes } = await changesOf(({ upstream }) => {
      Object.assign(upstream.product(121).extra, extra)
    })
    expect(changes).toEqual({ sets: [12], cards: [121], prices: both(121) })
  })

  test('include a new, a restored and a moved card', async () => {
    const { world, before, changes } = await changesOf(({ upstream }) => {
      upstream.addCard(11, { id: 119, prices: { Normal: 3 } })
      upstream.removeCard(121)
    })
    expect(changes).toEqual({ sets: [11, 12], cards: [119], prices: ['119 Normal'] })

    const gone = await world.changedAt()
    world.upstream.removeCard(119)
    world.upstream.addCard(12, { id: 119, prices: { Normal: 3 } })
    world.upstream.addCard(12, { id: 121, prices: { Normal: 2.5, Holofoil: 5 } })
    await world.sync()
    expect(await changesAfter(world, gone)).toEqual({
      sets: [11, 12],
      cards: [119, 121],
      prices: ['119 Normal', ...both(121)].sort(),
    })
    expect((await changesAfter(world, before)).cards).toEqual([119, 121])
  })

  test('include only the set if a field changes that its cards do not show', async () => {
    const { changes } = await changesOf(({ upstream }) => {
      upstream.group(11).abbreviation = 'NEW'
      upstream.group(12).publishedOn = '2025-11-15T00:00:00'
    })
    expect(changes).toEqual({ sets: [11, 12], cards: [], prices: [] })
  })

  test('include every card of a renamed set', async () => {
    const { changes } = await changesOf(({ upstream }) => {
      upstream.group(21).name = 'Chapter One'
    })
    expect(changes.sets).toEqual([21])
    expect(changes.cards).toEqual([210, 211, 212, 213])
    expect(changes.prices).toHaveLength(7)
  })

  test('include every set and card of a renamed game', async () => {
    const { world, before, changes } = await changesOf(({ upstream }) => {
      const [, game] = upstream.games
      if (game !== undefined) game.name = 'Haven & Harbour'
    })
    expect(changes.sets).toEqual([21, 22])
    expect(changes.cards).toEqual([210, 211, 212, 213, 220, 221, 222, 223])
    const list = await world.get(`/v1/games/harbour-and-haven/sets?updated_after=${before}`)
    expect(list.body.meta.total).toBe(2)
    const other = await world.get(`/v1/games/pokemon/sets?updated_after=${before}`)
    expect(other.body).toMatchObject({ data: [], meta: { total: 0, has_more: false } })
  })

  test('include changes by an import of older days', async () => {
    const world = await openWorld()
    const folder = createTempFolder('cardstock-archive-')
    // A week before the second sync.
    const older = smallUpstream('2026-11-11T20:05:50Z')
    for (const card of CARDS) if (card !== 110 && card !== 220) older.removeCard(card)
    older.removePrinting(110, 'Holofoil')
    older.setPrice(110, 'Normal', 3)
    older.removePrinting(220, 'Normal')
    older.removePrinting(220, 'Holofoil')
    older.setPrice(220, 'Reverse Holofoil', 8)
    older.publish()
    writeArchive(older, folder)
    await world.sync()
    const before = await world.changedAt()
    world.importHistory(folder)
    const changes = await changesAfter(world, before)
    // A printing that only the archive has adds to the history of card 220, but to no current price.
    expect(changes).toEqual({ sets: [11], cards: [110], prices: ['110 Normal'] })

    const imported = await world.changedAt()
    world.importHistory(folder)
    expect(await changesAfter(world, imported)).toEqual({ sets: [], cards: [], prices: [] })
  })

  test('are complete even if the clock is changed', async () => {
    const world = await openWorld()
    const times = ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z', '2025-01-01T00:00:00Z']
    for (const [index, time] of times.entries()) {
      world.clock.now = () => new Date(time)
      const before = await world.changedAt()
      world.upstream.setPrice(110, 'Normal', 5 + index)
      await world.sync()
      expect((await changesAfter(world, before)).prices).toContain('110 Normal')
      expect((await world.changedAt()) > before).toBe(true)
    }
  })

  test('count from the end of the publication: earlier requests saw the old data', async () => {
    const world = await openWorld()
    let seconds = 0
    world.clock.now = () => new Date(Date.UTC(2026, 10, 25) + ++seconds * 1_000)
    world.upstream.setPrice(110, 'Normal', 9)
    await world.sync()
    const [set] = await world.list<{ last_synced_at: string }>('/v1/sets?game=pokemon')
    expect((await world.changedAt()) > String(set?.last_synced_at)).toBe(true)
  })
})

describe('the time', () => {
  test('may be in any zone, or a date', async () => {
    const { world, before } = await changesOf(({ upstream }) => upstream.setPrice(110, 'Normal', 2))
    const after = await world.changedAt()
    expect([before, after]).toEqual(['2026-11-18T21:05:50.000Z', '2026-11-19T21:05:50.000Z'])
    const counts = async (moment: string) =>
      (await world.get(`/v1/sets?game=pokemon&updated_after=${moment}`)).body.meta.total
    for (const moment of [
      before,
      '2026-11-19',
      '2026-11-19T21:05:49.999Z',
      '2026-11-19T23:05:49%2B02:00',
      '2026-11-19T23:05:49+02:00',
      '2026-11-19T16:05:49-05:00',
    ]) {
      expect([moment, await counts(moment)]).toEqual([moment, 1])
    }
    for (const moment of [after, '2026-11-20', '2026-11-19T23:05:50%2B02:00', '9999-12-31']) {
      expect([moment, await counts(moment)]).toEqual([moment, 0])
    }
    for (const moment of ['0000-01-01', '1969-12-31', '2026-11-15']) {
      expect([moment, await counts(moment)]).toEqual([moment, 2])
    }
  })

  test('combines with every other filter and with pages, in the order of the list', async () => {
    const world = await openWorld()
    for (const path of ['/v1/sets', '/v1/sets/11/cards', '/v1/sets/90021/cards']) {
      const whole = await world.list(`${path}?per_page=100`)
      const pages: Row[] = []
      for (let page = 1; page <= Math.ceil(whole.length / 2); page++) {
        const query = `updated_after=2000-01-01&page=${page}&per_page=2`
        const { body } = await world.get(`${path}?${query}`)
        expect(body.meta.total).toBe(whole.length)
        pages.push(...body.data)
      }
      expect(pages).toEqual(whole)
    }
    const sealed = await world.list(
      '/v1/sets/11/cards?type=Sealed%20Products&updated_after=2000-01-01',
    )
    expect(sealed.map(({ id }) => id)).toEqual([113])
    const prices = await world.list('/v1/sets/11/prices?type=Cards&updated_after=2000-01-01')
    expect(prices).toEqual(await world.list('/v1/sets/11/prices?type=Cards'))
  })
})

// --- a client that keeps a copy ---

type Copy = Record<'sets' | 'cards' | 'prices', Map<string, string>>

/** Rows as a client stores them, without the time of the last sync. */
async function rowsAfter(world: World, moment: string | undefined): Promise<Copy> {
  const query = `per_page=100${moment === undefined ? '' : `&updated_after=${moment}`}`
  const keep = (value: unknown) =>
    JSON.stringify(value, (name, member) =>
      name === 'last_synced_at' || name === 'last_updated_at' ? undefined : member,
    )
  const copy: Copy = { sets: new Map(), cards: new Map(), prices: new Map() }
  for (const set of await world.list(`/v1/sets?${query}`)) copy.sets.set(String(set.id), keep(set))
  for (const { id } of await world.list('/v1/sets?per_page=100')) {
    for (const card of await world.list(`/v1/sets/${id}/cards?${query}`)) {
      copy.cards.set(String(card.id), keep(card))
    }
    for (const price of await world.list(`/v1/sets/${id}/prices?${query}`)) {
      copy.prices.set(`${price.card_id} ${price.printing}`, keep(price))
    }
  }
  return copy
}

const CARDS = SMALL_SETS.flatMap(([, set]) => [0, 1, 2, 3].map((index) => set * 10 + index))

/** Possible changes in an upstream within a day. Impossible ones are skipped. */
const change = fc.record({
  kind: fc.constantFrom('price', 'printing', 'name', 'picture', 'leave', 'come', 'set', 'game'),
  card: fc.constantFrom(...CARDS),
  set: fc.constantFrom(...SMALL_SETS.map(([, set]) => set)),
  printing: fc.constantFrom('Normal', 'Holofoil', 'Foil'),
  cents: fc.option(fc.integer({ min: 1, max: 500 })),
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function apply({ upstream }: World, { kind, card, set, printing, cents }: Change): void {
  const isThere = upstream.games.some(({ groups }) =>
    groups.some(({ products }) => products.some(({ productId }) => productId === card)),
  )
  const price = cents === null ? null : cents / 100
  if (kind === 'set') upstream.group(set).name = `Chapter ${cents}`
  else if (kind === 'game') Object.assign(upstream.games[set % 2] ?? {}, { name: `Game ${cents}` })
  else if (kind === 'come' && !isThere && set < 20 === card < 200) {
    upstream.addCard(set, { id: card, prices: { [printing]: price } })
  } else if (!isThere) return
  else if (kind === 'leave') upstream.removeCard(card)
  else if (kind === 'price') upstream.setPrice(card, printing, price)
  else if (kind === 'printing') upstream.removePrinting(card, printing)
  else if (kind === 'name') upstream.product(card).name = `Card ${cents}`
  else upstream.product(card).extra.imageUrl = `https://pictures.example/${cents}.jpg`
}

test(
  'a client that requests changes since its last request is complete, and receives no unchanged card',
  async () => {
    const days = fc.array(fc.array(change, { maxLength: 4 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(days, async (upstreamDays) => {
        const world = await openWorld()
        let visited = await world.changedAt()
        const copy = await rowsAfter(world, undefined)
        for (const changes of upstreamDays) {
          for (const one of changes) apply(world, one)
          await world.sync()
          const moment = visited
          visited = await world.changedAt()
          const changed = await rowsAfter(world, moment)
          const whole = await rowsAfter(world, undefined)
          for (const [id, card] of changed.cards)
            expect([id, copy.cards.get(id)]).not.toEqual([id, card])
          for (const name of ['sets', 'cards', 'prices'] as const) {
            for (const [key, row] of changed[name]) copy[name].set(key, row)
            for (const key of copy[name].keys()) if (!whole[name].has(key)) copy[name].delete(key)
            expect(copy[name]).toEqual(whole[name])
          }
        }
        for (const close of closers.splice(0).reverse()) close()
      }),
      { numRuns: sizedFor(5, 50) },
    )
  },
  CHAOS_LIMIT_MS,
)
