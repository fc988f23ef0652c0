// The thread in which one long task runs, so that no request waits for it. It ends with its task.
import { type Config, isInFleet, servesSnapshots } from '#config.ts'
import type { Deps } from '#deps.ts'
import { type Log, openLog, withErrorRecord } from '#log.ts'
import type { FileImportOutcome } from '#rules/collections/file-import.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-error-code.ts'
import type { SyncStep } from '#store/memory/sync-trigger.ts'
import { lowerThreadPriority } from '#vision/runtime/thread-priority.ts'
import type {
  FetchTask,
  FileImportTask,
  LedgerReport,
  LedgerTask,
  PackTask,
  RebaseTask,
  SearchTask,
  SyncTask,
  Task,
  TaskRequest,
  TaskResponse,
  ValueTask,
} from './workers.ts'

declare const self: {
  onmessage: (event: { data: unknown }) => void
  postMessage: (response: TaskResponse<object>) => void
}

self.onmessage = async ({ data }) => {
  // Only workers.ts starts this thread, and this is what it sends.
  const { config, task } = data as TaskRequest
  const log = openLog(config.logLevel)
  try {
    self.postMessage({ kind: 'done', report: await runTask(task, config, log) })
  } catch (error) {
    if (!(error instanceof ServiceError)) log.error('task failed', { task: task.kind, error })
    self.postMessage({ kind: 'failed', reason: errorMessage(error) })
  }
}

/** Imports the modules of this task alone: a thread takes no more memory than its task needs. */
async function runTask(task: Task, config: Config, log: Log): Promise<object> {
  // Requests wait for the ledger while this work writes it.
  if (!['ledger', 'value', 'import'].includes(task.kind)) lowerThreadPriority()
  switch (task.kind) {
    case 'sync':
    case 'sample':
    case 'cardmarket':
      return writeCatalog(config, task)
    case 'rates':
      return fetchRates(config)
    case 'index':
      return (await import('./picture-index.ts')).runPictureIndex(config, log, {})
    case 'build':
      return writeBulkFiles(config, log)
    case 'backup':
      return writeBackup(config, log)
    case 'search':
      return readSearchIndex(config, task)
    case 'publish':
      return putSnapshot(config, log)
    case 'pack':
      return packVersion(config, log, task)
    case 'rebase':
      return rebaseWork(config, task)
    case 'fetch':
      return fetchSnapshotFile(config, task)
    case 'value':
      return valueCollections(config, log, task)
    case 'import':
      return importRows(config, log, task)
    case 'ledger':
      return maintainLedger(config, log, task)
  }
}

async function writeCatalog(config: Config, task: SyncTask): Promise<object> {
  const { openCatalogWriterDeps } = await import('#deps.ts')
  const deps = await whenUnlocked(config, () => openCatalogWriterDeps(config))
  try {
    if (task.kind === 'sample') {
      const { loadSample } = await import('#actions/sync/load-sample.ts')
      return await loadSample(deps, task.folder)
    }
    if (task.kind === 'cardmarket') {
      const { importCardmarket } = await import('#actions/sync/cardmarket/import-cardmarket.ts')
      const { openConfiguredCardmarket } = await import('#outbound/marketplace/source-files.ts')
      const files = openConfiguredCardmarket(config, deps.log)
      return await importCardmarket({ ...deps, files }, task.request)
    }
    const { syncCatalog } = await import('#actions/sync/sync-catalog.ts')
    const { openConfiguredMarketplace } = await import('#outbound/marketplace/open-marketplace.ts')
    const marketplace = openConfiguredMarketplace(config, deps.log)
    const report = await syncCatalog(
      { ...deps, marketplace },
      { ...task.request, onProgress: createProgressReport() },
    )
    const { replaceSample } = await import('#actions/sync/remove-sample.ts')
    return replaceSample(deps, config, report)
  } finally {
    deps.close()
  }
}

