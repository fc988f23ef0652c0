// Imports a price list of an operator, or the price guide of PriceCharting.
import { importPrices } from '#actions/pricing/import-prices.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { closeDeps, openDeps } from '#deps.ts'
import { isCurrencyCode } from '#rules/pricing/price-key.ts'
import { IMPORT_PRICES } from './cli/import-commands.ts'
import { UsageError } from './cli/parse.ts'
import { formatPriceImport, hasMistakes } from './cli/price-import-report.ts'
import { readInputFile } from './cli/read-input-file.ts'
import { runCommand } from './cli/run-command.ts'
import { commandConfig, createProgress, printResult } from './cli/terminal.ts'
import { secondsSince } from './cli/text.ts'

await runCommand(IMPORT_PRICES, async ({ file, source, format, currency, json, ...options }) => {
  if (!isCurrencyCode(currency)) {
    throw new UsageError(`--currency is "${currency}". Use a code of three capitals, such as EUR.`)
  }
  const config = commandConfig()
  const bytes = await readInputFile(file)
  const deps = await openDeps(config)
  const bar = createProgress('import-prices')
  const started = performance.now()
  try {
    const openWriter = () => openCatalogWriterDeps(config)
    const report = await importPrices(
      deps,
      { bytes, format, source, currency },
      {
        openWriter: options['dry-run'] ? undefined : openWriter,
        onMatched: (done, total) => bar.show(done, total, 'cards'),
      },
    )
    bar.end()
    printResult(report, { json, text: formatPriceImport(report, secondsSince(started)) })
    return hasMistakes(report) ? 1 : 0
  } finally {
    bar.end()
    await closeDeps(deps)
  }
})
