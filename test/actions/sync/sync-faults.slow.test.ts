// A broken upstream does not change a catalog: its data stays complete and is reported as stale,
// and the first successful run updates it.
import { describe, expect, test } from 'bun:test'
import type { SyncReport } from '#actions/sync/sync-catalog.ts'
import { closeAfterEach } from '../../support/closers.ts'
import { EVERY_PATH } from '../../support/sync/mirror-server.ts'
import {
  createSyncWorld,
  createUpstream,
  differences,
  type SyncWorld,
  type Upstream,
} from '../../support/sync/upstream-fixture.ts'

const closers = closeAfterEach()

const SETS = [
  [3, 11],
  [3, 12],
  [3, 13],
  [500, 21],
  [500, 22],
  [500, 23],
] as const

/** Creates sets large enough for the guards: a dozen cards each, two printings per card. */
function openLarge(): Upstream {
  const upstream = createUpstream()
  upstream.addGame({ id: 3, name: 'Pokemon' })
  upstream.addGame({ id: 500, name: 'Harbour' })
  for (const [gameId, setId] of SETS) {
    upstream.addSet(gameId, { id: setId, name: `Chapter ${setId}` })
    for (let index = 0; index < 12; index++) {
      const prices = { Normal: 1.5 + index, Holofoil: 4 + index }
      upstream.addCard(setId, { id: setId * 100 + index, name: `Otter ${index}`, prices })
    }
  }
  upstream.publish()
  return upstream
}

/** Opens a catalog that was synced yesterday, and a new publication that has not been read yet. */
async function openWorld(): Promise<SyncWorld> {
  const world = createSyncWorld(openLarge(), { retries: 1 })
  closers.push(world.close)
  expect(await world.sync()).toMatchObject({ outcome: 'complete' })
  advance(world.upstream)
  return world
}

/** Advances by a day: changed prices, another name, a new card. */
function advance(upstream: Upstream): void {
  for (const [, setId] of SETS) {
    upstream.setPrice(setId * 100, 'Normal', 2)
    upstream.product(setId * 100 + 1).name = 'Renamed Otter'
    upstream.addCard(setId, { id: setId * 100 + 50, name: 'New Otter' })
    upstream.touch(setId)
  }
  upstream.publish(1)
}

/** Returns the content of a catalog without faults. */
async function cleanContents() {
  const world = await openWorld()
  expect(await world.sync()).toMatchObject({ outcome: 'complete' })
  return world.contents()
}

/** Expects that an incomplete run states its reason in a message for the operator. */
function expectRefusal(report: SyncReport): void {
  expect(report.outcome).not.toBe('complete')
  expect(report.failures.length).toBeGreaterThan(0)
  for (const { reason } of report.failures) expect(reason).toMatch(/^[\x20-\x7e…]{10,400}$/)
}

/** A response that never comes. */
const NEVER = new Promise<void>(() => {})

/** All faults that block a whole publication, as changes of the mirror, and the time limit of the run. */
const WHOLE_FAULTS: [name: string, spoil: (world: SyncWorld) => void, timeoutMs?: number][] = [
  ['is down', ({ mirror }) => mirror.fault(EVERY_PATH, { status: 503 })],
  ['answers 500 for ever', ({ mirror }) => mirror.fault(EVERY_PATH, { status: 500 })],
  ['refuses us', ({ mirror }) => mirror.fault(EVERY_PATH, { status: 403 })],
  ['never responds', ({ mirror }) => mirror.fault(EVERY_PATH, { until: NEVER }), 100],
  ['breaks off in the middle', ({ mirror }) => mirror.fault(EVERY_PATH, { cutOff: true })],
  [
    'has a maintenance page for everything',
    ({ mirror }) => mirror.fault(EVERY_PATH, { html: true }),
  ],
  ['has lost everything', ({ mirror }) => mirror.fault(EVERY_PATH, { status: 404 })],
  ['has garbage for a publish time', ({ mirror }) => mirror.put('last-updated.txt', 'soon\u0007')],
  ['has an empty publish time', ({ mirror }) => mirror.put('last-updated.txt', '')],
  ['has no game', ({ mirror }) => mirror.put('tcgplayer/categories', EMPTY)],
  [
    'has a maintenance page for its games',
    ({ mirror }) => mirror.fault('tcgplayer/categories', { html: true }),
  ],
  [
    'breaks off in its games',
    ({ mirror }) => mirror.fault('tcgplayer/categories', { cutOff: true }),
  ],
  ['has lost its games', ({ mirror }) => mirror.fault('tcgplayer/categories', { status: 404 })],
  ['has games of another shape', ({ mirror }) => mirror.put('tcgplayer/categories', STRANGE)],
  ['says of every set list that it failed', ({ mirror }) => failLists(mirror)],
  ['has no set', ({ mirror }) => emptyLists(mirror)],
]

