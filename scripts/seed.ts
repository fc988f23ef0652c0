// Fills DATA_DIR with a generated catalog of any size, for trials and measurements.
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

Fills DATA_DIR with a generated catalog. Equal options give equal catalogs.
  --cards N     number of cards, at least ${CARDS_MIN} (default 2000)
  --days D      days of price history (default 40)
  --seed S      a whole number that selects the catalog (default 1)
  --until DATE  last day of prices, YYYY-MM-DD (default yesterday)
  --force       replace the existing catalog; stop the server first`

await runCommand(USAGE, async () => {
  const { values } = parseArguments({
    cards: { type: 'string', default: '2000' },
    days: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    until: { type: 'string' },
    force: { type: 'boolean', default: false },
  })
  const cards = parseWholeNumber('--cards', values.cards)
  if (cards < CARDS_MIN) throw new UsageError(`--cards must be at least ${CARDS_MIN}.`)
  const started = performance.now()
  const bar = createProgress('seed')
  try {
    const report = await seedCatalog(commandConfig(), {
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
    throw new UsageError(`--until must be a date such as 2026-08-05, not "${text}".`)
  return day
}
