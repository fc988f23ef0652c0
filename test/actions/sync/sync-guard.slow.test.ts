// Wrong prices are never published, however often a run is killed or the mirror fails in between. The whole game is
// checked when it is published.
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { getLastSync } from '#actions/sync/get-last-sync.ts'
import type { SyncReport } from '#actions/sync/sync-catalog.ts'
import { openDatabase } from '#store/db.ts'
import { acquireLock } from '#store/files/lock.ts'
import { createSyncTrigger } from '#store/memory/sync-trigger.ts'
import { sizedFor } from '../../support/chaos.ts'
import { closeAfterEach } from '../../support/closers.ts'
import { randomFrom } from '../../support/random.ts'
import {
  createSyncWorld,
  createUpstream,
  priceRow,
  type SyncWorld,
  type Upstream,
} from '../../support/sync/upstream-fixture.ts'

const closers = closeAfterEach()

const SETS = Array.from({ length: 12 }, (_, index) => 11 + index)
const CARDS_A_SET = 6

/** Creates a game of many sets too small to be checked alone, and a small game beside it. */
function openUpstream(): Upstream {
  const upstream = createUpstream()
  const random = randomFrom(21)
  upstream.addGame({ id: 3, name: 'Pokemon' })
  for (const setId of SETS) {
    upstream.addSet(3, { id: setId, name: `Chapter ${setId}` })
    for (let index = 0; index < CARDS_A_SET; index++) {
      // Half of the cards cost cents, as in a real set, the others up to 60 dollars.
      const price = () => Math.ceil(100 * 0.1 * 600 ** random()) / 100
      upstream.addCard(setId, {
        id: setId * 100 + index,
        prices: { Normal: price(), Holofoil: price() },
      })
    }
  }
  upstream.addGame({ id: 500, name: 'Harbour' })
  upstream.addSet(500, { id: 91, name: 'Pier' })
  upstream.addCard(91, { id: 9_100, prices: { Normal: 3 } })
  upstream.publish()
  return upstream
}

/** Opens a catalog that was synced yesterday. */
async function openWorld(upstream = openUpstream()): Promise<SyncWorld> {
  const world = createSyncWorld(upstream, { retries: 0 })
  closers.push(world.close)
  expect(await world.sync()).toMatchObject({ outcome: 'complete', failures: [] })
  return world
}

/** Changes every known price of these sets. */
function reprice(upstream: Upstream, sets: readonly number[], change: Shape): void {
  const rows = sets.flatMap((id) => upstream.group(id).products.flatMap((product) => product.rows))
  const prices = rows.map((row) => row.marketPrice ?? 0)
  for (const [index, row] of rows.entries()) {
    const price = Math.round(change(prices[index] ?? 0, index, prices) * 100) / 100
    Object.assign(row, priceRow(row.subTypeName, price))
  }
}

type Shape = (price: number, index: number, prices: readonly number[]) => number

/** Faults of an upstream that make every price of a game wrong. */
const SHAPES: [string, Shape][] = [
  ['a thousand times as high', (price) => price * 1_000],
  ['a thousandth', (price) => Math.max(0.01, price / 1_000)],
  ['cents for dollars', (price) => price * 100],
  ['dollars for cents', (price) => Math.max(0.01, price / 100)],
  ['in another currency', (price) => price * 150],
  ['a cent each', () => 0.01],
  ['the same for all', () => 4.99],
  ['cut off at the decimal comma', (price) => Math.trunc(price)],
  ['those of other printings', (_, index, prices) => prices.toSorted()[index] ?? 0],
  ['in reverse order', (_, index, prices) => prices.toReversed()[index] ?? 0],
]

const NOTHING_PUBLISHED = { prices_changed: 0 }

/** Market prices of the large game, in cents, by card and printing. */
function storedPrices(world: SyncWorld): Map<string, number> {
  const rows = world.db.prepare<[], { key: string; price: number | null }>(
    `SELECT card_id || ' ' || printing_id AS key, market_price AS price FROM prices
      WHERE card_id < 9000`,
  )
  return new Map(rows.all().flatMap(({ key, price }) => (price === null ? [] : [[key, price]])))
}

