// Syncs the catalog once from the mirror.
import { replaceSample } from '#actions/sync/remove-sample.ts'
import {
  ALL_GAMES,
  type SyncReport,
  type SyncRequest,
  syncCatalog,
} from '#actions/sync/sync-catalog.ts'
import { openCatalogWriterDeps, readStoredConfig } from '#deps.ts'
import { openLog } from '#log.ts'
import { openConfiguredMarketplace } from '#outbound/marketplace/open-marketplace.ts'
import { runCommand } from './cli/run-command.ts'
import { SYNC } from './cli/service-commands.ts'
import { commandConfig, createProgress, isForPeople, printResult } from './cli/terminal.ts'
import { count, formatTime, secondsSince } from './cli/text.ts'

await runCommand(SYNC, async ({ game, set, force, json }) => {
  const { logLevel, ...rest } = commandConfig()
  // People read the failures in the report.
  const log = openLog(isForPeople(json) && logLevel === 'warn' ? 'error' : logLevel)
  const config = await readStoredConfig({ ...rest, logLevel }, log)
  const deps = await openCatalogWriterDeps(config, log)
  const bar = createProgress('sync')
  const started = performance.now()
  try {
    const request: SyncRequest = {
      force,
      onProgress: ({ done, total, set }) => bar.show(done, total, set),
    }
    if (game !== undefined) request.game = game
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
  const { bad_records, failures } = report
  const lines = [formatOutcome(report, seconds)]
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
  return lines.join('\n')
}

function formatOutcome(report: SyncReport, seconds: string): string {
  const { outcome, published_at, games, sets_read, cards_read, prices_changed } = report
  if (outcome === 'failed') return `The sync failed after ${seconds}.`
  if (outcome === 'complete' && sets_read === 0)
    return `Nothing new since ${formatTime(published_at)} UTC (${seconds}).`
  const read = `${count(games, 'game')}, ${count(cards_read, 'card')}, ${count(prices_changed, 'price')} in ${seconds}`
  return outcome === 'complete' ? read : `${read}; the sync is incomplete:`
}
