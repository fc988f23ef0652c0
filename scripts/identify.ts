// Identifies the card in a photo. Needs no account, no scan and no running server.
import { randomUUID } from 'node:crypto'
import { findGame } from '#actions/catalog/find-game.ts'
import { readPhoto } from '#actions/photos/read-photo.ts'
import { closeDeps, openDeps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { PROGRAM } from './cli/program.ts'
import { runCommand } from './cli/run-command.ts'
import { IDENTIFY } from './cli/service-commands.ts'
import { commandConfig, isForPeople, printResult } from './cli/terminal.ts'
import { formatPriceRange } from './cli/text.ts'

type Identification = Awaited<ReturnType<typeof readPhoto>>

const NO_PICTURES = `No card image is indexed, so cards are found by their printed text only. Run "${PROGRAM} index" first.`

await runCommand(IDENTIFY, async ({ file, game: slug, prices, json }) => {
  if (!(await Bun.file(file).exists())) {
    throw new ServiceError('NOT_FOUND', `The file could not be read: ${file}`)
  }
  const deps = await openDeps({ ...commandConfig(), identifyWorkers: 1 })
  try {
    const game = findGame(deps, slug)
    if (deps.catalog.pictures.count() === 0) process.stderr.write(`${NO_PICTURES}\n`)
    const photo = await Bun.file(file).bytes()
    const sender = { network: 'local', payer: 'command' }
    const isPriced = prices || isForPeople(json)
    const result = await readPhoto(deps, {
      ...{ id: randomUUID(), photo, sender, game, prices: isPriced },
    })
    printResult(result, { json, text: formatResult(result) })
    return 0
  } finally {
    await closeDeps(deps)
  }
})

function formatResult({ status, message, candidates }: Identification): string {
  const [best, ...others] = candidates.map(formatCandidate)
  if (status === 'matched' && best !== undefined) return best
  const words = status.charAt(0).toUpperCase() + status.slice(1).replace('_', ' ')
  const first = `${words}${message === null ? '' : `: ${message}`}`
  return [
    first,
    ...[best, ...others].flatMap((line) => (line === undefined ? [] : [`  ${line}`])),
  ].join('\n')
}

/** Formats a card such as `Hesper Ring, PD1-009, Perihelion Drift, $0.53–1.36`. */
function formatCandidate(candidate: Identification['candidates'][number]): string {
  const prices = 'prices' in candidate ? candidate.prices : []
  const range = formatPriceRange(prices.map(({ market_price }) => market_price))
  return [candidate.name, candidate.number, candidate.set.name, range].filter(Boolean).join(', ')
}
