// Identifies the card in a photo. Needs no account, no scan and no running server.
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

Identifies the card in a photo, like POST /v1/identify. The card images must be indexed: the server does so in
the background, "bun run index" does so now.
  --game SLUG  only cards of this game
  --prices     include the current prices of the first candidate`

const NO_PICTURES =
  'No card image is indexed, so cards are found by their printed text only. Run "bun run index" first.'

await runCommand(USAGE, async () => {
  const options = { game: { type: 'string' }, prices: { type: 'boolean', default: false } } as const
  const {
    values,
    positionals: [file],
  } = parseArguments(options, 1)
  if (file === undefined) throw new UsageError(`Name a photo.`)
  if (!(await Bun.file(file).exists())) throw new UsageError(`File not found: ${file}`)
  const deps = await openDeps({ ...commandConfig(), identifyWorkers: 1 })
  try {
    const game = findGame(deps, values.game)
    if (deps.catalog.pictures.count() === 0) process.stderr.write(`${NO_PICTURES}\n`)
    const photo = await Bun.file(file).bytes()
    const sender = { network: 'local', payer: 'command' }
    const input = { id: randomUUID(), photo, sender, game, prices: values.prices }
    printResult(await readPhoto(deps, input))
    return 0
  } finally {
    await closeDeps(deps)
  }
})