const EMPTY = '{"success":true,"errors":[],"results":[]}'
const STRANGE =
  '{"success":true,"results":[{"id":3,"title":"Pokemon"},{"id":500,"title":"Harbour"}]}'

function failLists(mirror: SyncWorld['mirror']): void {
  for (const game of [3, 500])
    mirror.put(`tcgplayer/${game}/groups`, '{"success":false,"results":[]}')
}

function emptyLists(mirror: SyncWorld['mirror']): void {
  for (const game of [3, 500]) mirror.put(`tcgplayer/${game}/groups`, EMPTY)
}

describe.each(WHOLE_FAULTS)('an upstream that %s', (_, spoil, timeoutMs) => {
  test('leaves the old data complete and stale, until the next run', async () => {
    const world = await openWorld()
    const before = world.contents({ exact: true })
    spoil(world)
    expectRefusal(await world.sync({}, timeoutMs))
    expect(differences(world.contents({ exact: true }), before)).toEqual([])
    expect(world.staleGames()).toEqual(['pokemon', 'harbour'])
    expect(world.catalog.syncLog.getLast()).toMatchObject({
      outcome: expect.stringMatching(/^(failed|incomplete)$/),
      finished_at: expect.any(String),
    })

    world.mirror.recover()
    world.upstream.publish()
    expect(await world.sync()).toMatchObject({ outcome: 'complete', failures: [] })
    expect(world.staleGames()).toEqual([])
    expect(differences(world.contents(), await cleanContents())).toEqual([])
  })
})

describe('an upstream that is down', () => {
  test('and returns with the same data is fresh again', async () => {
    const world = await openWorld()
    expect(await world.sync()).toMatchObject({ outcome: 'complete' })
    world.mirror.fault(EVERY_PATH, { status: 503 })
    expect(await world.sync()).toMatchObject({ outcome: 'failed' })
    expect(world.staleGames()).toEqual(['pokemon', 'harbour'])
    world.mirror.recover()
    expect(await world.sync()).toMatchObject({ outcome: 'complete', failures: [] })
    expect(world.staleGames()).toEqual([])
  })

  test('makes the data stale since the first run that failed', async () => {
    const world = await openWorld()
    world.mirror.fault(EVERY_PATH, { status: 503 })
    await world.sync()
    const first = world.catalog.games.listFreshness().map((game) => game.stale_since)
    world.clock.now = new Date(world.deps.now().getTime() + 7_200_000)
    await world.sync()
    expect(world.catalog.games.listFreshness().map((game) => game.stale_since)).toEqual(first)
    expect(first).toEqual(['2026-03-11T21:05:50.000Z', '2026-03-11T21:05:50.000Z'])
  })

  test('for a request of one game makes only that game stale', async () => {
    const world = await openWorld()
    world.mirror.fault(EVERY_PATH, { status: 503 })
    await world.sync({ game: 'harbour' })
    expect(world.staleGames()).toEqual(['harbour'])
  })

  test('before the first sync leaves an empty catalog that says so', async () => {
    const world = createSyncWorld(openLarge(), { retries: 0 })
    closers.push(world.close)
    const before = world.contents({ exact: true })
    world.mirror.fault(EVERY_PATH, { status: 502 })
    expectRefusal(await world.sync())
    expect(differences(world.contents({ exact: true }), before)).toEqual([])
    expect(world.catalog.publication.getCurrent().published_at).toBeNull()
  })

  test('during a run is not requested again and again', async () => {
    const world = await openWorld()
    for (const [game, set] of SETS) {
      world.mirror.fault(`tcgplayer/${game}/${set}/products`, { status: 500 })
      world.mirror.fault(`tcgplayer/${game}/${set}/prices`, { status: 500 })
    }
    world.newRequestPaths()
    const before = world.contents({ exact: true })
    expect(await world.sync()).toMatchObject({ outcome: 'incomplete', sets_read: 0 })
    // Five sets in a row, twice each: the sixth is not requested.
    expect(world.newRequestPaths().filter((path) => path.endsWith('/products'))).toHaveLength(10)
    expect(differences(world.contents({ exact: true }), before)).toEqual([])
    expect(world.staleGames()).toEqual(['pokemon', 'harbour'])
  })
})

