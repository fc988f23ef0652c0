import { checkBooks } from '#actions/billing/report-billing.ts'
import { valueCollection, valueOutdated } from '#actions/collections/value-collection.ts'
import { purgeLedger } from '#actions/operations/purge-ledger.ts'
import { checkScanBalances } from '#actions/photos/maintain-scans.ts'
import { type Config, servesSnapshots } from '#config.ts'
import { openConfiguredLedger } from '#deps/storage.ts'
import type { Deps } from '#deps.ts'
import { type Log, withErrorRecord } from '#log.ts'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import { locateCatalog } from '#store/files/snapshot-files.ts'
import { openCatalog } from '#store/open-catalog.ts'
import type { LedgerReport, LedgerTask, ValueTask } from '../workers.ts'

/** Reads and deletes many records, which would delay requests in their thread. */
export async function maintainLedger(config: Config, log: Log, { work }: LedgerTask) {
  // Moves the pages that it writes from the log into the file early, so that no request has to.
  const ledger = await openConfiguredLedger(config, log, { checkpointPages: 250 })
  const now = () => new Date()
  const report: LedgerReport = { errors: 0, first: [] }
  const add = (_: Date, event: string, facts: object = {}) => {
    report.errors++
    if (report.errors <= ERRORS_REPORTED) report.first.push({ event, facts })
  }
  try {
    await LEDGER_WORK[work]({ config, ledger, log: withErrorRecord(log, { add }, now), now })
    return report
  } finally {
    await ledger.close()
  }
}

/** Reads prices and histories of up to 250,000 items, and stores their values. */
export function valueCollections(config: Config, log: Log, { collection }: ValueTask) {
  return withStores(config, log, async (deps) => {
    if (collection === undefined) return { collections: await valueOutdated(deps) }
    await valueCollection(deps, collection)
    return { collections: 1 }
  })
}

/** Opens the ledger and the served catalog while `use` runs. */
async function withStores<Result>(
  config: Config,
  log: Log,
  use: (deps: Pick<Deps, 'catalog' | 'ledger' | 'now'>) => Promise<Result>,
): Promise<Result> {
  const ledger = await openConfiguredLedger(config, log, { checkpointPages: 250 })
  try {
    const path = locateCatalog(config.dataDir, servesSnapshots(config))
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

type LedgerDeps = Pick<Deps, 'config' | 'ledger' | 'log' | 'now'>

const LEDGER_WORK: Record<LedgerTask['work'], (deps: LedgerDeps) => Promise<void>> = {
  purge: purgeLedger,
  'check balances': checkScanBalances,
  'check billing': checkBooks,
}

const ERRORS_REPORTED = 5
