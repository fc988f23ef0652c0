import { afterEach, describe, expect, test } from 'bun:test'
import type { PictureVectors } from '#store/catalog/pictures/pictures.ts'
import { openPictureIndex } from '#store/open-catalog-writer.ts'
import { fakeFingerprint } from '../../support/photos/fake-pipeline.ts'
import { createIndexWorld } from '../../support/photos/index-world.ts'
import { createTestLog } from '../../support/test-app.ts'

type World = Awaited<ReturnType<typeof createIndexWorld>>

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

async function openWorld() {
  const world = await createIndexWorld()
  worlds.push(world)
  return world
}

const NOW = new Date('2026-11-15T21:30:00Z')
const LATER = Math.floor(NOW.getTime() / 1000) + 999
const GAME = 9001
const request = { model: 'm1', game: undefined, now: NOW }

function put({ index }: World, card_id: number, art: string, siblings: number[] = []) {
  const url = `pictures/${card_id}.webp`
  const look = { card_id, game_id: GAME, image_url: url, model: 'm1', now: NOW }
  return index.put(look, { ...fakeFingerprint(art), etag: null }, siblings, LATER)
}

const groupsIn = ({ db }: World) =>
  Object.fromEntries(
    db
      .prepare<[], { card_id: number; art_group: number | null }>(
        'SELECT card_id, art_group FROM card_pictures ORDER BY card_id',
      )
      .all()
      .map(({ card_id, art_group }) => [card_id, art_group]),
  )

const changes = (pictures: PictureVectors, since: number) =>
  [...pictures.listChangesSince(since)].flat()

describe('the queue', () => {
  test('lists every card with a picture, games of high priority first', async () => {
    const { index, run } = await openWorld()
    const all = index.listDue(request)
    expect(all).toHaveLength(116)
    run('UPDATE games SET priority = 9 WHERE id = 9002')
    run('UPDATE cards SET product_status_id = 20 WHERE id = 900310')
    const games = index.listDue(request).map((id) => index.getDue(id, request)?.game_id)
    const others = games.filter((id) => id !== 9002)
    expect(games).toEqual([...games.filter((id) => id === 9002), ...others])
    expect(index.listDue(request)[0]).toBe(900310)
    expect(new Set(index.listDue(request))).toEqual(new Set(all))
  })

  test('orders the cards of a game by new sets, then by price', async () => {
    const { index, run } = await openWorld()
    const game = { ...request, game: 'wickerwild' }
    run('UPDATE cards SET product_status_id = 1')
    run("UPDATE sets SET release_date = '2020-01-01'")
    run('UPDATE prices SET market_price = 99999999 WHERE card_id = 900007')
    expect(index.listDue(game)[0]).toBe(900007)
    run("UPDATE sets SET release_date = '2026-10-01' WHERE id = 90012")
    expect(index.getDue(index.listDue(game)[0] ?? 0, game)?.card_id).not.toBe(900007)
    run("UPDATE sets SET release_date = '2026-10-01' WHERE id = 90011")
    expect(index.listDue(game)[0]).toBe(900007)
  })

  test('begins with certain sets, in their order', async () => {
    const { index, run, db } = await openWorld()
    run('UPDATE games SET priority = 9 WHERE id = 9002')
    const setOf = db.prepare<[number], number>('SELECT set_id FROM cards WHERE id = ?').pluck()
    const sets = (first: number[]) => [
      ...new Set(index.listDue(request, first).map((id) => setOf.get(id) ?? 0)),
    ]
    const usual = sets([])
    const [last = 0, earlier = 0] = usual.toReversed()
    expect(sets([last, 1, earlier])).toEqual([last, earlier, ...usual.slice(0, -2)])
    expect(index.listDue(request, [last])).toHaveLength(116)
  })

  test('leaves out checked pictures until their URL, game or model changes', async () => {
    const world = await openWorld()
    const { index, run } = world
    const isDue = (model = 'm1') => index.listDue({ ...request, model }).includes(900001)
    expect(isDue()).toBe(true)
    put(world, 900001, 'heron')
    expect(isDue()).toBe(false)
    expect(index.getDue(900001, request)).toBeUndefined()
    expect(isDue('m2')).toBe(true)
    run("UPDATE cards SET image_url = 'pictures/other.webp' WHERE id = 900001")
    expect(isDue()).toBe(true)
    put(world, 900001, 'heron')
    run('UPDATE cards SET image_url = NULL WHERE id = 900001')
    expect(isDue()).toBe(false)
  })

  test('lists failed pictures again when they are due', async () => {
    const { index } = await openWorld()
    const look = { card_id: 900001, game_id: GAME, image_url: 'pictures/900001.webp', model: 'm1' }
    index.putFailure({ ...look, now: NOW }, { status: 'failed', tries: 3, next_try_at: LATER })
    expect(index.getDue(900001, request)).toBeUndefined()
    const later = { ...request, now: new Date(LATER * 1000) }
    expect(index.getDue(900001, later)).toMatchObject({ tries: 3, etag: null })
  })
})

