// Fills DATA_DIR with a generated catalog of any size, for trials and measurements.
import { dayOf } from '#rules/primitives/days.ts'
import { SEED } from './cli/data-commands.ts'
import { runCommand } from './cli/run-command.ts'
import { commandConfig, createProgress, printResult } from './cli/terminal.ts'
import { count, secondsSince } from './cli/text.ts'
import { seedCatalog } from './tools/seed/seed-catalog.ts'

await runCommand(SEED, async ({ until, json, ...size }) => {
  const started = performance.now()
  const bar = createProgress('seed')
  try {
    const report = await seedCatalog(commandConfig(), {
      ...size,
      lastDay: until ?? dayOf(new Date()) - 1,
      onProgress: (done, total, what) => bar.show(done, total, what),
    })
    bar.end()
    const { games, cards, printings } = report
    const seconds = Math.round((performance.now() - started) / 100) / 10
    printResult(
      { ...report, seconds },
      {
        json,
        text: `${count(games, 'game')}, ${count(cards, 'card')}, ${count(printings, 'price')} in ${secondsSince(started)}`,
      },
    )
    return 0
  } finally {
    bar.end()
  }
})
