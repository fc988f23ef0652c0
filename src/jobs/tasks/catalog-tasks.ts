import { fetchConfiguredRates, importRates } from '#actions/pricing/import-rates.ts'
import { importCardmarket } from '#actions/sync/cardmarket/import-cardmarket.ts'
import { loadSample, replaceSample } from '#actions/sync/sample-catalog.ts'
import { syncCatalog } from '#actions/sync/sync-catalog.ts'
import type { Config } from '#config.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { openConfiguredMarketplace } from '#outbound/marketplace/open-marketplace.ts'
import { openConfiguredCardmarket } from '#outbound/marketplace/source-files.ts'
import { isLocked } from '#store/files/lock.ts'
import type { SyncStep } from '#store/memory/sync-trigger.ts'
import type { SyncTask } from '../workers.ts'

/** Syncs from the mirror, imports from Cardmarket, or loads the sample. */
export async function writeCatalog(
  config: Config,
  task: Exclude<SyncTask, { kind: 'history' }>,
  putProgress: (step: SyncStep) => void,
): Promise<object> {
  const deps = await whenUnlocked(config, () => openCatalogWriterDeps(config))
  try {
    if (task.kind === 'sample') return await loadSample(deps, task.folder)
    if (task.kind === 'cardmarket') {
      const files = openConfiguredCardmarket(config, deps.log)
      return await importCardmarket({ ...deps, files }, task.request)
    }
    const marketplace = openConfiguredMarketplace(config, deps.log)
    const onProgress = limitProgress(putProgress)
    const report = await syncCatalog({ ...deps, marketplace }, { ...task.request, onProgress })
    return replaceSample(deps, config, report)
  } finally {
    deps.close()
  }
}

/** Fetches and stores reference rates. */
export async function fetchRates(config: Config): Promise<object> {
  const file = await fetchConfiguredRates(config)
  const deps = await whenUnlocked(config, () => openCatalogWriterDeps(config))
  try {
    return await importRates(deps, file)
  } finally {
    deps.close()
  }
}

/** Forwards progress twice per second. */
function limitProgress(put: (step: SyncStep) => void): (step: SyncStep) => void {
  let reportedAt = Number.NEGATIVE_INFINITY
  return ({ done, total }) => {
    const now = performance.now()
    if (now - reportedAt < PROGRESS_MS && done < total) return
    reportedAt = now
    put({ done, total })
  }
}

const PROGRESS_MS = 500

/**
 * Waits for a sync or import of another process: two servers with one data folder may sync in the same minute.
 *
 * @throws ServiceError UNAVAILABLE if the other process takes longer; the next hour tries again
 */
export async function whenUnlocked<T>({ dataDir }: Config, open: () => Promise<T>): Promise<T> {
  const end = performance.now() + LOCK_WAIT_MS
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (performance.now() > end || !isLocked(dataDir, 'intake')) throw error
      await Bun.sleep(LOCK_POLL_MS)
    }
  }
}

const LOCK_WAIT_MS = 10 * 60_000
const LOCK_POLL_MS = 500
