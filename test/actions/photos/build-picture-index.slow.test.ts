// The run that indexes pictures, on the sample catalog with a real database, real files and a real web server; the
// networks are fakes.
import { describe, expect, test } from 'bun:test'
import { buildPictureIndex, type IndexRequest } from '#actions/photos/build-picture-index.ts'
import { openCardPictures } from '#outbound/marketplace/pictures.ts'
import { closeAfterEach } from '../../support/closers.ts'
import { addressImages, fakePipeline } from '../../support/photos/fake-pipeline.ts'
import { createIndexWorld, picturesIn } from '../../support/photos/index-world.ts'
import { startMirror } from '../../support/sync/mirror-server.ts'
import { createTestLog, SAMPLE } from '../../support/test-app.ts'

const closers = closeAfterEach()

async function openRun() {
  const world = await createIndexWorld()
  closers.push(world.close)
  const pipeline = fakePipeline()
  const clock = { now: new Date('2026-11-15T21:30:00Z') }
  const pictures = openCardPictures({
    userAgent: 'test',
    folders: [SAMPLE],
    pauseMs: 0,
    backoffMs: 0,
    retries: 0,
  })
  const deps = {
    index: world.index,
    pictures: pictures as Pick<typeof pictures, 'fetch'>,
    loadEmbedder: async () => pipeline,
    model: 'm1',
    listFirstSets: async (): Promise<readonly number[]> => [],
    log: createTestLog([]),
    now: () => clock.now,
  }
  return {
    ...world,
    pipeline,
    clock,
    deps,
    index: (request: IndexRequest = {}) => buildPictureIndex(deps, request),
    known: (id: number) => picturesIn(world.db).find(({ card_id }) => card_id === id),
  }
}

/** Opens a picture server, and sets the addresses of the sample's cards to it. */
function openHost(run: Awaited<ReturnType<typeof openRun>>) {
  const content = new Map<string, string>()
  const host = startMirror(content)
  closers.push(host.close)
  const ids = run.deps.index.listDue({ model: '', game: undefined, now: run.clock.now })
  for (const id of ids) content.set(`${id}.jpg`, `picture ${id}`)
  run.run(
    `UPDATE cards SET image_url = ? || '/' || id || '.jpg' WHERE image_url IS NOT NULL`,
    host.url,
  )
  return { ...host, ids }
}

describe('a run', () => {
  test('indexes the sample’s own pictures in seconds', async () => {
    const run = await openRun()
    const shown: number[] = []
    const started = performance.now()
    const report = await run.index({ onProgress: ({ done }) => shown.push(done) })
    expect(report).toMatchObject({ outcome: 'complete', indexed: 116, missing: 0, failed: 0 })
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(shown.at(-1)).toBe(116)
    expect(run.catalog.pictures.count()).toBe(116)
    expect(run.pipeline.closed).toBe(true)
  })

  test('has nothing to do a second time, and does not even load the networks', async () => {
    const run = await openRun()
    await run.index()
    const version = run.catalog.pictures.getVersion()
    run.deps.loadEmbedder = () => Promise.reject(new Error('loaded for nothing'))
    expect(await run.index()).toMatchObject({ outcome: 'complete', indexed: 0 })
    expect(run.catalog.pictures.getVersion()).toBe(version)
  })

  test('of one game does not change the others', async () => {
    const run = await openRun()
    await run.index({ game: 'wickerwild' })
    const games = new Set(picturesIn(run.db).map(({ game_id }) => game_id))
    expect(games).toEqual(new Set([9001]))
    await expect(run.index({ game: 'nowhere' })).rejects.toThrow('No game has the slug "nowhere".')
  })

  test('indexes new pictures, removes old ones, and starts over with other networks', async () => {
    const run = await openRun()
    await run.index()
    run.run("UPDATE cards SET image_url = 'pictures/900002.webp' WHERE id = 900001")
    run.run('UPDATE cards SET image_url = NULL WHERE id = 900003')
    expect(await run.index()).toMatchObject({ indexed: 1, removed: 1 })
    expect(run.known(900001)?.art_group).toBe(900001)
    expect(run.known(900002)?.art_group).toBe(900001)
    expect(run.known(900003)).toMatchObject({ status: 'gone', art_group: null })
    run.deps.model = 'm2'
    expect(await run.index()).toMatchObject({ indexed: 115, removed: 115 })
    expect(run.catalog.pictures.count()).toBe(115)
  })

  test('begins with the sets that people need, and asks for them before each round', async () => {
    const run = await openRun()
    const setOf = run.db.prepare<[number], number>('SELECT set_id FROM cards WHERE id = ?').pluck()
    const { now } = run.deps
    const due = run.deps.index.listDue({ model: '', game: undefined, now: now() })
    const last = setOf.get(due.at(-1) ?? 0) ?? 0
    let lists = 0
    run.deps.listFirstSets = async () => {
      lists++
      return [last]
    }
    await run.index()
    const indexed = run.db
      .prepare<[], number>('SELECT card_id FROM card_pictures ORDER BY version, card_id')
      .pluck()
      .all()
    const sets = indexed.map((id) => setOf.get(id))
    const count = sets.filter((set) => set === last).length
    // Five pictures are fetched at once.
    expect(sets.slice(0, count + 5).filter((set) => set === last)).toHaveLength(count)
    // The second time, nothing is due.
    expect(lists).toBe(2)
  })

  test('finds cards that a sync added during the run', async () => {
    const run = await openRun()
    run.run('UPDATE cards SET image_url = NULL WHERE id = 900003')
    let isThere = false
    await run.index({
      onProgress: () => {
        if (!isThere)
          run.run("UPDATE cards SET image_url = 'pictures/900003.webp' WHERE id = 900003")
        isThere = true
      },
    })
    expect(run.known(900003)?.status).toBe('indexed')
  })

  test('groups the cards with the same art in one game, and the placeholders', async () => {
    const run = await openRun()
    run.deps.pictures = addressImages
    // Twenty cards of one game and two sets whose numbers end in a 5.
    run.run(`UPDATE cards SET image_url = 'pictures/' || (id * 10 + 5) WHERE id IN
      (SELECT id FROM cards WHERE game_id = 9001 AND image_url IS NOT NULL ORDER BY id % 100 LIMIT 24)`)
    const report = await run.index()
    const rows = picturesIn(run.db)
    const placeholders = rows.filter(({ status }) => status === 'placeholder')
    expect(placeholders.length).toBeGreaterThanOrEqual(24)
    expect(report.indexed + placeholders.length).toBeGreaterThanOrEqual(116)
    const others = rows.filter(({ status }) => status === 'indexed')
    for (const one of others) {
      const sameArt = others.filter(
        ({ card_id, game_id }) => card_id % 100 === one.card_id % 100 && game_id === one.game_id,
      )
      expect(one.art_group).toBe(Math.min(...sameArt.map(({ card_id }) => card_id)))
    }
  })
})

