// Matches a collection or a list against the catalog. Needs no account, no credits and no running server.

import { isCollection, parseCollection } from '#actions/matching/parse-collection.ts'
import { renderCollection } from '#actions/matching/render-collection.ts'
import { resolveCollection } from '#actions/matching/resolve-collection.ts'
import { decodeList, resolveList } from '#actions/matching/resolve-list.ts'
import { EXPORT_FORMATS } from '#actions/pricing/export-prices.ts'
import { closeDeps, openDeps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import {
  commandConfig,
  createProgress,
  parseArguments,
  runCommand,
  UsageError,
} from './cli/terminal.ts'
import { writeAll } from './cli/write-all.ts'

const USAGE = `Usage: bun run resolve FILE [--game SLUG] [--format csv|json] [--out FILE]

Matches the cards of a collection or a deck list and prices them, like POST /v1/bulk/resolve/csv and
POST /v1/bulk/resolve/list, with any number of rows. FILE is the CSV export of a collection app, or a
list as text, one card a line (docs/guides/matching/collections.md). A name that ends in .csv means CSV.
  --game SLUG  game of rows without one
  --format     csv (default) or json
  --out FILE   write to FILE instead of stdout`

await runCommand(USAGE, async () => {
  const {
    values,
    positionals: [file],
  } = parseArguments(
    {
      game: { type: 'string' },
      format: { type: 'string', default: 'csv' },
      out: { type: 'string' },
    },
    1,
  )
  if (file === undefined) throw new UsageError(`Name a CSV file or a list.`)
  const format = EXPORT_FORMATS.find((known) => known === values.format)
  if (format === undefined) throw new UsageError(`--format must be csv or json.`)

  const bytes = await bytesOf(file)
  const deps = await openDeps(commandConfig())
  const bar = createProgress('resolve')
  try {
    // A file named as CSV is reported as a wrong one rather than read as a list of strange names.
    const isList = !/\.csv$/i.test(file) && !isCollection(bytes)
    const rows = isList
      ? resolveList(deps, decodeList(bytes), values)
      : resolveCollection(
          deps,
          parseCollection(bytes, { onRead: (done, total) => bar.show(done, total, 'bytes') }),
          values,
        )
    await writeAll(renderCollection(rows, format, isList), values.out)
    return 0
  } finally {
    bar.end()
    await closeDeps(deps)
  }
})

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await Bun.file(path).bytes()
  } catch {
    throw new ServiceError('NOT_FOUND', `The file could not be read: ${path}`)
  }
}
