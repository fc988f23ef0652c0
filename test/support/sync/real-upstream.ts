// A real upstream lies beside the repository where the project is developed; it is never part of it.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type SyncReport, syncCatalog } from '#actions/sync/sync-catalog.ts'
import { openMarketplace } from '#outbound/marketplace/marketplace.ts'
import { openCatalogWriter } from '#store/index.ts'
import { createWarningLog } from './upstream-fixture.ts'

const SHARED = resolve(import.meta.dir, '../../../../shared/upstream')

/**
 * Unpacks archives of the real upstream, each into a folder of its name, within one that the test
 * removes. Where that cannot be, it is undefined, and the reason is printed.
 *
 * @param file of the test that is skipped then
 */
export function unpackRecordedUpstream(
  file: string,
  names: readonly ('catalog' | 'archive')[],
): string | undefined {
  const skipped = (reason: string) => void console.warn(`${basename(file)} is skipped: ${reason}.`)
  const archives = names.map((name) => ({ name, path: join(SHARED, `${name}.tar.zst`) }))
  const absent = archives.find(({ path }) => !existsSync(path))
  if (absent !== undefined) return skipped(`there is no ${absent.path}`)
  if (Bun.which('zstd') === null || Bun.which('tar') === null) {
    return skipped('tar or zstd is missing')
  }
  const root = mkdtempSync(join(tmpdir(), 'cardstock-real-'))
  for (const { name, path } of archives) {
    const folder = join(root, name)
    mkdirSync(folder)
    const { exitCode } = Bun.spawnSync(['tar', '--zstd', '-xf', path, '-C', folder])
    if (exitCode === 0) continue
    rmSync(root, { recursive: true })
    return skipped(`${path} cannot be unpacked`)
  }
  return root
}

/** The real upstream published on 5 August; the sync runs that night. */
export const recordedNow = () => new Date('2026-08-05T22:00:00Z')

/** Syncs a prepared data folder from the unpacked catalog. */
export async function syncRecorded(
  mirror: string,
  dataDir: string,
  logged: { event: string; facts: object }[] = [],
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
