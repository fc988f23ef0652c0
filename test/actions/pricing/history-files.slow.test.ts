// The history among the files of the whole catalog: what one Cardstock exports, another imports.
import { afterEach, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import { type BulkDeps, buildBulkFiles } from '#actions/pricing/build-bulk-files.ts'
import { runHistoryImport } from '#actions/sync/history/run-history-import.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import { openBulkFileStore } from '#store/files/bulk-files.ts'
import { separateClosedMonths } from '#store/files/history-files.ts'
import { pricesOn } from '../../support/sync/price-walk.ts'
import {
  createSyncWorld,
  differences,
  type SyncWorld,
  smallUpstream,
  type Upstream,
} from '../../support/sync/upstream-fixture.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close()
})

function openWorld(upstream: Upstream): SyncWorld {
  const world = createSyncWorld(upstream)
  closers.push(world.close)
  return world
}

const START = '2026-01-20T20:05:50Z'

/** Syncs a mirror every third day of five months, with prices that come, go, vanish and are below a dollar. */
async function openGrown(): Promise<{ upstream: Upstream; world: SyncWorld }> {
  const upstream = smallUpstream(START)
  const world = openWorld(upstream)
  for (let nth = 0; nth < 50; nth++) {
    pricesOn(upstream, nth)
    await world.day(nth === 0 ? 0 : 3, { force: true })
  }
  return { upstream, world }
}

function depsOf({ catalog, dataDir, deps }: SyncWorld): BulkDeps {
  catalog.publication.refresh()
  return { catalog, dataDir, log: deps.log, now: deps.now }
}

/** Builds the files, and returns those of the history, oldest first, with their paths. */
async function build(world: SyncWorld, deps = depsOf(world)) {
  expect(await buildBulkFiles(deps)).toMatchObject({ outcome: 'built' })
  const store = openBulkFileStore(world.dataDir)
  const { version, files } = store.getCurrent() ?? { version: 0, files: [] }
  return files
    .filter(({ type }) => type === 'history')
    .map((file) => ({ ...file, path: store.find(version, file.game, file.name)?.path ?? '' }))
}

/** Returns deps that note the months whose prices are read. */
function withNotes(world: SyncWorld, read: Set<number>): BulkDeps {
  const deps = depsOf(world)
  const { historyMonths } = deps.catalog
  const readSet = (set: number, month: number) => {
    read.add(month)
    return historyMonths.readSet(set, month)
  }
  return {
    ...deps,
    catalog: { ...deps.catalog, historyMonths: { ...historyMonths, readSet } },
  }
}

const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06']

