// Identifies the cards in photos. Needs no account, no scan and no running server.
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { findGame } from '#actions/catalog/find-game.ts'
import { readPhoto } from '#actions/photos/read-photo.ts'
import { closeDeps, openDeps } from '#deps.ts'
import { IDENTIFY } from './cli/card-commands.ts'
import { identifyFolder } from './cli/identify-folder.ts'
import { UsageError } from './cli/parse.ts'
import { PROGRAM } from './cli/program.ts'
import { readInputFile } from './cli/read-input-file.ts'
import { runCommand } from './cli/run-command.ts'
import { commandConfig, isForPeople, printResult } from './cli/terminal.ts'
import { formatPriceRange } from './cli/text.ts'

type Identification = Awaited<ReturnType<typeof readPhoto>>

const NO_PICTURES = `No card image is indexed, so cards are found by their printed text only. Run "${PROGRAM} index" first.`

const CSV_ONLY = 'A folder, --page and --out need --csv.'

await runCommand(IDENTIFY, async ({ file, game: slug, prices, json, page, csv, out }) => {
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
  const photo = isFolder ? undefined : await readInputFile(file)
  if (!csv && (isFolder || page || out !== undefined)) throw new UsageError(CSV_ONLY)
  const deps = await openDeps({ ...commandConfig(), identifyWorkers: 1 })
  try {
    const game = findGame(deps, slug)
    if (deps.catalog.pictures.count() === 0) process.stderr.write(`${NO_PICTURES}\n`)
    if (csv || photo === undefined) {
      return await identifyFolder(deps, { path: file, game, page, prices, out })
    }
    const sender = { network: 'local', payer: 'command' }
    const isPriced = prices || isForPeople(json)
    const result = await readPhoto(deps, {
      id: randomUUID(),
      photo,
      sender,
      game,
      prices: isPriced,
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