describe('stored pictures', () => {
  test('show how fast the index grows, without pictures that could not be fetched', async () => {
    const { index, catalog } = await openWorld()
    const { measurePace } = catalog.pictures
    const at = (seconds: number) => new Date(NOW.getTime() + 1_000 * seconds)
    const check = (card_id: number, seconds: number) => {
      const image_url = `pictures/${card_id}.webp`
      return { card_id, game_id: GAME, image_url, model: 'm1', now: at(seconds) }
    }
    expect(measurePace(NOW)).toEqual({ count: 0, first_at: null, last_at: null })
    for (const [id, seconds] of [
      [900001, -9],
      [900002, 1],
      [900003, 2],
      [900004, 5],
    ] as const) {
      index.put(check(id, seconds), { ...fakeFingerprint(`${id}`), etag: null }, [], LATER)
    }
    const failure = { status: 'failed', tries: 1, next_try_at: LATER } as const
    index.putFailure(check(900005, 8), failure)
    const [first_at, last_at] = [at(1).toISOString(), at(5).toISOString()]
    expect(measurePace(NOW)).toEqual({ count: 3, first_at, last_at })
  })

  test('are reported to readers together with removals', async () => {
    const world = await openWorld()
    const { index, catalog, run } = world
    const { pictures } = catalog
    expect([pictures.getVersion(), changes(pictures, 0)]).toEqual([0, []])
    put(world, 900002, 'heron')
    put(world, 900001, 'otter')
    const seen = pictures.getVersion()
    expect(changes(pictures, 0)).toEqual([
      { card_id: 900002, game_id: GAME, vector: fakeFingerprint('heron').vector },
      { card_id: 900001, game_id: GAME, vector: fakeFingerprint('otter').vector },
    ])
    expect(pictures.getHashes([900001, 900003, 1])).toEqual(
      new Map([[900001, fakeFingerprint('otter').hash]]),
    )
    expect(changes(pictures, seen)).toEqual([])

    run('UPDATE cards SET image_url = NULL WHERE id = 900002')
    run("UPDATE cards SET missing_since = '2026-11-01' WHERE id = 900001")
    expect(index.removeVanished(NOW)).toBe(2)
    expect(pictures.getVersion()).toBeGreaterThan(seen)
    expect(changes(pictures, seen).map(({ vector }) => vector)).toEqual([undefined, undefined])
    expect([pictures.count(), pictures.getHashes([900001]).size]).toEqual([0, 0])
    expect(index.removeVanished(NOW)).toBe(0)
    run('UPDATE cards SET missing_since = NULL WHERE id = 900001')
    expect(index.listDue(request)).toContain(900001)
  })

  test('come in slices, each change once', async () => {
    const world = await openWorld()
    const insert = world.db.prepare(
      `INSERT INTO card_pictures (card_id, game_id, model, image_url, vector, hash, art_group, status,
         updated_at, version) VALUES (?, 1, 'm1', 'x', zeroblob(128), zeroblob(128), ?, 'indexed', '', ?)`,
    )
    // Many rows of one version, as when many cards lose a placeholder.
    world.db.transaction(() => {
      for (let id = 1; id <= 9_001; id++) insert.run(id, id, Math.ceil(id / 3_000))
    })()
    const slices = [...world.catalog.pictures.listChangesSince(0)]
    expect(Math.max(...slices.map((slice) => slice.length))).toBe(1_000)
    expect(new Set(slices.flat().map(({ card_id }) => card_id)).size).toBe(9_001)
    expect(changes(world.catalog.pictures, 1)).toHaveLength(6_001)
  })

  test('of other models are removed, the rest stays', async () => {
    const world = await openWorld()
    put(world, 900001, 'heron')
    expect(world.index.removeOtherModels('m1', NOW)).toBe(0)
    expect(world.index.removeOtherModels('m2', NOW)).toBe(1)
    expect(world.catalog.pictures.count()).toBe(0)
  })
})

