// Fills DATA_DIR with an invented catalog of any size, to try and to measure with.
import { dayOf, parseDate } from '#rules/primitives/days.ts'
import {
  commandConfig,
  createProgress,
  parseArguments,
  parseWholeNumber,
  printResult,
  runCommand,
  UsageError,
} from './cli/terminal.ts'
import { CARDS_MIN } from './tools/seed/catalog-plan.ts'
import { seedCatalog } from './tools/seed/seed-catalog.ts'

const USAGE = `Usage: bun run seed [--cards N] [--days D] [--seed S] [--until DATE] [--force]

Fills DATA_DIR with an invented catalog; the same numbers give the same catalog.
  --cards N     how many cards, at least ${CARDS_MIN} (2000)
  --days D      days of price history (40)
  --seed S      a whole number; another one gives another catalog (1)
  --until DATE  the last day, YYYY-MM-DD (yesterday, so that a sync of today can follow)
  --force       replace the catalog that is there; stop the server first`

await runCommand(() => {
  const { values, positionals } = parseArguments(USAGE, {
    cards: { type: 'string', default: '2000' },
    days: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    until: { type: 'string' },
    force: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  })
  if (values.help) {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  if (positionals.length > 0) throw new UsageError(USAGE)
  const cards = parseWholeNumber('--cards', values.cards)
  if (cards < CARDS_MIN) throw new UsageError(`--cards is ${cards}: give at least ${CARDS_MIN}.`)
  const started = performance.now()
  const bar = createProgress('seed')
  try {
    const report = seedCatalog(commandConfig(), {
      cards,
      days: parseWholeNumber('--days', values.days),
      seed: parseWholeNumber('--seed', values.seed),
      lastDay: values.until === undefined ? dayOf(new Date()) - 1 : dayArgument(values.until),
      force: values.force,
      onProgress: (done, total, what) => bar.show(done, total, what),
    })
    bar.end()
    printResult({ ...report, seconds: Math.round((performance.now() - started) / 100) / 10 })
    return 0
  } finally {
    bar.end()
  }
})

function dayArgument(text: string): number {
  const day = parseDate(text)
  if (day === undefined)
    throw new UsageError(`--until is "${text}": give a date such as 2026-08-05.`)
  return day
}
