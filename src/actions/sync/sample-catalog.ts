import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Config } from '#config.ts'
import type { CatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { openMarketplace } from '#outbound/marketplace/marketplace.ts'
import { dayOf, MS_PER_DAY } from '#rules/primitives/days.ts'
import { SAMPLE_GAME_IDS } from '#rules/sync/mirror-address.ts'
import { importHistory } from './import-history.ts'
import { type SyncReport, syncCatalog } from './sync-catalog.ts'

/**
 * Loads the bundled sample catalog like a real one. Its last day is moved to today, so that price changes, movers and
 * charts are current.
 *
 * @param folder root of the sample's mirror
 */
export async function loadSample(deps: CatalogWriterDeps, folder: string): Promise<SyncReport> {
  const mirror = openMarketplace({
    upstreamUrl: pathToFileURL(folder).href,
    userAgent: 'Cardstock sample',
  })
  const published = await mirror.fetchPublishTime()
  const timeOfDay = published.getTime() % MS_PER_DAY
  // Before the mirror's time of publication, yesterday's prices are the newest.
  const lastDay = dayOf(new Date(deps.now().getTime() - timeOfDay))
  const shiftDays = lastDay - dayOf(published)
  const marketplace = {
    ...mirror,
    fetchPublishTime: async () => new Date(published.getTime() + shiftDays * MS_PER_DAY),
  }
  const report = await syncCatalog({ ...deps, marketplace }, {})
  importHistory(deps, join(folder, 'archive/tcgplayer'), { shiftDays })
  return report
}

/** Deletes the sample from the catalog. @returns the new version; undefined if there was no sample */
export function removeSample({
  catalogWriter,
  now,
}: Pick<CatalogWriterDeps, 'catalogWriter' | 'now'>): number | undefined {
  return catalogWriter.removeGames(SAMPLE_GAME_IDS, now())
}

/** Deletes the sample after a successful sync, if the operator has chosen so. @returns the report with its version */
export function replaceSample(
  deps: Pick<CatalogWriterDeps, 'catalogWriter' | 'now'>,
  { removesSample }: Pick<Config, 'removesSample'>,
  report: SyncReport,
): SyncReport {
  if (!removesSample || report.version === undefined) return report
  const version = removeSample(deps)
  return version === undefined ? report : { ...report, version }
}
