import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, servesSnapshots } from '#config.ts'
import { staleSince } from '#rules/catalog/freshness.ts'
import {
  type CheckResult,
  fault,
  formatCount,
  ok,
  warning,
} from '#rules/operations/doctor-finding.ts'
import {
  compareSchemas,
  countSchemaSteps,
  UNRELEASED_SCHEMA,
} from '#rules/operations/schema-version.ts'
import { areRatesStale } from '#rules/pricing/rate-schedule.ts'
import { formatDate } from '#rules/primitives/days.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import { hashFile } from '#store/backup/folder.ts'
import { CATALOG_FILE, LEDGER_FILE } from '#store/files/data-folder.ts'
import { describeCatalog } from '#store/files/describe-catalog.ts'
import { type HistoryFile, locateHistory } from '#store/files/history-files.ts'
import {
  type CatalogFacts,
  type DatabaseFacts,
  inspectCatalog,
  inspectDatabase,
  readSqliteVersion,
} from '#store/files/inspect-database.ts'
import { locateCatalog } from '#store/files/snapshot-files.ts'
import { checkLedgerDatabase } from './check-ledger-database.ts'
import type { Checks } from './doctor-check.ts'

export const DATABASE_CHECKS: Checks = {
  catalog: ({ config }) => {
    const path = servedCatalogOf(config)
    return [...checkDatabase(path, 'catalog'), ...checkHistory(config.dataDir, path)]
  },
  ledger: ({ config }) =>
    config.ledgerDatabase === undefined
      ? checkDatabase(join(config.dataDir, LEDGER_FILE), 'ledger')
      : checkLedgerDatabase(config, config.ledgerDatabase),

  setup({ config, stored }) {
    if (stored === undefined) return []
    if (stored.isSetUp === true) return ok(`finished; this is a ${config.mode} server`)
    return warning(
      'not finished: the dashboard leads everybody to it',
      'Open the address that the server prints when it starts, or run bun run setup.',
    )
  },

  games({ config, now }) {
    const catalog = inspectCatalog(servedCatalogOf(config))
    if (catalog === undefined) return ok('no catalog to check yet')
    const { games, pictures, lastSync } = catalog
    if (games.length === 0) {
      return warning('the catalog is empty', config.upstreamUrl === undefined ? FILL : READ_MIRROR)
    }
    const cards = games.reduce((sum, { card_count }) => sum + card_count, 0)
    const content = `${formatCount(games.length, 'game')}, ${formatCount(cards, 'card')}`
    const results = [describePictures(content, { cards, pictures }, config)]
    const stale = games.filter((game) => staleSince(game, now) !== undefined)
    if (stale.length > 0 && config.upstreamUrl !== undefined) {
      const names = stale.slice(0, 5).map(({ slug }) => slug)
      const late = `${formatCount(stale.length, 'game')} missed the last refresh`
      const message = `${late}: ${names.join(', ')}${stale.length > 5 ? ', …' : ''}`
      results.push(warning(message, RUN_SYNC))
    }
    if (lastSync !== undefined && lastSync.outcome !== 'complete') {
      const result = lastSync.outcome === 'failed' ? 'failed' : 'was incomplete'
      const message = `the last sync ${result} at ${lastSync.finished_at}`
      results.push(warning(message, RUN_SYNC))
    }
    return results
  },

  'exchange rates': ({ config, now }) =>
    checkExchangeRates(readFacts(servedCatalogOf(config))?.newestRates, {
      now,
      isFetched: config.exchangeRatesUrl !== undefined,
    }),

  /** A clock that is slow makes stale data look fresh. */
  clock({ config, now }) {
    const { dataDir } = config
    const times = [CATALOG_FILE, LEDGER_FILE].flatMap((name): [string, number][] => {
      const path = join(dataDir, name)
      return existsSync(path) ? [[name, statSync(path).mtimeMs]] : []
    })
    const published = readFacts(servedCatalogOf(config))?.publishedAt ?? null
    if (published !== null) times.push(['the newest prices', Date.parse(published)])
    const later = times.find(([, time]) => time > now.getTime() + CLOCK_MS_MAX)
    if (later === undefined) return ok(`${now.toISOString()} is consistent with the files`)
    return fault(
      `it is ${now.toISOString()}, but ${later[0]} is from ${new Date(later[1]).toISOString()}`,
      'Set the clock, and keep it correct with NTP.',
    )
  },
}

/** Describes the share of indexed pictures. Without pictures, photos are identified by printed text alone. */
function describePictures(
  content: string,
  { cards, pictures }: { cards: number; pictures: number },
  { indexPictures, identifyWorkers, photoWorkers }: Config,
): CheckResult {
  const isReading = identifyWorkers > 0 || photoWorkers !== undefined
  if (pictures > 0 || cards === 0 || !isReading) {
    const share = cards === 0 ? 0 : Math.floor((100 * pictures) / cards)
    return ok(`${content}, ${share} % of their pictures indexed`)
  }
  const message = `${content}, no picture indexed: photos are identified by their printed text alone`
  return indexPictures ? warning(message, INDEX) : ok(`${message}, as set`)
}