function expectRejected(report: SyncReport, world: SyncWorld): void {
  expect(report).toMatchObject({ outcome: 'incomplete', ...NOTHING_PUBLISHED })
  expect(report.failures.map(({ game }) => game)).toContain('pokemon')
  expect(JSON.stringify(report.failures)).toContain('--game pokemon --force')
  expect(world.staleGames()).toEqual(['pokemon'])
}

describe.each(SHAPES)('prices that are %s', (_, shape) => {
  test('are rejected, until the upstream is right again or an operator accepts them', async () => {
    const world = await openWorld()
    const before = storedPrices(world)
    reprice(world.upstream, SETS, shape)
    expectRejected(await world.day(), world)
    expect(storedPrices(world)).toEqual(before)

    expect(await world.sync({ game: 'pokemon', force: true })).toMatchObject({
      outcome: 'complete',
      failures: [],
    })
    expect(storedPrices(world)).not.toEqual(before)
    expect(world.staleGames()).toEqual([])
  })
})

test.each(SETS.map((_, index) => index + 1))(
  'wrong prices are rejected when the run was killed after %i of their sets',
  async (sets) => {
    const world = await openWorld()
    const before = storedPrices(world)
    reprice(world.upstream, SETS, (price) => price * 1_000)
    world.upstream.publish(1)
    // The one set of the smaller game is read first.
    expect(await world.stopAfter(1 + sets)).toBe(true)
    expect(storedPrices(world)).toEqual(before)
    world.newRequestPaths()
    expectRejected(await world.sync(), world)
    // The run was resumed, not restarted.
    const read = world.newRequestPaths().filter((path) => /\/3\/.*prices/.test(path))
    expect(read).toHaveLength(SETS.length - sets)
    expect(storedPrices(world)).toEqual(before)
  },
)

test('a rejected game is not read again until the mirror publishes again', async () => {
  const world = await openWorld()
  const before = storedPrices(world)
  reprice(world.upstream, SETS, (price) => price * 1_000)
  expectRejected(await world.day(), world)
  world.newRequestPaths()
  for (const _ of ['an hour later', 'two hours later']) {
    expectRejected(await world.sync({ due: true }), world)
    const read = world.newRequestPaths().filter((path) => /products|prices/.test(path))
    expect(read).toEqual([])
  }
  reprice(world.upstream, SETS, (price) => price / 1_000)
  expect(await world.day()).toMatchObject({ outcome: 'complete', failures: [] })
  expect(storedPrices(world)).toEqual(before)
  expect(existsSync(join(world.deps.dataDir, 'staging'))).toBe(false)
})

test('a small set, the only one that could be read of a wrong game, is checked like the whole game', async () => {
  const world = await openWorld()
  const before = storedPrices(world)
  reprice(world.upstream, SETS, (price) => price * 6)
  for (const id of SETS.slice(1)) world.mirror.fault(`tcgplayer/3/${id}/prices`, { status: 500 })
  expect((await world.day()).failures.at(-1)?.reason).toContain('12 of 12 prices that would move')
  expect(storedPrices(world)).toEqual(before)
})

test('wrong prices that a forced run staged are rejected when it was killed', async () => {
  const world = await openWorld()
  const before = storedPrices(world)
  reprice(world.upstream, SETS, (price) => price * 1_000)
  world.upstream.publish(1)
  expect(await world.stopAfter(SETS.length, { force: true })).toBe(true)
  expectRejected(await world.sync(), world)
  expect(storedPrices(world)).toEqual(before)
})

