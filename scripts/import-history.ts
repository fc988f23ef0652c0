// Imports extracted daily price archives into the price history.
import { type ImportReport, importHistory } from '#actions/sync/import-history.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { IMPORT_HISTORY } from './cli/import-commands.ts'
import { runCommand } from './cli/run-command.ts'
import { commandConfig, createProgress, printResult } from './cli/terminal.ts'
import { count, secondsSince } from './cli/text.ts'

await runCommand(IMPORT_HISTORY, async ({ dir, json }) => {
  const deps = await openCatalogWriterDeps(commandConfig())
  const bar = createProgress('import-history')
  const started = performance.now()
  try {
    const report = importHistory(deps, dir, {
      onProgress: ({ done, total, day }) => bar.show(done, total, day),
    })
    bar.end()
    printResult(report, { json, text: formatReport(report, secondsSince(started)) })
    return report.failures.length === 0 ? 0 : 1
  } finally {
    bar.end()
    deps.close()
  }
})

function formatReport(report: ImportReport, seconds: string): string {
  const { days, points, unknown_cards, bad_records, failures } = report
  const lines = [`${count(days, 'day')}, ${count(points, 'price')} in ${seconds}`]
  if (unknown_cards > 0) {
    lines.push(`${count(unknown_cards, 'price')} skipped: the catalog does not have the card.`)
  }
  if (bad_records > 0) lines.push(`${count(bad_records, 'invalid record')} skipped.`)
  for (const { file, reason } of failures) lines.push(`${file}: ${reason}`)
  return lines.join('\n')
}
