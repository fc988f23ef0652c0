// Imports a file of reference rates, or fetches the configured one.
import {
  fetchConfiguredRates,
  importRates,
  type RatesReport,
} from '#actions/pricing/import-rates.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { readStoredConfig } from '#deps/storage.ts'
import { openLog } from '#log.ts'
import { IMPORT_RATES } from './cli/import-commands.ts'
import { readInputFile } from './cli/read-input-file.ts'
import { runCommand } from './cli/run-command.ts'
import { commandConfig, printResult } from './cli/terminal.ts'
import { count } from './cli/text.ts'

await runCommand(IMPORT_RATES, async ({ file, force, json }) => {
  const own = commandConfig()
  const config = await readStoredConfig(own, openLog(own.logLevel))
  const bytes = file === undefined ? await fetchConfiguredRates(config) : await readInputFile(file)
  const deps = await openCatalogWriterDeps(config)
  try {
    const report = await importRates(deps, bytes, { force })
    printResult(report, { json, text: formatReport(report) })
    return 0
  } finally {
    deps.close()
  }
})

function formatReport({ days, changed, first_day, last_day, currencies }: RatesReport): string {
  const period = first_day === last_day ? first_day : `${first_day} to ${last_day}`
  const news = changed === 0 ? 'nothing new' : `${count(changed, 'day')} new or corrected`
  return `${count(days, 'day')}, ${period}, with ${count(currencies, 'currency', 'currencies')}: ${news}`
}