describe('prices that vanish from small sets', () => {
  const TEN = Array.from({ length: 10 }, (_, index) => index + 1)

  /** Creates a game of ten sets with five known prices each, some of which disappear from these sets. */
  async function loseFrom(sets: readonly number[], prices: number): Promise<SyncWorld> {
    const upstream = createUpstream()
    upstream.addGame({ id: 3, name: 'Pokemon' })
    for (const set of TEN) {
      upstream.addSet(3, { id: set, name: `Chapter ${set}` })
      for (let card = 0; card < 5; card++) upstream.addCard(set, { id: set * 100 + card })
    }
    upstream.publish()
    const world = await openWorld(upstream)
    for (const set of sets) {
      for (let card = 0; card < prices; card++) upstream.setPrice(set * 100 + card, 'Normal', null)
    }
    upstream.publish(1)
    return world
  }

  test('stay when the run was killed before its last set', async () => {
    const world = await loseFrom(TEN, 4)
    expect(await world.stopAfter(9)).toBe(true)
    expect((await world.sync()).failures).toEqual([
      { game: 'pokemon', reason: expect.stringContaining('would lose 40 of its 50 known prices') },
    ])
    expect(storedPrices(world).size).toBe(50)
  })

  test('stay when the mirror fails for the other sets', async () => {
    const world = await loseFrom(TEN.slice(0, 5), 5)
    for (const set of TEN.slice(5)) world.mirror.fault(`tcgplayer/3/${set}/prices`, { status: 500 })
    expect(await world.sync()).toMatchObject({ outcome: 'incomplete', sets_read: 0 })
    expect(storedPrices(world).size).toBe(50)
  })
})

describe('any schedule of kills and failures', () => {
  /** A run: the sets that respond with 500, and the number of sets after which it is killed. */
  const run = fc.record({
    failing: fc.subarray(SETS),
    killedAfter: fc.option(fc.integer({ min: 1, max: SETS.length }), { nil: undefined }),
  })

  test('publishes nothing that an uninterrupted run would have rejected', async () => {
    const schedule = fc.record({
      shape: fc.constantFrom(...SHAPES.map(([, shape]) => shape)),
      wrong: fc.subarray(SETS, { minLength: 1 }),
      runs: fc.array(run, { minLength: 1, maxLength: 5 }),
    })
    await fc.assert(
      fc.asyncProperty(schedule, async ({ shape, wrong, runs }) => {
        const world = await openWorld()
        const before = storedPrices(world)
        reprice(world.upstream, wrong, shape)
        world.upstream.publish(1)
        for (const { failing, killedAfter } of [...runs, { failing: [], killedAfter: undefined }]) {
          for (const id of failing) world.mirror.fault(`tcgplayer/3/${id}/prices`, { status: 500 })
          await world.stopAfter(killedAfter)
          world.mirror.recover()
          expectPlausible(before, storedPrices(world))
        }
        for (const close of closers.splice(0)) close()
      }),
      { numRuns: sizedFor(12, 300) },
    )
  }, 120_000)

  /** The limits of docs/reference/choices.md, row 34, computed as simply as possible. */
  function expectPlausible(before: Map<string, number>, after: Map<string, number>): void {
    const both = [...before].flatMap(([key, old]) => {
      const now = after.get(key)
      return now === undefined ? [] : [{ old, now, factor: Math.max(old / now, now / old) }]
    })
    expect(both.length).toBeGreaterThanOrEqual(before.size * 0.8)
    const beyond = (limit: number) => both.filter(({ factor }) => factor > limit).length
    expect(beyond(5)).toBeLessThanOrEqual(both.length * 0.3)
    expect(beyond(50)).toBeLessThanOrEqual(both.length * 0.1)
    expect(beyond(3)).toBeLessThanOrEqual(both.length * 0.5)
    for (const value of new Set(both.map(({ now }) => now))) {
      const others = both.filter(({ old }) => old !== value)
      const arrived = others.filter(({ now }) => now === value)
      expect(arrived.length).toBeLessThanOrEqual(others.length / 2)
    }
  }
})