describe('the files of the history', () => {
  test('give another Cardstock with the same catalog the same prices', async () => {
    const { upstream, world } = await openGrown()
    const files = await build(world)
    expect(files.map(({ month }) => month)).toEqual(MONTHS)
    const other = openWorld(upstream)
    await other.sync()
    for (const { path, rows } of files) {
      const { record } = await runHistoryImport(other.deps, path)
      expect(record).toMatchObject({
        state: 'complete',
        points: rows,
        unknown_cards: 0,
        bad_records: 0,
        failure_count: 0,
        cut_day: null,
      })
    }
    const [found, wanted] = [other.contents(), world.contents()]
    expect(wanted.history?.length).toBeGreaterThan(20)
    expect(wanted.history?.join('\n')).toContain('"market_price":null')
    expect(wanted.history?.join('\n')).toContain('"market_price":40,')
    expect(wanted.history?.join('\n')).toContain('"sales_volume":8')
    expect(
      differences({ history: found.history ?? [] }, { history: wanted.history ?? [] }),
    ).toEqual([])
    const again = await build(other)
    expect(again.map(({ sha256 }) => sha256)).toEqual(files.map(({ sha256 }) => sha256))
  })

  test('have the mirror’s layout, which other tools read', async () => {
    const { upstream, world } = await openGrown()
    const files = await build(world)
    const last = files.at(-1)
    expect(last).toMatchObject({
      type: 'history',
      game: 'all',
      format: 'tar.zst',
      month: '2026-06',
      name: 'history-2026-06.tar.zst',
    })
    const archive = zstdDecompressSync(readFileSync(last?.path ?? ''))
    const { stdout, status } = spawnSync('tar', ['-tf', '-'], { input: archive })
    expect(status).toBe(0)
    const paths = String(stdout).trim().split('\n')
    const date = formatDate(dayOf(upstream.publishedAt()))
    expect(paths).toContain(`${date}/3/11/prices`)
    expect(paths.every((path) => /^2026-06-\d\d\/(3|500)\/(11|12|21|22)\/prices$/.test(path))).toBe(
      true,
    )
    const place = `${date}/3/11/prices`
    const { stdout: text } = spawnSync('tar', ['-xOf', '-', place], { input: archive })
    const { success, results } = JSON.parse(String(text))
    expect(success).toBe(true)
    const { market_price, low_price } = world.prices(111).Normal ?? {}
    expect(results).toContainEqual(
      expect.objectContaining({
        productId: 111,
        subTypeName: 'Normal',
        marketPrice: market_price,
        lowPrice: low_price,
      }),
    )
  })

  test('of months without new prices are kept, also when the months are moved', async () => {
    const { upstream, world } = await openGrown()
    const before = await build(world)
    separateClosedMonths(world.dataDir)
    pricesOn(upstream, 50)
    await world.day(1)
    const read = new Set<number>()
    const after = await build(world, withNotes(world, read))
    expect(read.size).toBe(1)
    expect(after.slice(0, -1)).toEqual(
      before.slice(0, -1).map((file, at) => ({ ...file, path: after[at]?.path ?? '' })),
    )
    expect(after.at(-1)?.sha256).not.toBe(before.at(-1)?.sha256)
    // They share one file on disk.
    const inodes = [before, after].map((files) => files.map(({ path }) => statSync(path).ino))
    expect(inodes[1]?.slice(0, -1)).toEqual(inodes[0]?.slice(0, -1) ?? [])
  })

  test('are written again for a month whose prices were imported', async () => {
    const { upstream, world } = await openGrown()
    const before = await build(world)
    const [march] = before.filter(({ month }) => month === '2026-03')
    // A world that lacks the days before its first sync.
    const other = openWorld(upstream)
    await other.sync()
    expect((await build(other)).map(({ month }) => month)).toEqual(['2026-06'])
    await runHistoryImport(other.deps, march?.path ?? '')
    const read = new Set<number>()
    const after = await build(other, withNotes(other, read))
    expect(after.map(({ month }) => month)).toEqual(['2026-03', '2026-06'])
    expect(read.size).toBe(1)
  })

  test('that were complete stay if a publication interrupts the others', async () => {
    const { upstream, world } = await openGrown()
    const read = new Set<number>()
    const deps = withNotes(world, read)
    const { historyMonths } = deps.catalog
    let sets = 0
    const readSet = (set: number, month: number) => {
      // In the middle of the third month.
      if (++sets === 10) {
        world.deps.catalogWriter.history.recount(() => upstream.publishedAt())
      }
      return historyMonths.readSet(set, month)
    }
    const files = await build(world, {
      ...deps,
      catalog: { ...deps.catalog, historyMonths: { ...historyMonths, readSet } },
    })
    expect(files.map(({ month }) => month)).toEqual(MONTHS)
    // Four sets of each month; those of the third one twice, as far as they were read.
    expect(sets).toBe(4 * MONTHS.length + 2)
    const other = openWorld(upstream)
    await other.sync()
    for (const { path } of files) await runHistoryImport(other.deps, path)
    expect(
      differences(
        { history: other.contents().history ?? [] },
        { history: world.contents().history ?? [] },
      ),
    ).toEqual([])
  })
})
