// The real upstream, which is outside the repository where the project is developed, and never part of it.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type SyncReport, syncCatalog } from '#actions/sync/sync-catalog.ts'
import { openMarketplace } from '#outbound/marketplace/marketplace.ts'
import { openCatalogWriter } from '#store/open-catalog-writer.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { createWarningLog } from './upstream-fixture.ts'

const SHARED = resolve(import.meta.dir, '../../../../shared/upstream')

type Archive = 'catalog' | 'archive'

/**
 * Unpacks archives of the real upstream, each into a folder of its name, within a folder that the test removes;
 * undefined if that is not possible, with a printed reason.
 *
 * @param file path of the test that is skipped then
 */
export function unpackRecordedUpstream(file: string, names: readonly Archive[]) {
  if (isSkipped(file, names)) return undefined
  const root = mkdtempSync(join(tmpdir(), 'cardstock-real-'))
  unpack(root, names)
  return root
}

/** A data folder with the real catalog, for tests that only read. */
export type RecordedCatalog = {
  dataDir: string
  /** The unpacked files from which it was synced. */
  mirror: string
  /** Fills the folder, or waits until another process has filled it. @returns the report of the sync, and its warnings */
  sync(): Promise<RecordedSync>
  remove(): void
}

/** Timeout of hooks that sync a recorded catalog, or wait for another process to do so. */
export const RECORDED_SYNC_MS_MAX = 300_000

export type RecordedSync = { report: SyncReport; logged: { event: string; facts: object }[] }

/**
 * Returns the data folder of a test. The processes of `bun run check` share one, because the sync takes most of the
 * time of such a test. Undefined without a real catalog, with a printed reason.
 *
 * @param file path of the test that is skipped then
 */
export function recordedCatalog(file: string): RecordedCatalog | undefined {
  if (isSkipped(file, ['catalog'])) return undefined
  const shared = process.env.CHECK_FOLDER
  const root =
    shared === undefined
      ? mkdtempSync(join(tmpdir(), 'cardstock-real-'))
      : join(shared, 'recorded-catalog')
  const dataDir = join(root, 'data')
  const mirror = join(root, 'catalog')
  const synced = join(root, 'synced')
  return {
    dataDir,
    mirror,
    async sync() {
      if (shared !== undefined && !isFirst(root)) {
        await waitForFile(synced)
        return JSON.parse(readFileSync(synced, 'utf8'))
      }
      unpack(root, ['catalog'])
      prepareFiles(dataDir)
      const logged: RecordedSync['logged'] = []
      const report = await syncRecorded(mirror, dataDir, logged)
      // Renamed, because others read the file as soon as it exists.
      writeFileSync(`${synced}.part`, JSON.stringify({ report, logged }))
      renameSync(`${synced}.part`, synced)
      return { report, logged }
    },
    remove() {
      if (shared === undefined) rmSync(root, { recursive: true })
    },
  }
}

/** Creates a folder. Returns false if another process has created it. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if (existsSync(folder)) return false
    throw error
  }
}

async function waitForFile(path: string): Promise<void> {
  while (!existsSync(path)) await Bun.sleep(50)
}

/** Returns true if archives cannot be unpacked here, and prints the reason. */
function isSkipped(file: string, names: readonly Archive[]): boolean {
  const absent = names.map(archivePath).find((path) => !existsSync(path))
  const lacksProgram = Bun.which('zstd') === null || Bun.which('tar') === null
  if (absent === undefined && !lacksProgram) return false
  const reason = absent === undefined ? 'tar or zstd is missing' : `there is no ${absent}`
  console.warn(`${basename(file)} is skipped: ${reason}.`)
  return true
}

function archivePath(name: Archive): string {
  return join(SHARED, `${name}.tar.zst`)
}

function unpack(root: string, names: readonly Archive[]): void {
  for (const name of names) {
    const folder = join(root, name)
    mkdirSync(folder)
    const { exitCode } = Bun.spawnSync(['tar', '--zstd', '-xf', archivePath(name), '-C', folder])
    if (exitCode !== 0) throw new Error(`${archivePath(name)} cannot be unpacked`)
  }
}

/** The real upstream published on 5 August; the sync runs that night. */
export const recordedNow = () => new Date('2026-08-05T22:00:00Z')

/** Syncs a prepared data folder from the unpacked catalog. */
export async function syncRecorded(
  mirror: string,
  dataDir: string,
  logged: RecordedSync['logged'] = [],
): Promise<SyncReport> {
  const catalogWriter = openCatalogWriter(dataDir)
  const marketplace = openMarketplace({
    upstreamUrl: pathToFileURL(mirror).href,
    userAgent: 'Cardstock/0.0.0',
    pauseMs: 0,
  })
  const deps = {
    dataDir,
    log: createWarningLog(logged),
    now: recordedNow,
    catalogWriter,
    marketplace,
  }
  const report = await syncCatalog(deps, {})
  catalogWriter.close()
  return report
}