describe('a game of 100 cards', () => {
  function openHundred(): Upstream {
    const upstream = createUpstream()
    upstream.addGame({ id: 3, name: 'Pokemon' })
    for (const set of [11, 12, 13, 14]) {
      upstream.addSet(3, { id: set, name: `Chapter ${set}` })
      for (let index = 0; index < 25; index++) {
        upstream.addCard(set, { id: set * 100 + index, prices: { Normal: 2 + index / 100 } })
      }
    }
    upstream.publish()
    return upstream
  }

  /** Multiplies the prices of this many cards, spread over the sets. */
  function move(upstream: Upstream, cards: number, factor: number): void {
    const products = upstream.games.flatMap(({ groups }) => groups.flatMap((set) => set.products))
    for (const { productId, rows } of products
      .toSorted((a, b) => (a.productId % 100) - (b.productId % 100))
      .slice(0, cards)) {
      upstream.setPrice(
        productId,
        'Normal',
        Math.round((rows[0]?.marketPrice ?? 0) * factor * 100) / 100,
      )
    }
  }

  test.each([
    [30, 6, 'complete'],
    [31, 6, 'incomplete'],
    [31, 1 / 6, 'incomplete'],
    [100, 5, 'incomplete'],
    [100, 2.9, 'complete'],
    [10, 60, 'incomplete'],
    [8, 45, 'complete'],
  ])('of which %i change by factor %d is %p', async (cards, factor, outcome) => {
    const world = await openWorld(openHundred())
    move(world.upstream, cards, factor)
    expect((await world.day()).outcome).toBe(outcome as SyncReport['outcome'])
  })
})

test('a day on which cents move, some prices jump and a set is new is complete', async () => {
  const world = await openWorld()
  // Cheap cards change by a cent or two, one card in fifty jumps, and one set is new.
  reprice(world.upstream, SETS, (price, index) => {
    if (index % 50 === 7) return price * 9
    return price < 0.5 ? price + 0.01 : price * (index % 2 === 0 ? 1.1 : 0.9)
  })
  world.upstream.addSet(3, { id: 77, name: 'Newest' })
  for (let index = 0; index < 60; index++) world.upstream.addCard(77, { id: 7_700 + index })
  expect(await world.day()).toMatchObject({ outcome: 'complete', failures: [] })
})

describe('a publish time', () => {
  const newestAt = (world: SyncWorld) =>
    world.catalog.games.listFreshness().map((game) => game.published_at)
  const FUTURE = '9998-01-01T20:05:50.000Z'

  test('years in the future is a failure that changes nothing and leaves the next sync alone', async () => {
    const world = await openWorld()
    const before = world.contents({ exact: true })
    world.upstream.setPrice(1_100, 'Normal', 7)
    world.upstream.publish(1)
    world.mirror.put('last-updated.txt', '9998-01-01T20:05:50+0000')
    const report = await world.sync()
    expect(report).toMatchObject({ outcome: 'failed', published_at: null, sets_read: 0 })
    expect(report.failures).toEqual([
      { game: 'all', reason: expect.stringContaining('more than a day after this machine') },
    ])
    expect(world.contents({ exact: true })).toEqual(before)
    expect(world.staleGames()).toEqual(['pokemon', 'harbour'])

    world.upstream.publish()
    expect(await world.sync()).toMatchObject({ outcome: 'complete', sets_read: 13 })
    expect(world.prices(1_100).Normal?.market_price).toBe(7)
  })

  test('within a day is accepted: clocks differ', async () => {
    const world = await openWorld()
    world.clock.now = new Date(world.upstream.publish(1).getTime() - 86_000_000)
    expect(await world.sync()).toMatchObject({ outcome: 'complete', sets_read: 13 })
  })

  test.each([1, 400])(
    'that moves back by %i days is a failure until it is right again',
    async (days) => {
      const world = await openWorld()
      const published = world.upstream.publishedAt()
      world.clock.now = new Date(published.getTime() + 3_600_000)
      world.upstream.setPrice(1_100, 'Normal', 7)
      const report = await world.day(-days)
      expect(report.outcome).toBe('incomplete')
      expect(report.failures.map(({ game }) => game)).toEqual(['pokemon', 'harbour'])
      expect(report.failures[0]?.reason).toContain('would move back from 2026-03-10T20:05:50.000Z')
      expect(world.prices(1_100).Normal?.market_price).not.toBe(7)
      expect(world.staleGames()).toEqual(['pokemon', 'harbour'])

      world.clock.now = undefined
      expect(await world.day(days + 1)).toMatchObject({ outcome: 'complete', sets_read: 13 })
      expect(world.prices(1_100).Normal?.market_price).toBe(7)
      expect(world.staleGames()).toEqual([])
    },
  )

  test('that moves back to before a publication of which only some sets could be read is a failure', async () => {
    const world = await openWorld()
    world.clock.now = new Date(world.upstream.publishedAt().getTime() + 90_000_000)
    world.mirror.fault('tcgplayer/3/11/prices', { status: 500 })
    expect(await world.day()).toMatchObject({ outcome: 'incomplete', sets_read: 12 })
    world.mirror.recover()
    expect(await world.day(-1)).toMatchObject({ outcome: 'incomplete', sets_read: 0 })
    expect(world.staleGames()).toContain('pokemon')
  })

  test('that moves back is accepted by force, once and for all', async () => {
    const world = await openWorld()
    world.clock.now = new Date(world.upstream.publishedAt().getTime() + 3_600_000)
    world.upstream.setPrice(1_100, 'Normal', 7)
    expect(await world.day(-3, { force: true })).toMatchObject({ outcome: 'complete' })
    expect(world.prices(1_100).Normal?.market_price).toBe(7)
    expect(await world.sync()).toMatchObject({ outcome: 'complete', sets_read: 0 })
  })

  test('in the future that the catalog already carries is stale, and ends with the next sync', async () => {
    const world = await openWorld()
    world.clock.now = new Date(world.upstream.publishedAt().getTime() + 90_000_000)
    // As an older version accepted it.
    world.mirror.put('last-updated.txt', '9998-01-01T20:05:50+0000')
    expect(await world.sync({ force: true })).toMatchObject({ outcome: 'complete' })
    expect(newestAt(world)).toEqual([FUTURE, FUTURE])
    expect(world.staleGames()).toEqual(['pokemon', 'harbour'])

    world.upstream.setPrice(1_100, 'Normal', 7)
    expect(await world.day()).toMatchObject({ outcome: 'complete', sets_read: 13 })
    expect(world.prices(1_100).Normal?.market_price).toBe(7)
    const now = world.upstream.publishedAt().toISOString()
    expect(newestAt(world)).toEqual([now, now])
    expect(world.catalog.publication.getCurrent().published_at).toBe(now)
    expect(world.staleGames()).toEqual([])
    const today = Math.floor(world.upstream.publishedAt().getTime() / 86_400_000)
    for (const { day } of world.points(1_100)) expect(day).toBeLessThanOrEqual(today)
    expect(await world.day()).toMatchObject({ outcome: 'complete', sets_read: 13 })
  })
})

