// Imports the ids by which an operator's own system knows cards.
import { type CardIdReport, importCardIds } from '#actions/catalog/import-card-ids.ts'
import { openCatalogWriterDeps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { runCommand } from './cli/run-command.ts'
import { IMPORT_IDS } from './cli/service-commands.ts'
import { commandConfig, printResult } from './cli/terminal.ts'
import { count } from './cli/text.ts'

/** Further ones are counted. */
const ERRORS_SHOWN = 20

await runCommand(IMPORT_IDS, async ({ file, source, json }) => {
  const bytes = await Bun.file(file)
    .bytes()
    .catch(() => {
      throw new ServiceError('NOT_FOUND', `The file could not be read: ${file}`)
    })
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
  const shown = errors.slice(0, ERRORS_SHOWN).map(({ line, reason }) => `Line ${line}: ${reason}`)
  const more = errors.length - shown.length
  if (more > 0) shown.push(`… and ${more.toLocaleString('en')} more. --json lists all of them.`)
  return [...shown, `${count(ids, 'ID')} stored, ${count(errors.length, 'row')} skipped.`].join(
    '\n',
  )
}