describe('over HTTP', () => {
  test('missing or broken pictures are skipped, and tried again later', async () => {
    const run = await openRun()
    const host = openHost(run)
    host.put('900001.jpg', undefined)
    host.put('900002.jpg', 'broken')
    const report = await run.index()
    expect(report).toMatchObject({ outcome: 'complete', indexed: 114, missing: 1, failed: 1 })
    expect(run.known(900001)).toMatchObject({ status: 'missing', tries: 1 })
    expect(run.known(900002)).toMatchObject({ status: 'failed', tries: 1 })
    host.put('900001.jpg', 'picture 900001')
    host.put('900002.jpg', 'picture 900002')
    expect(await run.index()).toMatchObject({ indexed: 0 })
    run.clock.now = new Date('2026-11-15T22:31:00Z')
    expect(await run.index()).toMatchObject({ indexed: 2 })
    expect(run.known(900001)).toMatchObject({ status: 'indexed', tries: 0 })
  })

  test('a placeholder is requested again after a week, and not sent if unchanged', async () => {
    const run = await openRun()
    const host = openHost(run)
    for (const id of host.ids) host.put(`${id}.jpg`, 'no image')
    expect(await run.index()).toMatchObject({ outcome: 'complete' })
    expect(run.catalog.pictures.count()).toBe(0)
    host.put('900001.jpg', 'picture 900001')
    run.clock.now = new Date('2026-11-23T21:30:00Z')
    expect(await run.index()).toMatchObject({ indexed: 1, unchanged: 115 })
    expect(host.requests.filter(({ status }) => status === 304)).toHaveLength(115)
    expect(run.catalog.pictures.count()).toBe(1)
  })

  test('a host that is down ends the run, and the next one continues', async () => {
    const run = await openRun()
    const host = openHost(run)
    for (const id of host.ids.slice(40)) host.fault(`${id}.jpg`, { status: 503 })
    const report = await run.index()
    expect(report).toMatchObject({ outcome: 'incomplete', indexed: 40 })
    expect(host.requests.length).toBeLessThan(40 + 20)
    host.recover()
    run.clock.now = new Date('2026-11-15T23:00:00Z')
    expect(await run.index()).toMatchObject({ outcome: 'complete', indexed: 76 })
  })
})

test('an internal error ends the run, and the networks are unloaded', async () => {
  const run = await openRun()
  run.pipeline.fingerprint = () => Promise.reject(new TypeError('a bug'))
  await expect(run.index()).rejects.toThrow('a bug')
  expect(run.pipeline.closed).toBe(true)
})
