// Exports prices from the catalog file. Needs no running server.
import { choosePrices } from '#actions/pricing/choose-prices.ts'
import { exportSet, exportSets } from '#actions/pricing/export-prices.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { EXPORT } from './cli/card-commands.ts'
import { runCommand } from './cli/run-command.ts'
import { commandConfig, createProgress, printWritten } from './cli/terminal.ts'
import { count } from './cli/text.ts'
import { writeAll } from './cli/write-all.ts'

await runCommand(EXPORT, async ({ set, game, currency, source, format, out }) => {
  const deps = await openDeps(commandConfig())
  const bar = createProgress('export')
  const started = performance.now()
  try {
    const catalog = choosePrices(deps, { currency, source })
    const ids = set === undefined ? findSets(deps, game) : [findSet(deps, set)]
    const written = { format, sets: ids.length, prices: 0 }
    const onRow = () => void written.prices++
    const onSet = (done: number) => bar.show(done, ids.length, 'sets')
    const pieces =
      set === undefined
        ? exportSets({ catalog }, ids, format, { onSet, onRow })
        : exportSet({ catalog }, set, format, { onRow })
    const isWhole = await writeAll(pieces, out)
    bar.end()
    const what = `${count(written.prices, 'price')} of ${count(written.sets, 'set')}`
    if (isWhole) printWritten(written, { what, out, started })
    return 0
  } finally {
    bar.end()
    await closeDeps(deps)
  }
})

function findSet({ catalog }: Deps, id: number): number {
  if (catalog.sets.getById(id) !== undefined) return id
  throw new ServiceError(
    'NOT_FOUND',
    `No set has the ID ${id}. GET /v1/games/SLUG/sets lists those of a game.`,
  )
}

function findSets({ catalog }: Deps, slug: string | undefined): number[] {
  if (slug === undefined) return catalog.sets.listIds()
  const game = catalog.games.getBySlugOrId(slug)
  if (game === undefined) {
    const message = `No game has the slug "${slug}". GET /v1/games lists them.`
    throw new ServiceError('NOT_FOUND', message)
  }
  return catalog.sets.listIds(game.id)
}
