// Files of the whole catalog: their content, their publication, and interrupted builds.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync, inflateRawSync, zstdDecompressSync } from 'node:zlib'
import { type BulkDeps, buildBulkFiles } from '#actions/pricing/build-bulk-files.ts'
import type { BulkFile, BulkManifest } from '#rules/pricing/bulk-list.ts'
import { openDatabase } from '#store/db.ts'
import { openBulkFileStore } from '#store/files/bulk-files.ts'
import { acquireLock } from '#store/files/lock.ts'
import { openCatalog } from '#store/open-catalog.ts'
import { closeAfterEach } from '../../support/closers.ts'
import { parseCsv } from '../../support/csv.ts'
import { startProcess } from '../../support/process.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import type { Row } from '../../support/test-client.ts'

const RUN = resolve(import.meta.dir, '../../support/pricing/bulk-process.ts')
/** The initial version of an app. */
const SAMPLE = 3
/** Months with prices in the sample. */
const MONTHS = ['2026-08', '2026-09', '2026-10', '2026-11']
const FORMULA = '=HYPERLINK("http://evil.example","Win")'

const closers = closeAfterEach()

async function openWorld() {
  const testApp = await createTestApp({ onDisk: true })
  closers.push(testApp.close)
  return worldOf(testApp)
}

function worldOf(testApp: TestApp) {
  const { catalog, config, log, now } = testApp.deps
  const { dataDir } = config
  const deps: BulkDeps = { catalog, dataDir, log, now }
  return {
    testApp,
    dataDir,
    deps,
    build: () => buildBulkFiles(deps),
    /** Returns the files that a starting server finds. */
    bulkFiles: () => openBulkFileStore(dataDir),
    /** The content of the folder, whether incomplete or complete. */
    folders: () => readdirSync(join(dataDir, 'bulk')).sort(),
    publish: testApp.publish,
  }
}

type World = ReturnType<typeof worldOf>

/** Returns deps that call a function when a build has reached its nth set. */
function withActionAtSet({ deps }: World, nth: number, action: () => void): BulkDeps {
  let sets = 0
  const { catalog } = deps
  const cards = {
    ...catalog.cards,
    *listPagesBySet(setId: number) {
      yield* catalog.cards.listPagesBySet(setId)
      if (++sets === nth) action()
    },
  }
  return { ...deps, catalog: { ...catalog, cards } }
}

function manifestOf({ bulkFiles }: World): BulkManifest {
  const bulkManifest = bulkFiles().getCurrent()
  if (bulkManifest === undefined) throw new Error('nothing is built')
  return bulkManifest
}

function bytesOf(world: World, game: string, name: string): Buffer {
  const { version } = manifestOf(world)
  const file = world.bulkFiles().find(version, game, name)
  if (file === undefined) throw new Error(`${game} has no ${name}`)
  return readFileSync(file.path)
}

const textOf = (world: World, game: string, name: string) =>
  gunzipSync(bytesOf(world, game, name)).toString()

/** Returns the rows of a JSON lines file; each line has a line end. */
function linesOf(world: World, game: string, type: 'cards' | 'prices'): Row[] {
  const lines = textOf(world, game, `${type}.jsonl.gz`).split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => JSON.parse(line))
}

/** Returns the prices in the archive of a month. */
function pricesIn(bytes: Buffer): Row[] {
  const input = zstdDecompressSync(bytes)
  const { stdout } = spawnSync('tar', ['-xOf', '-'], { input, maxBuffer: 2 ** 30 })
  const files = String(stdout).replaceAll('}{', '}\n{').split('\n')
  return files.flatMap((text) => JSON.parse(text).results)
}

/** Opens the catalog file. */
function openSnapshotFile(world: World) {
  const path = join(world.dataDir, 'snapshot.sqlite')
  writeFileSync(path, gunzipSync(bytesOf(world, 'all', 'catalog.sqlite.gz')))
  const db = openDatabase(path, { readonly: true })
  closers.push(() => db.close())
  return db
}

