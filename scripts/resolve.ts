// Matches a collection or a list against the catalog. Needs no account, no credits and no running server.
import {
  decodeList,
  isCollection,
  isList as isListFile,
  parseCollection,
  readTableHeader,
} from '#actions/matching/parse-collection.ts'
import { createCollectionReport, renderCollection } from '#actions/matching/render-collection.ts'
import { resolveCollection } from '#actions/matching/resolve-collection.ts'
import { resolveList } from '#actions/matching/resolve-list.ts'
import type { ResolvedRow } from '#actions/matching/resolved-row.ts'
import { choosePrices } from '#actions/pricing/choose-prices.ts'
import { closeDeps, openDeps } from '#deps.ts'
import { listColumnUses } from '#rules/matching/column-uses.ts'
import { RESOLVE } from './cli/card-commands.ts'
import { readInputFile } from './cli/read-input-file.ts'
import { runCommand } from './cli/run-command.ts'
import { commandConfig, createProgress, isForPeople, printWritten } from './cli/terminal.ts'
import { count, formatPrice, formatTable } from './cli/text.ts'
import { writeAll } from './cli/write-all.ts'

await runCommand(RESOLVE, async ({ file, game, prefer, currency, source, format, out }) => {
  const bytes = await readInputFile(file)
  const deps = await openDeps(commandConfig())
  const bar = createProgress('resolve')
  const started = performance.now()
  try {
    const catalog = choosePrices(deps, { currency, source })
    // A file with the ending .csv that is neither causes an error: as a list, each row would be a strange name.
    const isList = isListFile(bytes) || (!/\.csv$/i.test(file) && !isCollection(bytes))
    const onRead = (done: number, total: number) => bar.show(done, total, 'bytes')
    const columns = isList ? undefined : listColumnUses(await readTableHeader(bytes))
    const rows = isList
      ? resolveList({ catalog }, decodeList(bytes), { game, prefer })
      : resolveCollection({ catalog }, parseCollection(bytes, { onRead }), { game, prefer })
    if (isForPeople(format !== undefined || out !== undefined)) {
      const report = await createCollectionReport(rows, catalog)
      bar.end()
      process.stdout.write(`${formatCollection(report)}\n`)
      return 0
    }
    const written = { format: format ?? ('csv' as const), rows: 0, matched: 0 }
    const pieces = renderCollection(countRows(rows, written), written.format, {
      isList,
      columns,
      ...catalog,
    })
    const isWhole = await writeAll(pieces, out)
    bar.end()
    const { rows: total, matched } = written
    const what = `${count(total, 'row')} (${matched.toLocaleString('en')} matched)`
    if (isWhole) printWritten(written, { what, out, started })
    return 0
  } finally {
    bar.end()
    await closeDeps(deps)
  }
})

async function* countRows(
  rows: AsyncIterable<ResolvedRow>,
  counted: { rows: number; matched: number },
): AsyncGenerator<ResolvedRow> {
  for await (const row of rows) {
    counted.rows++
    if ('found' in row) counted.matched++
    yield row
  }
}

type CollectionReport = Awaited<ReturnType<typeof createCollectionReport>>

function formatCollection({ data, meta }: CollectionReport): string {
  const { rows, unmatched, total_value, currency } = data
  const formatAmount = (amount: number) => formatPrice(amount, currency)
  const cells = rows.map(({ quantity, match: { card, printing, market_price }, value }) => [
    quantity,
    card.name,
    card.set_name,
    card.number ?? '',
    printing ?? '',
    ...[market_price, value].map((price) => (price === null ? '' : formatAmount(price))),
  ])
  const head = ['quantity', 'name', 'set', 'number', 'printing', 'price', 'value']
  const missing = unmatched.map(
    ({ row, name, reason }) => `Row ${row}: ${name ?? 'no name'}: ${reason.replaceAll('_', ' ')}`,
  )
  const { total_requested, total_matched, unpriced } = meta
  const unknown = unpriced === 0 ? '' : `, ${unpriced} of them without a price`
  const total = `${total_matched} of ${count(total_requested, 'row')} matched${unknown}: ${formatAmount(total_value)}`
  return [...(cells.length === 0 ? [] : [formatTable(head, cells)]), ...missing, total].join('\n')
}
