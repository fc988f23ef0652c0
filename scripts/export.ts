// Exports prices from the catalog file. Needs no running server.
import { EXPORT_FORMATS, exportSet, exportSets } from '#actions/pricing/export-prices.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import {
  commandConfig,
  createProgress,
  type ProgressBar,
  parseArguments,
  parseWholeNumber,
  runCommand,
  UsageError,
} from './cli/terminal.ts'
import { writeAll } from './cli/write-all.ts'

const USAGE = `Usage: bun run export --set ID | --game SLUG | --all  [--format csv|json] [--out FILE]

Writes cards and prices to FILE, or to stdout.`

await runCommand(USAGE, async () => {
  const { values } = parseArguments({
    set: { type: 'string' },
    game: { type: 'string' },
    all: { type: 'boolean', default: false },
    format: { type: 'string', default: 'json' },
    out: { type: 'string' },
  })
  const selected = [values.set, values.game, values.all || undefined].filter(
    (one) => one !== undefined,
  )
  if (selected.length !== 1) throw new UsageError(`Give exactly one of --set, --game and --all.`)
  const format = EXPORT_FORMATS.find((known) => known === values.format)
  if (format === undefined) throw new UsageError(`--format must be csv or json.`)

  const deps = await openDeps(commandConfig())
  const bar = createProgress('export')
  try {
    const pieces =
      values.set === undefined
        ? exportSets(deps, setIdsOf(deps, values.game), format, progressOf(bar, deps, values.game))
        : exportSet(deps, setIdOf(deps, values.set), format)
    await writeAll(pieces, values.out)
    return 0
  } finally {
    bar.end()
    await closeDeps(deps)
  }
})

function setIdOf({ catalog }: Deps, text: string): number {
  const id = parseWholeNumber('--set', text)
  if (catalog.sets.getById(id) === undefined)
    throw new ServiceError('NOT_FOUND', `No set has the ID ${id}.`)
  return id
}

function setIdsOf({ catalog }: Deps, slug: string | undefined): number[] {
  if (slug === undefined) return catalog.sets.listIds()
  const game = catalog.games.getBySlugOrId(slug)
  if (game === undefined) throw new ServiceError('NOT_FOUND', `No game has the slug "${slug}".`)
  return catalog.sets.listIds(game.id)
}

function progressOf(bar: ProgressBar, deps: Deps, slug: string | undefined) {
  const total = setIdsOf(deps, slug).length
  return (done: number) => bar.show(done, total, 'sets')
}
