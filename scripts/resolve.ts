// Resolves a collection straight from the catalog file: no account, no credits, the server may be down.

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

Says which cards a collection holds and what they are worth, as POST /v1/bulk/resolve/csv does, but
with any number of rows. FILE.csv is what a collection app exports (docs/guides/matching/collections.md).
  --game SLUG  the game of the rows that name none
  --format     csv (the default) or json
  --out FILE   writes to FILE rather than to stdout`

await runCommand(async () => {
  const {
    values,
    positionals: [file],
  } = parseArguments(
    USAGE,
    {
      game: { type: 'string' },
      format: { type: 'string', default: 'csv' },
      out: { type: 'string' },
    },
    1,
  )
  if (file === undefined) throw new UsageError(`Name one file.\n\n${USAGE}`)
  const format = EXPORT_FORMATS.find((known) => known === values.format)
  if (format === undefined) throw new UsageError(`--format is csv or json.\n\n${USAGE}`)

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
    throw new ServiceError('NOT_FOUND', `There is no file ${path} that can be read.`)
  }
}
