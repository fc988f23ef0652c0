import type { Config } from '#config.ts'
import { type Log, openLog } from '#log.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { acquireLock } from '#store/files/lock.ts'
import { openSharedRuleSource } from '#store/ledger/alerts/rule-source.ts'
import { type CatalogWriter, openCatalogWriter } from '#store/open-catalog-writer.ts'
import { prepareStorage } from './storage.ts'

/** Dependencies of a process or thread that changes the catalog. */
export type CatalogWriterDeps = {
  dataDir: string
  log: Log
  catalogWriter: CatalogWriter
  now: () => Date
  close: () => void
}

/**
 * Opens the catalog for writing.
 *
 * @throws ServiceError UNAVAILABLE while another process or thread writes to it
 */
export async function openCatalogWriterDeps(
  config: Config,
  log: Log = openLog(config.logLevel, config.logFormat),
): Promise<CatalogWriterDeps> {
  const database = await prepareStorage(config, log, RULES_MS)
  const unlock = acquireLock(config.dataDir, 'intake')
  if (unlock === undefined) {
    await database?.close()
    throw new ServiceError(
      'UNAVAILABLE',
      'Another sync or import is using this data folder. Wait for it or stop it, then try again.',
    )
  }
  const rules = database && {
    ...openSharedRuleSource(database),
    close: () => void database.close(),
  }
  const catalogWriter = openCatalogWriter(config.dataDir, rules)
  return {
    dataDir: config.dataDir,
    log,
    catalogWriter,
    now: () => new Date(),
    close() {
      catalogWriter.close()
      unlock()
    },
  }
}

/** Timeout for reading all alert rules, in milliseconds. It is long, because no request waits for a sync. */
const RULES_MS = 60_000
