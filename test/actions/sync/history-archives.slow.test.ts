// Imports of older prices from archives: a few days of an invented upstream.
import { afterEach, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { type RunOptions, runHistoryImport } from '#actions/sync/history/run-history-import.ts'
import { importHistory } from '#actions/sync/import-history.ts'
import { readHistoryImport, writeHistoryImport } from '#store/files/history-import-record.ts'
import {
  type Entry,
  readEntries,
  tar,
  writeFolder,
  writeTarGz,
  writeTarZst,
  writeZip,
} from '../../support/sync/archives.ts'
import {
  createSyncWorld,
  differences,
  type SyncWorld,
  smallUpstream,
  writeArchive,
} from '../../support/sync/upstream-fixture.ts'

const DAYS = 9
const DATES = Array.from({ length: DAYS }, (_, day) => `2026-02-${25 + day}`).map((date, day) =>
  day < 4 ? date : `2026-03-0${day - 3}`,
)

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-archives-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Days of prices below and above a dollar, and a world that was synced on the day after them. */
async function openDays(): Promise<{ entries: Entry[]; world: SyncWorld }> {
  const upstream = smallUpstream('2026-02-25T20:05:50Z')
  const folder = tempFolder()
  for (let day = 0; day < DAYS; day++) {
    upstream.setPrice(110, 'Normal', [0.6, 1.5, 0.4, 3, 2, 0.9, 1, 4, 5][day] ?? null)
    upstream.publish(day === 0 ? 0 : 1)
    writeArchive(upstream, folder)
  }
  upstream.publish(1)
  const world = createSyncWorld(upstream)
  closers.push(world.close)
  await world.sync()
  return { entries: readEntries(folder), world }
}

/** Returns what importing the files as a folder results in. */
async function importedFolder(entries: readonly Entry[]) {
  const { world } = await openDays()
  const folder = tempFolder()
  writeFolder(folder, entries)
  importHistory(world.deps, folder)
  return world.contents()
}

const run = ({ deps }: SyncWorld, path: string, options?: RunOptions) =>
  runHistoryImport(deps, path, options)

describe('an archive of older prices', () => {
  const prefix = 'archive/tcgplayer/'
  const writers: [string, (file: string, entries: Entry[]) => void][] = [
    ['.zip', writeZip],
    ['.tar.gz', writeTarGz],
    ['.tar.zst', writeTarZst],
    ['.tar.gz whose days are in no order', (file, all) => writeTarGz(file, all.toReversed())],
    ['.tar.gz below folders', (file, all) => writeTarGz(file, under(prefix, all))],
    ['.zip below folders', (file, all) => writeZip(file, under(prefix, all))],
    ['folder below folders', (file, all) => writeFolder(file, under(prefix, all))],
    [
      '.tar.gz that GNU tar has written',
      (file, all) => {
        const folder = tempFolder()
        writeFolder(folder, all)
        expect(spawnSync('tar', ['-czf', file, '-C', folder, '.']).status).toBe(0)
      },
    ],
    [
      '.zip that Python has written as a stream',
      (file, all) => {
        const folder = tempFolder()
        writeFolder(folder, all)
        const code = `import sys, os, zipfile
z = zipfile.ZipFile(sys.stdout.buffer, 'w', zipfile.ZIP_DEFLATED)
for root, _, names in os.walk('.'):
  for name in names: z.write(os.path.join(root, name))
z.close()`
        const { stdout } = spawnSync('python3', ['-c', code], { cwd: folder })
        writeFileSync(file, stdout)
      },
    ],
  ]

  test.each(writers)('(%s) has the prices of its extracted files', async (_, write) => {
    const { entries, world } = await openDays()
    const file = join(tempFolder(), 'prices')
    write(file, entries)
    const { record } = await run(world, file)
    expect(record).toMatchObject({
      name: 'prices',
      state: 'complete',
      days: DAYS,
      stored: DATES,
      points: 28 * DAYS - 1,
      cut_day: null,
      failure_count: 0,
    })
    expect(readHistoryImport(world.dataDir)).toEqual(record)
    expect(differences(world.contents(), await importedFolder(entries))).toEqual([])
    expect(existsSync(join(world.dataDir, 'staging-history'))).toBe(false)
  })

  test('with a day twice has the later files of each set', async () => {
    const { entries, world } = await openDays()
    const changed = entries
      .filter(({ path }) => path === '2026-03-02/3/11/prices')
      .map(({ path, bytes }) => ({
        path,
        bytes: Buffer.from(String(bytes).replaceAll('"marketPrice":', '"marketPrice":7,"was":')),
      }))
    expect(changed).toHaveLength(1)
    const file = join(tempFolder(), 'twice.tar.gz')
    writeTarGz(file, [...entries, ...changed])
    expect((await run(world, file)).record).toMatchObject({ state: 'complete', days: DAYS })
    const rest = entries.filter(({ path }) => path !== changed[0]?.path)
    expect(differences(world.contents(), await importedFolder([...rest, ...changed]))).toEqual([])
    world.catalog.publication.refresh()
    expect(world.points(110).find(({ day }) => day === dayOf('2026-03-02'))?.market_price).toBe(700)
  })

  test('lists damaged files, and has the others', async () => {
    const { entries, world } = await openDays()
    const file = join(tempFolder(), 'damaged.zip')
    writeZip(file, entries)
    const bytes = readFileSync(file)
    // A byte of the data of the third file.
    const header = bytes.indexOf(entries[2]?.path ?? '')
    bytes[header + 60] = (bytes[header + 60] ?? 0) ^ 0xff
    writeFileSync(file, bytes)
    const { record } = await run(world, file)
    expect(record).toMatchObject({ state: 'complete', days: DAYS, failure_count: 1 })
    expect(record.failures[0]?.file).toBe(entries[2]?.path ?? '')
  })
})

describe('an archive that is cut off', () => {
  test.each([
    ['.tar.gz', writeTarGz],
    ['.tar.zst', writeTarZst],
    ['.zip', writeZip],
  ])('(%s) keeps the days before the cut, and says so', async (_, write) => {
    const { entries, world } = await openDays()
    const file = join(tempFolder(), 'cut')
    // Data that cannot be compressed, so that a part of the file is a part of the days.
    const padded = entries.map(({ path, bytes }) => ({ path, bytes: pad(bytes) }))
    write(file, padded)
    const whole = readFileSync(file)
    writeFileSync(file, whole.subarray(0, Math.floor(whole.length * 0.6)))
    const { record } = await run(world, file)
    const { stored, cut_day } = record
    expect(record.state).toBe('complete')
    expect(stored.length).toBeGreaterThan(3)
    expect(stored).toEqual(DATES.slice(0, stored.length))
    expect(cut_day).toBe(DATES[stored.length] ?? '')
    const complete = entries.filter(({ path }) => stored.includes(path.slice(0, 10)))
    expect(differences(world.contents(), await importedFolder(complete))).toEqual([])
  })

  test('in its first day is refused', async () => {
    const { entries, world } = await openDays()
    const file = join(tempFolder(), 'cut')
    writeTarGz(file, entries)
    writeFileSync(file, readFileSync(file).subarray(0, 200))
    await expect(run(world, file)).rejects.toThrow(/cut off|TAR/)
  })
})

describe('an archive is refused, and nothing is stored,', () => {
  const price: Entry = { path: '2026-03-01/3/11/prices', bytes: Buffer.from('{"results":[]}') }
  const link = { bytes: Buffer.alloc(0), type: '2', linkname: '/etc/passwd' }
  const cases: [string, RegExp, (file: string) => void][] = [
    ['with a link', /links/, (file) => writeTarGz(file, [price, { ...link, path: 'x' }])],
    ['with a hard link', /links/, (file) => writeTarGz(file, [{ ...link, path: 'x', type: '1' }])],
    [
      'with a device',
      /links/,
      (file) => writeTarGz(file, [{ ...link, path: 'x', type: '3', linkname: '' }]),
    ],
    ['with a link in a ZIP', /links/, (file) => writeZip(file, [price, { ...link, path: 'x' }])],
    ...[
      '../2026-03-01/3/11/prices',
      '/2026-03-01/3/11/prices',
      'C:\\2026-03-01/3/11/prices',
    ].flatMap((path): [string, RegExp, (file: string) => void][] => [
      [`with ${path}`, /outside/, (file) => writeTarZst(file, [price, { ...price, path }])],
      [`with ${path} in a ZIP`, /outside/, (file) => writeZip(file, [price, { ...price, path }])],
    ]),
    [
      'with a path that is too long',
      /too long/,
      (file) => writeZip(file, [{ ...price, path: `${'a/'.repeat(200)}${price.path}` }]),
    ],
    [
      'that is a bomb',
      /too large when extracted/,
      (file) => writeFileSync(file, gzipSync(tarOfZeros(600 * 1024 ** 2))),
    ],
    [
      'that is a bomb of zstd',
      /too large when extracted/,
      (file) => writeFileSync(file, zstdCompressSync(tarOfZeros(600 * 1024 ** 2))),
    ],
    [
      'of another layout',
      /daily layout/,
      (file) => writeTarGz(file, [{ ...price, path: 'prices/2026-03-01.json' }]),
    ],
    ['without files', /daily layout|TAR/, (file) => writeZip(file, [])],
    ['of text', /TAR/, (file) => writeFileSync(file, gzipSync('hello\n'.repeat(500)))],
    ['that is another file', /not an archive/, (file) => writeFileSync(file, 'hello')],
    ['that is empty', /not an archive/, (file) => writeFileSync(file, '')],
    [
      'of 7-Zip',
      /Extract it/,
      (file) => writeFileSync(file, Buffer.from('377abcaf271c0004', 'hex')),
    ],
    ['that is a folder without days', /daily layout/, (file) => mkdirSync(file)],
    [
      'that is a folder of links',
      /daily layout/,
      (file) => {
        mkdirSync(file)
        symlinkSync(tempFolder(), join(file, '2026-03-01'))
      },
    ],
  ]

  test.each(cases)('%s', async (_, problem, write) => {
    const { world } = await openDays()
    const before = world.contents()
    const file = join(tempFolder(), 'prices')
    write(file)
    await expect(run(world, file)).rejects.toThrow(problem)
    expect(readHistoryImport(world.dataDir)).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(problem),
      stored: [],
    })
    expect(differences(world.contents(), before)).toEqual([])
  })
})