async function fetchRates(config: Config): Promise<object> {
  const { openCatalogWriterDeps } = await import('#deps.ts')
  const { fetchConfiguredRates, importRates } = await import('#actions/pricing/import-rates.ts')
  const file = await fetchConfiguredRates(config)
  const deps = await whenUnlocked(config, () => openCatalogWriterDeps(config))
  try {
    return await importRates(deps, file)
  } finally {
    deps.close()
  }
}

/** Tells the server how far a sync is, twice a second. */
function createProgressReport(): (step: SyncStep) => void {
  let toldAt = Number.NEGATIVE_INFINITY
  return ({ done, total }) => {
    const now = performance.now()
    if (now - toldAt < PROGRESS_MS && done < total) return
    toldAt = now
    self.postMessage({ kind: 'progress', step: { done, total } })
  }
}

const PROGRESS_MS = 500

/**
 * Waits for a sync or import of another process: two servers with one data folder sync at the same minute.
 *
 * @throws ServiceError UNAVAILABLE if the other process takes longer; the next hour tries again
 */
async function whenUnlocked<T>({ dataDir }: Config, open: () => Promise<T>): Promise<T> {
  const { isLocked } = await import('#store/files/lock.ts')
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

async function writeBulkFiles(config: Config, log: Log): Promise<object> {
  const { dataDir, publicUrl } = config
  const { buildBulkFiles } = await import('#actions/pricing/build-bulk-files.ts')
  const { createPictureUrl } = await import('#rules/catalog/picture-url.ts')
  const { openCatalog } = await import('#store/index.ts')
  const catalog = openCatalog(dataDir, createPictureUrl(publicUrl), await locateServed(config))
  try {
    const report = await buildBulkFiles({ catalog, dataDir, log, now: () => new Date() })
    if (config.snapshots !== undefined) await shareBulk(config, report.version, log)
    return report
  } finally {
    catalog.close()
  }
}

async function shareBulk(config: Config, version: number, log: Log): Promise<void> {
  const { shareBulkFiles } = await import('#actions/pricing/share-bulk-files.ts')
  const { dataDir, bucket } = await bucketDeps(config)
  await shareBulkFiles({ dataDir, bucket, isInFleet: isInFleet(config), log }, version)
}

/** Returns the file that the server reads. */
async function locateServed(config: Config): Promise<string> {
  const { locateCatalog } = await import('#store/files/snapshot-files.ts')
  return locateCatalog(config.dataDir, servesSnapshots(config))
}

async function readSearchIndex(config: Config, task: SearchTask): Promise<object> {
  const { openSearchReader } = await import('#store/index.ts')
  const reader = openSearchReader(config.dataDir, task.path ?? (await locateServed(config)))
  try {
    return reader.read()
  } finally {
    reader.close()
  }
}

async function putSnapshot(config: Config, log: Log): Promise<object> {
  const { publishSnapshot } = await import('#actions/operations/publish-snapshot.ts')
  const keepDays = config.backupRetention.days
  const report = await publishSnapshot({ ...(await bucketDeps(config)), keepDays, log })
  await sharePictures(config, log)
  return report
}

async function sharePictures(config: Config, log: Log): Promise<void> {
  const { sharePictureIndex } = await import('#actions/photos/share-picture-index.ts')
  const { dataDir, bucket } = await bucketDeps(config)
  await sharePictureIndex({ dataDir, bucket, isInFleet: isInFleet(config), log })
}

async function fetchSnapshotFile(config: Config, { snapshot }: FetchTask): Promise<object> {
  const { fetchSnapshot } = await import('#actions/operations/fetch-snapshot.ts')
  return fetchSnapshot(await bucketDeps(config), snapshot)
}

async function bucketDeps({ dataDir, catalogSource, snapshots, ledgerDatabase }: Config) {
  const settings = catalogSource ?? snapshots
  if (settings === undefined) throw new Error('a snapshot was asked for without a bucket')
  const { openBucket } = await import('#outbound/bucket/bucket.ts')
  const isLedgerShared = ledgerDatabase !== undefined
  return { dataDir, bucket: openBucket(settings), isLedgerShared, now: () => new Date() }
}

async function packVersion(config: Config, log: Log, { base }: PackTask): Promise<object> {
  const { packNextVersion } = await import('#actions/operations/lead-catalog.ts')
  await sharePictures(config, log)
  return packNextVersion(await bucketDeps(config), base)
}

async function rebaseWork(config: Config, { newest }: RebaseTask): Promise<object> {
  const { rebaseCatalog } = await import('#actions/operations/lead-catalog.ts')
  return rebaseCatalog(await bucketDeps(config), newest)
}

async function writeBackup(config: Config, log: Log): Promise<object> {
  const { backups, dataDir, ledgerDatabase } = config
  if (backups === undefined) throw new Error('a backup task was started although backups are off')
  const { backUpOnSchedule } = await import('#actions/operations/back-up.ts')
  const isLedgerShared = ledgerDatabase !== undefined
  return backUpOnSchedule({ dataDir, isLedgerShared, log, now: () => new Date() }, backups)
}

/** Reads and deletes many records, for which requests would have to wait. */
async function maintainLedger(config: Config, log: Log, { work }: LedgerTask) {
  const { openConfiguredLedger } = await import('#deps.ts')
  // Moves its own pages from the log into the file early, so that no request has to do it.
  const ledger = await openConfiguredLedger(config, log, { checkpointPages: 250 })
  const now = () => new Date()
  const report: LedgerReport = { errors: 0, first: [] }
  const add = (_: Date, event: string, facts: object = {}) => {
    report.errors++
    if (report.errors <= ERRORS_REPORTED) report.first.push({ event, facts })
  }
  try {
    await LEDGER_WORK[work]({ ledger, log: withErrorRecord(log, { add }, now), now })
    return report
  } finally {
    await ledger.close()
  }
}

/** Reads prices and histories of up to 250,000 items, and stores what they are worth. */
function valueCollections(config: Config, log: Log, { collection }: ValueTask) {
  return withStores(config, log, async (deps) => {
    if (collection === undefined) {
      const { valueOutdated } = await import('#actions/collections/value-outdated.ts')
      return { collections: await valueOutdated(deps) }
    }
    const { valueCollection } = await import('#actions/collections/value-collection.ts')
    await valueCollection(deps, collection)
    return { collections: 1 }
  })
}

/** Finds the cards of up to 500,000 rows, and stores their items. */
function importRows(
  config: Config,
  log: Log,
  { input }: FileImportTask,
): Promise<FileImportOutcome> {
  return withStores(config, log, async (deps) => {
    const { importFile } = await import('#actions/collections/import-file.ts')
    try {
      return { report: await importFile({ ...deps, config }, input) }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return { refusal: { code: error.code, message: error.message } }
    }
  })
}

/** Opens the ledger and the catalog that is served while `use` works. */
async function withStores<Result>(
  config: Config,
  log: Log,
  use: (deps: Pick<Deps, 'catalog' | 'ledger' | 'now'>) => Promise<Result>,
): Promise<Result> {
  const { openConfiguredLedger } = await import('#deps.ts')
  const { createPictureUrl } = await import('#rules/catalog/picture-url.ts')
  const { openCatalog } = await import('#store/index.ts')
  const ledger = await openConfiguredLedger(config, log, { checkpointPages: 250 })
  try {
    const path = await locateServed(config)
    const catalog = openCatalog(config.dataDir, createPictureUrl(config.publicUrl), path)
    try {
      return await use({ ledger, catalog, now: () => new Date() })
    } finally {
      catalog.close()
    }
  } finally {
    await ledger.close()
  }
}

type LedgerDeps = Pick<Deps, 'ledger' | 'log' | 'now'>

const LEDGER_WORK: Record<LedgerTask['work'], (deps: LedgerDeps) => Promise<void>> = {
  purge: async (deps) => (await import('#actions/operations/purge-ledger.ts')).purgeLedger(deps),
  'check balances': async (deps) =>
    (await import('#actions/photos/maintain-scans.ts')).checkScanBalances(deps),
  'check billing': async (deps) =>
    (await import('#actions/billing/report-billing.ts')).checkBooks(deps),
}

const ERRORS_REPORTED = 5
