// Exports prices from the catalog file. Needs no running server.
import { statSync } from 'node:fs'
import { choosePrices } from '#actions/pricing/choose-prices.ts'
import { type ExportFormat, exportSet, exportSets } from '#actions/pricing/export-prices.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { EXPORT } from './cli/card-commands.ts'
import { runCommand } from './cli/run-command.ts'
import { commandConfig, createProgress, printWritten } from './cli/terminal.ts'
import { count, formatBytes, secondsSince } from './cli/text.ts'
import { writeAll } from './cli/write-all.ts'

type Written = { format: ExportFormat; sets: number; prices: number; out?: string; bytes?: number }

await runCommand(EXPORT, async ({ set, game, currency, source, format, out }) => {
  const deps = await openDeps(commandConfig())
  const bar = createProgress('export')
  const started = performance.now()
  try {
    const catalog = choosePrices(deps, { currency, source })
    const ids = set === undefined ? findSets(deps, game) : [findSet(deps, set)]
    const written: Written = { format, sets: ids.length, prices: 0 }
    const onRow = () => void written.prices++
    const onSet = (done: number) => bar.show(done, ids.length, 'sets')
    const pieces =
      set === undefined
        ? exportSets({ catalog }, ids, format, { onSet, onRow })
        : exportSet({ catalog }, set, format, { onRow })
    const isWhole = await writeAll(pieces, out)
    bar.end()
    if (out !== undefined) Object.assign(written, { out, bytes: statSync(out).size })
    const text = formatWritten(written, secondsSince(started))
    if (isWhole) printWritten(written, { isOnStdout: out === undefined, text })
    return 0
  } finally {
    bar.end()
    await closeDeps(deps)
  }
})

function formatWritten({ sets, prices, out, bytes = 0 }: Written, seconds: string): string {
  const place = out === undefined ? '' : ` to ${out} (${formatBytes(bytes)})`
  return `Wrote ${count(prices, 'price')} of ${count(sets, 'set')}${place} in ${seconds}`
}

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
