import { runHistoryImport } from '#actions/sync/history/run-history-import.ts'
import { ALL_GAMES } from '#actions/sync/sync-findings.ts'
import type { Config } from '#config.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { removeUploadedArchive } from '#store/files/archive-folder.ts'
import type { ImportOutcome, SyncTask } from '../workers.ts'
import { whenUnlocked } from './catalog-tasks.ts'

type HistoryTask = Extract<SyncTask, { kind: 'history' }>

/** Imports older prices from a folder or an archive. */
export async function importOlderPrices(
  config: Config,
  { path }: HistoryTask,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const deps = await whenUnlocked(config, () => openCatalogWriterDeps(config))
  try {
    const { record, version } = await runHistoryImport(deps, path, { signal })
    if (record.state === 'complete') removeUploadedArchive(config.dataDir, path)
    const failures = record.failures.map(({ file, reason }) => {
      return { game: ALL_GAMES, reason: `${file}: ${reason}` }
    })
    return { outcome: 'complete', failures, ...(version !== undefined && { version }) }
  } finally {
    deps.close()
  }
}
