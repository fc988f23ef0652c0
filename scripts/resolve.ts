// Matches a collection against the catalog. Needs no account, no credits and no running server.

import { parseCollection } from '#actions/matching/parse-collection.ts'
import { renderCollection } from '#actions/matching/render-collection.ts'
import { resolveCollection } from '#actions/matching/resolve-collection.ts'
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

const USAGE = `Usage: bun run resolve FILE.csv [--game SLUG] [--format csv|json] [--out FILE]

Matches the cards of a collection and prices them, like POST /v1/bulk/resolve/csv, with any number of rows.
FILE.csv is the export of a collection app (docs/guides/matching/collections.md).
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
  if (file === undefined) throw new UsageError(`Name a CSV file.`)
  const format = EXPORT_FORMATS.find((known) => known === values.format)
  if (format === undefined) throw new UsageError(`--format must be csv or json.`)

  const bytes = await bytesOf(file)
  const deps = openDeps(commandConfig())
  const bar = createProgress('resolve')
  try {
    const rows = parseCollection(bytes, {
      onRead: (done, total) => bar.show(done, total, 'bytes'),
    })
    await writeAll(renderCollection(resolveCollection(deps, rows, values), format), values.out)
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
