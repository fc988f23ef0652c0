// Imports the cards of Cardmarket products, or lists products without a card.
import {
  listUnmatched,
  type MapReport,
  mapProducts,
} from '#actions/sync/cardmarket/map-products.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { closeDeps, openDeps } from '#deps.ts'
import { formatCsvRecord } from '#rules/primitives/csv.ts'
import { MAP } from './cli/import-commands.ts'
import { readInputFile } from './cli/read-input-file.ts'
import { runCommand } from './cli/run-command.ts'
import { commandConfig, isForPeople, printResult } from './cli/terminal.ts'
import { count, formatRowErrors, formatTable } from './cli/text.ts'
import { writeAll } from './cli/write-all.ts'

await runCommand(MAP, async ({ file, game, format }) =>
  file === undefined ? printUnmatched(game, format) : importMapping(file, format === 'json'),
)

async function importMapping(file: string, json: boolean): Promise<number> {
  const bytes = await readInputFile(file)
  const deps = await openCatalogWriterDeps(commandConfig())
  try {
    const report = mapProducts(deps, bytes)
    printResult(report, { json, text: formatReport(report) })
    return report.errors.length === 0 ? 0 : 1
  } finally {
    deps.close()
  }
}

function formatReport({ taken, errors }: MapReport): string {
  const result = `${count(taken, 'product')} mapped, ${count(errors.length, 'row')} with errors.`
  return [
    ...formatRowErrors(errors, '--format json'),
    `${result} The next sync from Cardmarket publishes the prices.`,
  ].join('\n')
}

async function printUnmatched(game: string | undefined, format: 'csv' | 'json' | undefined) {
  const deps = await openDeps(commandConfig())
  try {
    const products = listUnmatched(deps.catalog, game)
    const cells = products.map(({ id, name, is_sealed, expansion_id, set_name }) => [
      id,
      name,
      is_sealed === 1 ? 'sealed' : 'single',
      expansion_id,
      set_name ?? '',
    ])
    const head = ['product_id', 'name', 'kind', 'expansion_id', 'set']
    if (isForPeople(format !== undefined)) {
      const table =
        cells.length === 0
          ? []
          : [
              formatTable(
                head,
                cells.map((row) => row.map(String)),
              ),
            ]
      const total = `${count(products.length, 'product')} without a card.`
      process.stdout.write(`${[...table, total].join('\n')}\n`)
      return 0
    }
    if (format === 'csv') await writeAll([head, ...cells].map(formatCsvRecord), undefined)
    else
      await writeAll(
        products.map((product) => `${JSON.stringify(product)}\n`),
        undefined,
      )
    return 0
  } finally {
    await closeDeps(deps)
  }
}
