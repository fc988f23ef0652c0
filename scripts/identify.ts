// Reads one photo from the command line; no account, no scan, the server may be down.
import { randomUUID } from 'node:crypto'
import { findGame } from '#actions/catalog/find-game.ts'
import { readPhoto } from '#actions/photos/read-photo.ts'
import { closeDeps, openDeps } from '#deps.ts'
import {
  commandConfig,
  parseArguments,
  printResult,
  runCommand,
  UsageError,
} from './cli/terminal.ts'

const USAGE = `Usage: bun run identify FILE [--game SLUG] [--prices]

Says which card a photo shows, as POST /v1/identify does. The catalog's pictures must be indexed: the
server does that by itself, "bun run index" at once.
  --game SLUG  look among this game's cards alone
  --prices     with the current prices of the first candidate`

await runCommand(async () => {
  const options = { game: { type: 'string' }, prices: { type: 'boolean', default: false } } as const
  const {
    values,
    positionals: [file],
  } = parseArguments(USAGE, options, 1)
  if (file === undefined) throw new UsageError(`Name one photo.\n\n${USAGE}`)
  if (!(await Bun.file(file).exists())) throw new UsageError(`There is no file ${file}.`)
  const deps = openDeps({ ...commandConfig(), identifyWorkers: 1 })
  try {
    const game = findGame(deps, values.game)
    const photo = await Bun.file(file).bytes()
    printResult(await readPhoto(deps, { id: randomUUID(), photo, game, prices: values.prices }))
    return 0
  } finally {
    await closeDeps(deps)
  }
})