test('products are read again although a wrong clock once said that they had been', async () => {
  const world = await openWorld()
  world.clock.now = new Date('2026-08-01T00:00:00Z')
  await world.day(1, { force: true })
  world.clock.now = undefined
  world.upstream.product(1_100).name = 'Renamed'
  await world.day()
  expect(JSON.parse(world.catalog.cards.getById(1_100) ?? '{}')).toMatchObject({ name: 'Renamed' })
})

describe('a list of games that loses one', () => {
  async function openLost(): Promise<SyncWorld> {
    const world = await openWorld()
    world.upstream.games.pop()
    return world
  }

  test('is a failure of that game; the others are refreshed', async () => {
    const world = await openLost()
    const report = await world.day()
    expect(report).toMatchObject({ outcome: 'incomplete', sets_read: 12 })
    expect(report.failures).toEqual([
      { game: 'harbour', reason: expect.stringContaining('no longer lists the game harbour.') },
    ])
    expect(world.staleGames()).toEqual(['harbour'])
    expect(world.prices(9_100).Normal?.market_price).toBe(3)
  })

  test('is accepted by force, without reading anything else, and stays accepted', async () => {
    const world = await openLost()
    await world.day()
    expect(await world.sync({ game: 'harbour' })).toMatchObject({ outcome: 'incomplete' })
    const accepted = await world.sync({ game: 'harbour', force: true })
    expect(accepted).toMatchObject({ outcome: 'complete', sets_read: 0 })
    expect(await world.day()).toMatchObject({ outcome: 'complete', sets_read: 12 })
    expect(world.prices(9_100).Normal?.market_price).toBe(3)
  })

  test('succeeds again when the game returns, and fails when it disappears again', async () => {
    const world = await openLost()
    await world.day(1, { force: true })
    const returned = createUpstream()
    returned.addGame({ id: 500, name: 'Harbour' })
    returned.addSet(500, { id: 91, name: 'Pier' })
    returned.addCard(91, { id: 9_100, prices: { Normal: 3 } })
    world.upstream.games.push(...returned.games)
    expect(await world.day()).toMatchObject({ outcome: 'complete', sets_read: 13 })
    expect(world.staleGames()).toEqual([])
    world.upstream.games.pop()
    expect(await world.day()).toMatchObject({ outcome: 'incomplete' })
  })

  test('fails only runs in which the game is due', async () => {
    const world = await openLost()
    expect(await world.day(0, { due: true })).toMatchObject({ outcome: 'complete', failures: [] })
    expect(await world.day(1, { due: true })).toMatchObject({ failures: [{ game: 'harbour' }] })
  })
})

