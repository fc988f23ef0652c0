// Syncs the catalog once from the mirror, or prices from another source.
import {
  type ImportRequest,
  importCardmarket,
  type SourceReport,
} from '#actions/sync/cardmarket/import-cardmarket.ts'
import type { SyncRequest } from '#actions/sync/publish-games.ts'
import { replaceSample } from '#actions/sync/sample-catalog.ts'
import { type SyncReport, syncCatalog } from '#actions/sync/sync-catalog.ts'
import { ALL_GAMES, type SyncFindings } from '#actions/sync/sync-findings.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { readStoredConfig } from '#deps/storage.ts'
import { openLog } from '#log.ts'
import { openConfiguredMarketplace } from '#outbound/marketplace/open-marketplace.ts'
import { openConfiguredCardmarket } from '#outbound/marketplace/source-files.ts'
import { SYNC } from './cli/import-commands.ts'
import { UsageError } from './cli/parse.ts'
import { runCommand } from './cli/run-command.ts'
import { commandConfig, createProgress, isForPeople, printResult } from './cli/terminal.ts'
import { count, formatTime, secondsSince } from './cli/text.ts'

await runCommand(SYNC, async ({ source, game, set, force, json }) => {
  if (source === 'cardmarket' && set !== undefined) {
    throw new UsageError('--set selects a set of the mirror. Use --game with --source cardmarket.')
  }
  const { logLevel, ...rest } = commandConfig()
  // On a terminal, the report lists the failures.
  const log = openLog(isForPeople(json) && logLevel === 'warn' ? 'error' : logLevel)
  const config = await readStoredConfig({ ...rest, logLevel }, log)
  const deps = await openCatalogWriterDeps(config, log)
  const bar = createProgress('sync')
  const started = performance.now()
  const onGame = game === undefined ? {} : { game }
  try {
    if (source === 'cardmarket') {
      const request: ImportRequest = {
        force,
        ...onGame,
        onProgress: ({ done, total, game: slug }) => bar.show(done, total, slug),
      }
      const files = openConfiguredCardmarket(config, deps.log)
      const report = await importCardmarket({ ...deps, files }, request)
      bar.end()
      printResult(report, { json, text: formatImport(report, secondsSince(started)) })
      return report.outcome === 'complete' ? 0 : 1
    }
    const request: SyncRequest = {
      force,
      ...onGame,
      onProgress: ({ done, total, set: name }) => bar.show(done, total, name),
    }
    if (set !== undefined) request.set = set
    const marketplace = openConfiguredMarketplace(config, deps.log)
    const read = await syncCatalog({ ...deps, marketplace }, request)
    const report = replaceSample(deps, config, read)
    bar.end()
    printResult(report, { json, text: formatReport(report, secondsSince(started)) })
    return report.outcome === 'complete' ? 0 : 1
  } finally {
    bar.end()
    deps.close()
  }
})

function formatReport(report: SyncReport, seconds: string): string {
  return [formatOutcome(report, seconds), ...formatFindings(report)].join('\n')
}

function formatFindings({ bad_records, failures }: SyncFindings): string[] {
  const lines: string[] = []
  if (bad_records > 0) {
    lines.push(`${count(bad_records, 'invalid record was', 'invalid records were')} skipped.`)
  }
  for (const { game, set, reason } of failures) {
    const part = [
      ...(game === ALL_GAMES ? [] : [game]),
      ...(set === undefined ? [] : [`set ${set}`]),
    ]
    lines.push([part.join(', '), reason].filter(Boolean).join(': '))
  }
  return lines
}

function formatOutcome(report: SyncReport, seconds: string): string {
  const { outcome, published_at, games, sets_read, cards_read, prices_changed } = report
  if (outcome === 'failed') return `The sync failed after ${seconds}.`
  if (outcome === 'complete' && sets_read === 0)
    return `Nothing new since ${formatTime(published_at)} UTC (${seconds}).`
  const read = `${count(games, 'game')}, ${count(cards_read, 'card')}, ${count(prices_changed, 'new price')} in ${seconds}`
  return outcome === 'complete' ? read : `${read}; the sync is incomplete:`
}

function formatImport(report: SourceReport, seconds: string): string {
  const { outcome, games, products, matched, prices, prices_changed, version } = report
  const share = products === 0 ? 0 : Math.floor((100 * matched) / products)
  const read = `${count(games, 'game')}, ${count(products, 'product')}, ${share} % of them matched`
  const published =
    version === undefined
      ? 'no new prices'
      : `${count(prices, 'price')}, ${prices_changed.toLocaleString('en')} of them changed`
  const line =
    outcome === 'failed'
      ? `The sync failed after ${seconds}.`
      : `${read}; ${published}, in ${seconds}`
  return [line, ...formatFindings(report)].join('\n')
}