describe('the files of a version', () => {
  let world: World
  beforeAll(async () => {
    world = worldOf(await createTestApp({ onDisk: true }))
    expect(await world.build()).toMatchObject({ outcome: 'built', version: SAMPLE })
  })
  afterAll(() => world.testApp.close())

  const games = () => world.deps.catalog.games.listAll().map(({ slug }) => slug)
  const request = async <Data>(path: string) =>
    (await world.testApp.client.get<Data>(path, { as: 'business' })).body.data

  test('are cards and prices of each game and of all, one catalog, and the history', () => {
    const { files, ...facts } = manifestOf(world)
    const tables = ['cards.jsonl.gz', 'cards.csv.gz', 'prices.jsonl.gz', 'prices.csv.gz']
    const places = ['all', ...games()].flatMap((game) => tables.map((name) => `${game}/${name}`))
    expect(files.map(({ game, name }) => `${game}/${name}`)).toEqual([
      ...places,
      'all/catalog.sqlite.gz',
      ...MONTHS.map((month) => `all/history-${month}.tar.zst`),
    ])
    expect(files.flatMap(({ month }) => month ?? [])).toEqual(MONTHS)
    for (const { type, format, name, month } of files) {
      expect(name).toBe(type === 'history' ? `history-${month}.tar.zst` : `${type}.${format}`)
    }
    const { version, published_at, changed_at } = world.deps.catalog.publication.getCurrent()
    const built_at = world.deps.now().toISOString()
    expect(facts).toEqual({ version, published_at, updated_at: changed_at, built_at })
    expect(new Set(files.map(({ updated_at }) => updated_at))).toEqual(new Set([changed_at]))
  })

  test('have the announced size, hash and number of rows', () => {
    const rowsIn = ({ game, type, format, name }: BulkFile): number => {
      if (format === 'sqlite.gz') {
        const db = openSnapshotFile(world)
        const tables = ['meta', 'games', 'sets', 'cards', 'prices']
        const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
        return tables.reduce((sum, table) => sum + Number(count(table)), 0)
      }
      if (format === 'csv.gz') return parseCsv(textOf(world, game, name)).length - 1
      if (type === 'history') return pricesIn(bytesOf(world, game, name)).length
      return type === 'catalog' ? 0 : linesOf(world, game, type).length
    }
    for (const file of manifestOf(world).files) {
      const bytes = bytesOf(world, file.game, file.name)
      expect({ ...file }).toMatchObject({
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        rows: rowsIn(file),
      })
    }
  })

  test('are one gzip member each, without a time, except the history', () => {
    const files = manifestOf(world).files.filter(({ format }) => format.endsWith('.gz'))
    expect(files).toHaveLength(17)
    for (const { game, name } of files) {
      const bytes = bytesOf(world, game, name)
      // Ten bytes before the stream and eight after it, because there is neither a name nor a comment.
      const { engine } = inflateRawSync(bytes.subarray(10), { info: true }) as unknown as {
        engine: { bytesWritten: number } // what `info` adds is not in the types
      }
      expect(10 + engine.bytesWritten + 8).toBe(bytes.length)
      expect([...bytes.subarray(0, 8)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])
    }
  })

  test('have a card and its prices as the API returns them, in the order of its sets', async () => {
    const cards = linesOf(world, 'all', 'cards')
    const prices = linesOf(world, 'all', 'prices')
    expect(cards.length).toBeGreaterThan(100)
    for (const card of cards) {
      expect(card).toEqual(await request<Row>(`/v1/cards/${card.id}`))
      // There, a single price is not an array.
      const served = [await request<Row | Row[]>(`/v1/cards/${card.id}/prices`)].flat()
      expect(prices.filter(({ card_id }) => card_id === card.id)).toEqual(served)
    }
    const sets = world.deps.catalog.games
      .listAll()
      .flatMap(({ id }) => world.deps.catalog.sets.listIds(id))
    const listed = await Promise.all(
      sets.map((set) => request<Row[]>(`/v1/sets/${set}/cards?per_page=100`)),
    )
    expect(cards.map(({ id }) => id)).toEqual(listed.flat().map(({ id }) => id))
    const order = new Map(cards.map(({ id }, index) => [id, index]))
    const places = prices.map(({ card_id }) => order.get(card_id) ?? -1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
  })

  test('of all games combine those of each game, by the ids of the games', () => {
    for (const type of ['cards', 'prices'] as const) {
      const each = games().map((game) => textOf(world, game, `${type}.jsonl.gz`))
      expect(textOf(world, 'all', `${type}.jsonl.gz`)).toBe(each.join(''))
      const bodies = games().map((game) => parseCsv(textOf(world, game, `${type}.csv.gz`)))
      const all = parseCsv(textOf(world, 'all', `${type}.csv.gz`))
      expect(all).toEqual([all[0] ?? [], ...bodies.flatMap(([, ...records]) => records)])
    }
  })

  test('have the same rows as CSV, with the fields as columns', () => {
    for (const game of ['all', ...games()]) {
      for (const type of ['cards', 'prices'] as const) {
        const [header = [], ...records] = parseCsv(textOf(world, game, `${type}.csv.gz`))
        const lines = linesOf(world, game, type)
        const expected = lines.map((line) =>
          header.map((field) => {
            const value = line[field] ?? ''
            return typeof value === 'object' ? JSON.stringify(value) : String(value)
          }),
        )
        // No name here begins like a formula, which would add an apostrophe.
        expect(records).toEqual(expected)
        for (const line of lines) {
          expect(Object.keys(line)).toEqual(header.filter((field) => field in line))
        }
      }
    }
  })

  test('include a catalog that opens, is intact, and has the same content', async () => {
    const db = openSnapshotFile(world)
    const rowsOf = (sql: string) => db.prepare<[], Row>(sql).all()
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(db.pragma('foreign_key_check')).toEqual([])
    const {
      version,
      published_at,
      changed_at: updated_at,
    } = world.deps.catalog.publication.getCurrent()
    expect(rowsOf('SELECT * FROM meta')).toEqual([
      { version, published_at, updated_at, generator: 'Cardstock' },
    ])
    const byId = (rows: Row[]) => rows.toSorted((a, b) => Number(a.id) - Number(b.id))
    expect(rowsOf('SELECT * FROM games ORDER BY id')).toEqual(byId(await request('/v1/games')))
    expect(rowsOf('SELECT * FROM sets ORDER BY id')).toEqual(byId(await request('/v1/sets')))
    const cards = rowsOf('SELECT * FROM cards ORDER BY id').map(
      ({ hp, ...card }): Row => ({
        ...card,
        ...(hp === null ? {} : { hp }),
        custom_attributes: JSON.parse(String(card.custom_attributes)),
      }),
    )
    expect(cards).toEqual(byId(linesOf(world, 'all', 'cards')))
    const prices = rowsOf('SELECT * FROM prices ORDER BY card_id, printing')
    const key = ({ card_id, printing }: Row) => `${String(card_id).padStart(12, '0')} ${printing}`
    expect(prices).toEqual(
      linesOf(world, 'all', 'prices').toSorted((a, b) => (key(a) < key(b) ? -1 : 1)),
    )
    expect(db.pragma('journal_mode', { simple: true })).toBe('delete')
    expect(
      JSON.stringify(rowsOf('EXPLAIN QUERY PLAN SELECT id FROM cards WHERE set_id = 1')),
    ).toContain('cards_by_set')
  })

  test('are found by the manifest alone', () => {
    const bulkFiles = world.bulkFiles()
    expect(bulkFiles.find(SAMPLE, 'all', 'cards.csv.gz')).toMatchObject({
      type: 'cards',
      game: 'all',
    })
    for (const [version, game, name] of [
      [SAMPLE - 1, 'all', 'cards.csv.gz'],
      [SAMPLE, 'nothing', 'cards.csv.gz'],
      [SAMPLE, 'all', 'manifest.json'],
      [SAMPLE, '.', 'manifest.json'],
      [SAMPLE, '..', 'v3/manifest.json'],
      [SAMPLE, 'all', '../all/cards.csv.gz'],
      [SAMPLE, '../../v3/all', 'cards.csv.gz'],
      [Number.NaN, 'all', 'cards.csv.gz'],
      [SAMPLE, '__proto__', 'constructor'],
    ] as const) {
      expect(bulkFiles.find(version, game, name)).toBeUndefined()
    }
  })
})

test('the same catalog results in the same bytes', async () => {
  const worlds = [await openWorld(), await openWorld()] as const
  // As after another sync with the same content.
  worlds[1].testApp.catalogDb.exec('VACUUM')
  const hashes = []
  for (const world of worlds) {
    await world.build()
    hashes.push(manifestOf(world).files.map(({ sha256 }) => sha256))
  }
  expect(hashes[1]).toEqual(hashes[0] ?? [])
})

test('a name that a spreadsheet would run is escaped in CSV only', async () => {
  const world = await openWorld()
  const card = 900001
  world.publish(`UPDATE cards SET name = '${FORMULA}' WHERE id = ${card}`)
  await world.build()
  const [header = [], ...records] = parseCsv(textOf(world, 'all', 'cards.csv.gz'))
  const record = records.find(([id]) => id === String(card)) ?? []
  expect(record[header.indexOf('name')]).toBe(`'${FORMULA}`)
  expect(linesOf(world, 'all', 'cards').find(({ id }) => id === card)?.name).toBe(FORMULA)
  const named = openSnapshotFile(world).prepare('SELECT name FROM cards WHERE id = ?').pluck()
  expect(named.get(card)).toBe(FORMULA)
})

test('a set with more cards than one read has each of them once, in order', async () => {
  const world = await openWorld()
  // Few numbers for many cards, so that pages end between cards with the same sort key.
  world.publish(
    `INSERT INTO cards (id, game_id, set_id, name, clean_name, number_key, product_type,
       shipping_category_id, product_status_id, search_text)
     WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 2000)
     SELECT ids.id, game_id, set_id, name, clean_name, 'Z' || (ids.id % 3), product_type,
            shipping_category_id, product_status_id, search_text
       FROM ids JOIN cards ON cards.id = 900001`,
  )
  await world.build()
  const ids = linesOf(world, 'all', 'cards').map(({ id }) => Number(id))
  const wanted = [0, 1, 2].flatMap((rest) =>
    Array.from({ length: 2000 }, (_, index) => index + 1).filter((id) => id % 3 === rest),
  )
  expect(ids.filter((id) => id <= 2000)).toEqual(wanted)
})

test('cards that were removed upstream are omitted, with their prices', async () => {
  const world = await openWorld()
  await world.build()
  const before = linesOf(world, 'all', 'cards')
  const gone = before[3]?.id
  world.publish(`UPDATE cards SET missing_since = '2026-11-15T00:00:00.000Z' WHERE id = ${gone}`)
  await world.build()
  expect(linesOf(world, 'all', 'cards')).toEqual(before.filter(({ id }) => id !== gone))
  expect(linesOf(world, 'all', 'prices').filter(({ card_id }) => card_id === gone)).toEqual([])
  const count = openSnapshotFile(world).prepare<[], number>('SELECT count(*) FROM cards').pluck()
  expect(count.get()).toBe(before.length - 1)
})

test('a card without prices and a game without cards are included', async () => {
  const world = await openWorld()
  const insert = `INSERT INTO games (id, name, slug, priority) VALUES (1, 'Empty', 'empty', 0)`
  world.publish(`${insert}; DELETE FROM price_texts WHERE card_id = 900001`)
  await world.build()
  expect(linesOf(world, 'all', 'cards').some(({ id }) => id === 900001)).toBe(true)
  expect(linesOf(world, 'all', 'prices').some(({ card_id }) => card_id === 900001)).toBe(false)
  expect(textOf(world, 'empty', 'cards.jsonl.gz')).toBe('')
  expect(parseCsv(textOf(world, 'empty', 'cards.csv.gz'))).toHaveLength(1)
})

describe('a version', () => {
  test('is built once', async () => {
    const world = await openWorld()
    expect(await world.build()).toMatchObject({ outcome: 'built', files: 21 })
    const first = manifestOf(world)
    world.testApp.setClock('2026-11-16T00:00:00.000Z')
    expect(await world.build()).toMatchObject({ outcome: 'current', files: 0 })
    expect(manifestOf(world)).toEqual(first)
  })

  test('stays until the next one is complete, and one more, so that downloads can continue', async () => {
    const world = await openWorld()
    await world.build()
    world.publish()
    const seen: unknown[] = []
    const look = () => seen.push([manifestOf(world).version, ...world.folders()])
    await buildBulkFiles(withActionAtSet(world, 3, look))
    look()
    world.publish()
    await buildBulkFiles(withActionAtSet(world, 3, look))
    look()
    expect(seen).toEqual([
      [3, '.v4', '.v4-scratch', 'history', 'v3'],
      [4, 'history', 'v3', 'v4'],
      [4, '.v5', '.v5-scratch', 'history', 'v3', 'v4'],
      [5, 'history', 'v4', 'v5'],
    ])
    const pathOf = (version: number) => world.bulkFiles().find(version, 'all', 'cards.csv.gz')?.path
    expect(existsSync(pathOf(4) ?? '')).toBe(true)
    expect(pathOf(3)).toBeUndefined()
  })

  test('is found by a running server within about a second', async () => {
    const world = await openWorld()
    const { bulk } = world.testApp.deps.files
    expect(bulk.getCurrent()).toBeUndefined()
    await world.build()
    while (bulk.getCurrent() === undefined) await Bun.sleep(20)
    expect(bulk.getCurrent()).toEqual(manifestOf(world))
  })

  test('of a replaced catalog is removed, whatever its number', async () => {
    const world = await openWorld()
    world.publish()
    world.publish()
    await world.build()
    world.publish('UPDATE publication SET version = 2', '2026-11-20T00:00:00.000Z')
    expect(await world.build()).toMatchObject({ outcome: 'built', version: SAMPLE })
    expect(world.folders()).toEqual(['history', 'v3'])
    // Reuses the number with different content.
    world.publish('UPDATE publication SET version = 2', '2026-11-21T00:00:00.000Z')
    const catalog = openCatalog(world.dataDir, (stored) => stored)
    closers.push(catalog.close)
    const report = await buildBulkFiles({ ...world.deps, catalog })
    expect(report).toMatchObject({ outcome: 'built', version: SAMPLE })
    expect(manifestOf(world).updated_at).toBe('2026-11-21T00:00:00.000Z')
  })
})

describe('a build', () => {
  test('starts again if the catalog changes during the build, and mixes no versions', async () => {
    const world = await openWorld()
    const rename = () => world.publish(`UPDATE cards SET rarity = 'New'`)
    const report = await buildBulkFiles(withActionAtSet(world, 4, rename))
    expect(report).toMatchObject({ outcome: 'built', version: SAMPLE + 1 })
    expect(world.folders()).toEqual(['history', 'v4'])
    const rarities = linesOf(world, 'all', 'cards').map(({ rarity }) => rarity)
    expect(new Set(rarities)).toEqual(new Set(['New']))
    expect(world.testApp.log.some(({ event }) => event === 'bulk files restarted')).toBe(true)
  })

  test('gives up for now if the catalog keeps changing, and keeps the existing files', async () => {
    const world = await openWorld()
    await world.build()
    world.publish()
    const { deps } = world
    const listAll = () => {
      world.publish()
      return deps.catalog.games.listAll()
    }
    const games = { ...deps.catalog.games, listAll }
    const changing = { ...deps, catalog: { ...deps.catalog, games } }
    expect(await buildBulkFiles(changing)).toMatchObject({ outcome: 'overtaken', files: 0 })
    expect(world.folders()).toEqual(['history', 'v3'])
  })

  test('that fails leaves nothing, and the next one succeeds', async () => {
    const world = await openWorld()
    const fail = () => {
      throw new Error('the disk is full')
    }
    await expect(buildBulkFiles(withActionAtSet(world, 3, fail))).rejects.toThrow(
      'the disk is full',
    )
    expect(world.folders()).toEqual([])
    expect(await world.build()).toMatchObject({ outcome: 'built' })
  })

  test('that is killed leaves nothing that is listed, and the next one removes it', async () => {
    const world = await openWorld()
    const building = startProcess(RUN, { args: [world.dataDir] })
    await building.hasPrinted('half')
    expect(await world.build()).toMatchObject({ outcome: 'elsewhere', files: 0 })
    await building.kill()
    expect(world.folders()).toEqual(['.v3', '.v3-scratch'])
    expect(world.bulkFiles().getCurrent()).toBeUndefined()
    expect(await world.build()).toMatchObject({ outcome: 'built' })
    expect(world.folders()).toEqual(['history', 'v3'])
  })

  test('skips a folder in which another process builds', async () => {
    const world = await openWorld()
    mkdirSync(join(world.dataDir, 'bulk', '.v3'), { recursive: true })
    const unlock = acquireLock(world.dataDir, 'bulk')
    expect(await world.build()).toMatchObject({ outcome: 'elsewhere', files: 0 })
    expect(world.folders()).toEqual(['.v3'])
    unlock?.()
    expect(await world.build()).toMatchObject({ outcome: 'built' })
  })
})