describe('an error that is not of the upstream', () => {
  test('fails its set, is logged with its stack, and leaves the other sets alone', async () => {
    const world = await openWorld()
    const { fetchFile } = world.deps.marketplace
    world.deps.marketplace = {
      ...world.deps.marketplace,
      fetchFile: async (path, known) => {
        if (path === 'tcgplayer/3/12/prices') throw new TypeError('undefined is not a function')
        return await fetchFile(path, known)
      },
    }
    const report = await world.day()
    expect(report).toMatchObject({ outcome: 'incomplete', sets_read: 12, internal_errors: 1 })
    expect(report.failures).toEqual([
      { game: 'pokemon', set: 12, reason: expect.stringContaining('because of a bug') },
    ])
    const logged = world.logged.find(({ event }) => event === 'sync failed by a defect')
    expect(logged?.facts).toMatchObject({ set: 12, error: expect.any(TypeError) })
  })

  test('at the publication ends the run as failed, with its games stale and the old data in place', async () => {
    const world = await openWorld()
    const before = storedPrices(world)
    breakTable(world, 'UPDATE ON publication')
    world.upstream.setPrice(1_100, 'Normal', 7)
    await expect(world.day()).rejects.toThrow('database or disk is full')
    const run = world.catalog.syncLog.getLast()
    expect(run).toMatchObject({ outcome: 'failed', finished_at: expect.any(String) })
    expect(JSON.parse(run?.report ?? '{}')).toMatchObject({
      internal_errors: 1,
      failures: [{ game: 'all', reason: expect.stringContaining('database or disk is full') }],
    })
    expect(world.staleGames()).toEqual(['pokemon', 'harbour'])
    expect(storedPrices(world)).toEqual(before)

    repairTable(world)
    expect(await world.sync()).toMatchObject({ outcome: 'complete', failures: [] })
    expect(world.prices(1_100).Normal?.market_price).toBe(7)
  })

  test('that leaves no space to record it counts as failed, and the next run records it', async () => {
    const world = await openWorld()
    acquireLock(world.dataDir, 'intake')?.()
    const idle = { isRunning: () => false }
    const last = () =>
      getLastSync({
        catalog: world.catalog,
        config: { dataDir: world.dataDir },
        triggers: { sync: { ...createSyncTrigger(), ...idle } },
      })
    breakTable(world, 'UPDATE ON sync_runs')
    await expect(world.day()).rejects.toThrow('database or disk is full')
    expect(world.catalog.syncLog.getLast()).toMatchObject({ outcome: null })
    expect(last()).toMatchObject({ outcome: 'failed', finished_at: expect.any(String) })
    const release = acquireLock(world.dataDir, 'intake')
    expect(last()).toMatchObject({ outcome: 'complete' })
    release?.()

    repairTable(world)
    expect(await world.sync()).toMatchObject({ outcome: 'complete' })
    expect(world.catalog.syncLog.listFailed(10)).toMatchObject([{ outcome: 'failed' }])
  })

  /** Makes a write fail as on a full disk, in the real file. */
  function breakTable(world: SyncWorld, write: string): void {
    change(
      world,
      `CREATE TRIGGER full BEFORE ${write}
      BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
    )
  }

  function repairTable(world: SyncWorld): void {
    change(world, 'DROP TRIGGER full')
  }

  function change(world: SyncWorld, sql: string): void {
    const db = openDatabase(join(world.dataDir, 'catalog.db'))
    db.exec(sql)
    db.close()
  }
})