test('failures that are not in a row do not stop the run', async () => {
  const world = await openWorld()
  for (const [game, set] of SETS) {
    if (set !== 13) world.mirror.fault(`tcgplayer/${game}/${set}/prices`, { status: 500 })
  }
  const report = await world.sync()
  expect(report.failures.map(({ set }) => set ?? 'run stopped')).toEqual([11, 12, 21, 22, 23])
  expect(report).toMatchObject({ outcome: 'incomplete', sets_read: 1 })
})

test('an upstream that throttles and then responds loses nothing', async () => {
  const world = await openWorld()
  world.mirror.fault(EVERY_PATH, { status: 429, headers: { 'Retry-After': '2' }, times: 1 })
  world.mirror.fault('tcgplayer/3/11/prices', { status: 429, times: 1 })
  world.mirror.fault('tcgplayer/3/12/products', { cutOff: true, times: 1 })
  expect(await world.sync()).toMatchObject({ outcome: 'complete', failures: [] })
  expect(differences(world.contents(), await cleanContents())).toEqual([])
})

/** Returns everything stored for a set: its row, its cards, their prices and history. */
function setContents(world: SyncWorld, setId: number): string[] {
  const contents = world.contents({ exact: true })
  const card = new RegExp(`"(card_id|id)":${setId}\\d\\d,`)
  return [
    ...(contents.sets ?? []).filter((row) => row.includes(`"id":${setId},`)),
    ...[...(contents.cards ?? []), ...(contents.prices ?? [])].filter((row) => card.test(row)),
    ...(contents.price_texts ?? []).filter((row) => row.includes(`"set_id":${setId},`)),
    ...(world.contents().history ?? []).filter((row) => row.startsWith(String(setId))),
  ]
}

/** All faults that cause one set to be rejected, as changes of the upstream. */
const SET_FAULTS: [name: string, spoil: (world: SyncWorld) => void, timeoutMs?: number][] = [
  ['has a maintenance page for its prices', ({ mirror }) => mirror.fault(PRICES, { html: true })],
  [
    'has a maintenance page for its products',
    ({ mirror }) => mirror.fault(PRODUCTS, { html: true }),
  ],
  ['breaks off in its prices', ({ mirror }) => mirror.fault(PRICES, { cutOff: true })],
  ['never responds', ({ mirror }) => mirror.fault(PRICES, { until: NEVER }), 2_000],
  ['has lost its prices', ({ mirror }) => mirror.fault(PRICES, { status: 404 })],
  ['has lost its products', ({ mirror }) => mirror.fault(PRODUCTS, { status: 404 })],
  ['answers 500 for ever', ({ mirror }) => mirror.fault(PRICES, { status: 500 })],
  ['has empty products', ({ mirror }) => mirror.put(PRODUCTS, EMPTY)],
  ['has empty prices', ({ mirror }) => mirror.put(PRICES, EMPTY)],
  ['has half a JSON text for prices', ({ mirror }) => mirror.put(PRICES, EMPTY.slice(0, 30))],
  ['has half its cards', (world) => halve(world.upstream)],
  ['has null for all its prices', (world) => reprice(world.upstream, null)],
  ['has -1 for all its prices', (world) => reprice(world.upstream, -1)],
  ['has 0 for all its prices', (world) => reprice(world.upstream, 0)],
  ['has the cards of another game', (world) => claim(world.upstream)],
]

const PRICES = 'tcgplayer/3/12/prices'
const PRODUCTS = 'tcgplayer/3/12/products'

function halve(upstream: Upstream): void {
  const set = upstream.group(12)
  set.products = set.products.slice(0, 7)
  upstream.publish()
}

function reprice(upstream: Upstream, price: number | null): void {
  for (const { rows } of upstream.group(12).products) {
    for (const row of rows) row.marketPrice = price
  }
  upstream.publish()
}

function claim(upstream: Upstream): void {
  upstream.addCard(12, { id: 2_105 })
  upstream.publish()
}

