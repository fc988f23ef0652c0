import type { Config } from '#config.ts'
import type { CatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { SAMPLE_GAME_IDS } from '#rules/sync/sample-games.ts'
import type { SyncReport } from './sync-catalog.ts'

/** Deletes the sample from the catalog. @returns the new version; undefined if there was no sample */
export function removeSample({
  catalogWriter,
  now,
}: Pick<CatalogWriterDeps, 'catalogWriter' | 'now'>): number | undefined {
  return catalogWriter.removeGames(SAMPLE_GAME_IDS, now())
}

/** Deletes the sample after a sync that has published, if the operator has chosen so. @returns the report with its version */
export function replaceSample(
  deps: Pick<CatalogWriterDeps, 'catalogWriter' | 'now'>,
  { removesSample }: Pick<Config, 'removesSample'>,
  report: SyncReport,
): SyncReport {
  if (!removesSample || report.version === undefined) return report
  const version = removeSample(deps)
  return version === undefined ? report : { ...report, version }
}