const INDEX =
  'Wait for the server, which indexes them in the background, or run bun run index beside it.'
const FILL =
  'Choose a mirror with bun run setup or UPSTREAM_URL, or load the sample with bun run up.'
const READ_MIRROR = 'Start the server, which reads the mirror, or run bun run sync.'

const RUN_SYNC = 'Run bun run sync: it lists the sets that were refused, with the reasons.'

const CLOCK_MS_MAX = 300_000

const AFTER_DAMAGE = {
  catalog:
    'Stop the server and restore a backup with bun run restore. Without a backup, move the file away and sync again; the price history is lost.',
  ledger:
    'Stop the server and restore a backup with bun run restore: this file has accounts, API keys and payments.',
}

/** A server of a fleet, or a replica, reads its catalog from a snapshot. */
function servedCatalogOf(config: Config): string {
  return locateCatalog(config.dataDir, servesSnapshots(config))
}

function checkDatabase(path: string, name: 'catalog' | 'ledger'): CheckResult[] {
  const engine = readSqliteVersion()
  try {
    const facts = inspectDatabase(path, name)
    if (facts === undefined) return [ok('the first start creates the file')]
    const { damage } = facts
    const integrity =
      damage.length === 0
        ? ok('the file is intact')
        : fault(`the file is damaged: ${damage.join('; ')}`, AFTER_DAMAGE[name])
    return [checkSchema(facts, engine), integrity]
  } catch (error) {
    return [fault(`the file cannot be read: ${errorMessage(error)}`, AFTER_DAMAGE[name])]
  }
}

function checkSchema({ version, newest }: DatabaseFacts, engine: string): CheckResult {
  const [found, supported] = [countSchemaSteps(version), countSchemaSteps(newest)]
  switch (compareSchemas(version, newest)) {
    case 'same':
      return ok(`opens with SQLite ${engine}, schema version ${found}`)
    case 'newer':
      return fault(
        `the file has schema version ${found}, this program supports ${supported}`,
        'Start the newer version of Cardstock that wrote it, or restore a backup with bun run restore.',
      )
    case 'older':
      return warning(
        `the file has schema version ${found} of ${supported}`,
        'The next start upgrades it; keep a backup until then.',
      )
    case 'unreleased':
      return fault(
        `the file ${UNRELEASED_SCHEMA}`,
        'Move the data folder away and start with an empty one.',
      )
  }
}

/** Checks the file of closed months; it exists only if the catalog is published as snapshots. */
function checkHistory(dataDir: string, catalog: string): CheckResult[] {
  const file = findHistory(catalog)
  if (file === undefined) return []
  const path = locateHistory(dataDir, file)
  if (!existsSync(path)) return [fault(`${path} is missing`, AFTER_LOSS)]
  return hashFile(path) === file.sha256
    ? [ok('the closed months of the price history are intact')]
    : [fault(`${path} is damaged: its SHA-256 differs`, AFTER_LOSS)]
}

const AFTER_LOSS =
  'Stop the server and restore a backup with bun run restore, or a snapshot with bun run restore --snapshot: this file has the price history of closed months.'

/** Returns undefined if the catalog cannot be read, which the check of the file reports. */
function findHistory(path: string): HistoryFile | undefined {
  try {
    return existsSync(path) ? describeCatalog(path)?.history : undefined
  } catch {
    return undefined
  }
}

/** Returns undefined if the file cannot be read, which the check of the file reports. */
function readFacts(catalog: string): CatalogFacts | undefined {
  try {
    return inspectCatalog(catalog)
  } catch {
    return undefined
  }
}

/** Checks that the reference rates are current. @param newest day of the newest rates; undefined without rates */
function checkExchangeRates(
  newest: number | undefined,
  { now, isFetched }: { now: Date; isFetched: boolean },
): CheckResult {
  const fix = isFetched
    ? 'Run bun run import-rates: it prints why the file at EXCHANGE_RATES_URL cannot be used.'
    : 'Set EXCHANGE_RATES_URL, or run bun run import-rates with a newer file.'
  if (newest === undefined) {
    if (isFetched) return warning('no rates were read from EXCHANGE_RATES_URL yet', fix)
    return ok('none: prices are shown in the currency of their source')
  }
  const date = formatDate(newest)
  if (!areRatesStale(newest, now)) return ok(`the newest are of ${date}`)
  return warning(`the newest are of ${date}, more than four working days ago`, fix)
}
