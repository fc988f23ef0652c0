// Imports the ids by which an operator's own system knows cards.
import { type CardIdReport, importCardIds } from '#actions/catalog/import-card-ids.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { IMPORT_IDS } from './cli/import-commands.ts'
import { readInputFile } from './cli/read-input-file.ts'
import { runCommand } from './cli/run-command.ts'
import { commandConfig, printResult } from './cli/terminal.ts'
import { count, formatRowErrors } from './cli/text.ts'

await runCommand(IMPORT_IDS, async ({ file, source, json }) => {
  const bytes = await readInputFile(file)
  const deps = await openCatalogWriterDeps(commandConfig())
  try {
    const report = importCardIds(deps, source, bytes)
    printResult(report, { json, text: formatReport(report) })
    return report.errors.length === 0 ? 0 : 1
  } finally {
    deps.close()
  }
})

function formatReport({ ids, errors }: CardIdReport): string {
  return [
    ...formatRowErrors(errors, '--json'),
    `${count(ids, 'ID')} stored, ${count(errors.length, 'row')} skipped.`,
  ].join('\n')
}