describe('an import', () => {
  test.each([
    ['archive', writeTarZst],
    ['folder', writeFolder],
  ])('of an %s that was canceled goes on where it stopped', async (_, write) => {
    const { entries, world } = await openDays()
    const file = join(tempFolder(), 'prices')
    write(file, entries)
    const canceling = new AbortController()
    const { record } = await run(world, file, {
      signal: canceling.signal,
      onProgress: ({ stored }) => stored.length > 0 && canceling.abort(),
    })
    expect(record).toMatchObject({ state: 'canceled', days: DAYS, stored: DATES.slice(0, 4) })
    // Readers see the stored days.
    world.catalog.publication.refresh()
    expect(world.points(110).length).toBeGreaterThan(1)
    const steps: number[] = []
    const { record: resumed } = await run(world, file, {
      onProgress: ({ stored }) => steps.push(stored.length),
    })
    expect(steps[0]).toBe(4)
    expect(resumed).toMatchObject({ state: 'complete', stored: DATES, points: 28 * DAYS - 1 })
    expect(differences(world.contents(), await importedFolder(entries))).toEqual([])
  })

  test('that was canceled while it read begins again', async () => {
    const { entries, world } = await openDays()
    const file = join(tempFolder(), 'prices')
    writeTarGz(file, [...entries, ...manySets(1_200)])
    const canceling = new AbortController()
    const { record } = await run(world, file, {
      signal: canceling.signal,
      onProgress: ({ files }) => files > 0 && canceling.abort(),
    })
    expect(record).toMatchObject({ state: 'canceled', days: null, stored: [] })
    const again = await run(world, file)
    expect(again.record).toMatchObject({ state: 'complete', days: DAYS, failure_count: 0 })
  })

  test('whose process was killed counts as interrupted, and goes on', async () => {
    const { entries, world } = await openDays()
    const file = join(tempFolder(), 'prices')
    writeTarGz(file, entries)
    const canceling = new AbortController()
    const { record } = await run(world, file, {
      signal: canceling.signal,
      onProgress: ({ stored }) => stored.length > 0 && canceling.abort(),
    })
    writeHistoryImport(world.dataDir, { ...record, state: 'running', ended_at: null })
    expect(readHistoryImport(world.dataDir)?.state).toBe('interrupted')
    expect((await run(world, file)).record).toMatchObject({ state: 'complete', stored: DATES })
  })

  test('of an archive that has changed begins from the start', async () => {
    const { entries, world } = await openDays()
    const file = join(tempFolder(), 'prices')
    writeTarGz(
      file,
      entries.filter(({ path }) => path < '2026-03-02'),
    )
    const canceling = new AbortController()
    await run(world, file, {
      signal: canceling.signal,
      onProgress: ({ stored }) => stored.length > 0 && canceling.abort(),
    })
    writeTarGz(file, entries)
    expect((await run(world, file)).record).toMatchObject({ days: DAYS, stored: DATES })
  })
})

function under(prefix: string, entries: readonly Entry[]): Entry[] {
  return entries.map(({ path, bytes }) => ({ path: prefix + path, bytes }))
}

function dayOf(date: string): number {
  return Date.parse(date) / 86_400_000
}

/** Adds a member that nobody reads, and that cannot be compressed. */
function pad(bytes: Uint8Array): Buffer {
  const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(20_000))).toString('base64')
  return Buffer.from(`{"noise":"${noise}",${String(bytes).slice(1)}`)
}

function tarOfZeros(bytes: number): Buffer {
  return tar([{ path: '2026-03-01/3/11/prices', bytes: Buffer.alloc(bytes) }])
}

/** Sets of the last day without any price. */
function manySets(count: number): Entry[] {
  return Array.from({ length: count }, (_, at) => ({
    path: `${DATES.at(-1)}/3/${5_000 + at}/prices`,
    bytes: Buffer.from('{"success":true,"errors":[],"results":[]}'),
  }))
}