describe.each(SET_FAULTS)('a set that %s', (_, spoil, timeoutMs) => {
  test('stays unchanged; its game is stale until the next successful run', async () => {
    const world = await openWorld()
    const before = setContents(world, 12)
    expect(before).toHaveLength(1 + 12 + 24 + 12 + 24)
    spoil(world)
    const report = await world.sync({}, timeoutMs)
    expect(report).toMatchObject({
      outcome: 'incomplete',
      sets_read: 5,
      failures: [{ game: 'pokemon', set: 12 }],
    })
    expectRefusal(report)
    expect(setContents(world, 12)).toEqual(before)
    expect(world.prices(1_100).Normal?.market_price).toBe(2)
    expect(world.prices(2_100).Normal?.market_price).toBe(2)
    expect(world.staleGames()).toEqual(['pokemon'])

    world.mirror.recover()
    restore(world.upstream)
    expect(await world.sync()).toMatchObject({ outcome: 'complete', sets_read: 1 })
    expect(world.staleGames()).toEqual([])
    expect(differences(world.contents(), await cleanContents())).toEqual([])
  })

  /** Restores the upstream. */
  function restore(upstream: Upstream): void {
    const sound = openLarge()
    advance(sound)
    upstream.group(12).products = sound.group(12).products
    upstream.publish()
  }
})

describe('invalid records', () => {
  test('with one price of -1 lose only that price for the day', async () => {
    const world = await openWorld()
    world.upstream.row(1_203).marketPrice = -1
    world.upstream.publish()
    expect(await world.sync()).toMatchObject({ outcome: 'complete', bad_records: 1 })
    expect(world.prices(1_203).Normal?.market_price).toBe(4.5)
    expect(world.points(1_203)).toHaveLength(1)
    expect(world.points(1_204)).toHaveLength(2)
  })

  test('with unknown fields are accepted without them', async () => {
    const world = await openWorld()
    for (const { groups } of world.upstream.games) {
      for (const set of groups) {
        Object.assign(set, { isSupplemental: 'perhaps', categoryName: ['?'] })
        for (const product of set.products) {
          product.extra.grade = { of: [1, 2, 3] }
          for (const row of product.rows) row.directLowPrice = 'none'
        }
      }
    }
    world.upstream.publish()
    expect(await world.sync()).toMatchObject({ outcome: 'complete', bad_records: 0 })
    const fields = ({ upstream_files: _, ...contents }: ReturnType<SyncWorld['contents']>) =>
      contents
    expect(differences(fields(world.contents()), fields(await cleanContents()))).toEqual([])
  })
})

describe('a set that the upstream moves to another game', () => {
  function move(upstream: Upstream): void {
    const [from, to] = upstream.games
    const moved = from?.groups.find(({ groupId }) => groupId === 12)
    if (from === undefined || to === undefined || moved === undefined) throw new Error('no set 12')
    from.groups = from.groups.filter((set) => set !== moved)
    to.groups.push(moved)
    upstream.publish()
  }

  test('stays in its own until an operator confirms; the games report the problem', async () => {
    const world = await openWorld()
    const before = world.db.prepare('SELECT * FROM cards WHERE set_id = 12 ORDER BY id').all()
    move(world.upstream)
    const report = await world.sync()
    expect(report.outcome).toBe('incomplete')
    expectRefusal(report)
    expect(world.db.prepare('SELECT * FROM cards WHERE set_id = 12 ORDER BY id').all()).toEqual(
      before,
    )
    expect(world.catalog.sets.getById(12)).toMatchObject({ game_id: 3, card_count: 12 })
    expect(world.staleGames()).toContain('harbour')
    expect(JSON.stringify(report.failures)).toContain('--game harbour --force')

    expect(await world.sync({ game: 'harbour', force: true })).toMatchObject({
      outcome: 'complete',
    })
    expect(world.catalog.sets.getById(12)).toMatchObject({ game_id: 500, game_slug: 'harbour' })
    expect(JSON.parse(world.catalog.cards.getById(1_200) ?? '{}')).toMatchObject({ game_id: 500 })
    expect(world.points(1_200)).toHaveLength(2)
    expect(world.catalog.games.getBySlugOrId('pokemon')).toMatchObject({
      set_count: 2,
      card_count: 26,
    })
    expect(world.catalog.games.getBySlugOrId('harbour')).toMatchObject({
      set_count: 4,
      card_count: 52,
    })
  })

  test('and back is in its own, complete, with the next publication', async () => {
    const world = await openWorld()
    const [from, to] = world.upstream.games
    move(world.upstream)
    await world.sync()
    const moved = to?.groups.pop()
    if (moved !== undefined) from?.groups.splice(1, 0, moved)
    expect(await world.day()).toMatchObject({ outcome: 'complete', failures: [] })
    expect(world.staleGames()).toEqual([])
    expect(world.catalog.sets.getById(12)).toMatchObject({ game_id: 3, card_count: 13 })
    expect(world.prices(1_200).Normal?.market_price).toBe(2)
    const first = world.points(1_200)[0]?.day ?? 0
    expect(world.points(1_200).map(({ day }) => day - first)).toEqual([0, 2])
  })
})