describe('an art group', () => {
  test('is identified by its lowest card id, and grows by merging', async () => {
    const world = await openWorld()
    put(world, 900005, 'heron')
    put(world, 900003, 'heron', [900005])
    put(world, 900009, 'otter')
    expect(groupsIn(world)).toEqual({ 900003: 900003, 900005: 900003, 900009: 900009 })
    put(world, 900001, 'heron', [900003, 900009])
    expect(new Set(Object.values(groupsIn(world)))).toEqual(new Set([900001]))
  })

  test('is split again when a card leaves it', async () => {
    const world = await openWorld()
    put(world, 900001, 'heron')
    put(world, 900002, 'heron', [900001])
    put(world, 900003, 'heron', [900001])
    put(world, 900001, 'otter')
    expect(groupsIn(world)).toEqual({ 900001: 900001, 900002: 900002, 900003: 900002 })
    world.run('UPDATE cards SET image_url = NULL WHERE id = 900002')
    world.index.removeVanished(NOW)
    expect(groupsIn(world)).toEqual({ 900001: 900001, 900002: null, 900003: 900003 })
  })

  test('drops a placeholder that many cards of several sets share, and recognizes it from then on', async () => {
    const world = await openWorld()
    // Half of one set, half of another.
    const ids = Array.from({ length: 22 }, (_, at) => 900_001 + at + (at < 11 ? 0 : 89))
    const cleared = ids.map(
      (id) => put(world, id, 'no image', ids.slice(0, ids.indexOf(id))).length,
    )
    const first = cleared.findIndex((count) => count > 0)
    expect(first).toBe(19)
    expect(cleared.slice(first)).toEqual(cleared.slice(first).map((_, at) => first + 1 + at))
    expect(world.catalog.pictures.count()).toBe(0)
    expect(world.index.getDue(ids[0] ?? 0, request)).toBeUndefined()
    const later = { ...request, now: new Date(LATER * 1000) }
    expect(world.index.getDue(ids[0] ?? 0, later)).toBeDefined()
  })
})

test('the index has one writer at a time', async () => {
  const world = await openWorld()
  expect(openPictureIndex(world.dataDir)).toBeUndefined()
})

test('a sync can publish while the index is written, and leaves it intact', async () => {
  const world = await openWorld()
  put(world, 900001, 'heron')
  const { openCatalogWriterDeps } = await import('#deps/catalog-writer-deps.ts')
  const { readConfig } = await import('#config.ts')
  const { loadSample } = await import('#actions/sync/sample-catalog.ts')
  const { SAMPLE } = await import('../../support/test-app.ts')
  const intake = await openCatalogWriterDeps(
    readConfig({ DATA_DIR: world.dataDir }),
    createTestLog([]),
  )
  const report = await loadSample(
    { ...intake, now: () => new Date('2026-11-17T21:30:00Z') },
    SAMPLE,
  )
  intake.close()
  expect(report).toMatchObject({ outcome: 'complete' })
  put(world, 900002, 'otter')
  expect(changes(world.catalog.pictures, 0).map(({ card_id }) => card_id)).toEqual([900001, 900002])
})
