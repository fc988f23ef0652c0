// Imports daily price archives into the price history.
import { runHistoryImport } from '#actions/sync/history/run-history-import.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import type { HistoryImportRecord } from '#store/files/history-import-record.ts'
import { IMPORT_HISTORY } from './cli/import-commands.ts'
import { runCommand } from './cli/run-command.ts'
import { commandConfig, createProgress, printResult } from './cli/terminal.ts'
import { count, secondsSince } from './cli/text.ts'

await runCommand(IMPORT_HISTORY, async ({ path, json }) => {
  const deps = await openCatalogWriterDeps(commandConfig())
  const bar = createProgress('import-history')
  const started = performance.now()
  try {
    const { record } = await runHistoryImport(deps, path, {
      onProgress: ({ stored, days }) => {
        if (days !== null) bar.show(stored.length, days, stored.at(-1) ?? '')
      },
    })
    bar.end()
    printResult(toReport(record), { json, text: formatReport(record, secondsSince(started)) })
    return record.failure_count === 0 && record.cut_day === null ? 0 : 1
  } finally {
    bar.end()
    deps.close()
  }
})

function toReport(record: HistoryImportRecord) {
  const { stored, points, unknown_cards, bad_records, cut_day, failures } = record
  return { days: stored.length, points, unknown_cards, bad_records, cut_day, failures }
}

function formatReport(record: HistoryImportRecord, seconds: string): string {
  const { stored, points, unknown_cards, bad_records, cut_day, failure_count, failures } = record
  const lines = [`${count(stored.length, 'day')}, ${count(points, 'price')} in ${seconds}`]
  if (cut_day !== null) lines.push(`The archive is cut off in ${cut_day}, which was left out.`)
  if (unknown_cards > 0) {
    lines.push(`${count(unknown_cards, 'price')} skipped: the catalog does not have the card.`)
  }
  if (bad_records > 0) lines.push(`${count(bad_records, 'invalid record')} skipped.`)
  for (const { file, reason } of failures) lines.push(`${file}: ${reason}`)
  const more = failure_count - failures.length
  if (more > 0) lines.push(`${count(more, 'more file')} skipped.`)
  return lines.join('\n')
}
