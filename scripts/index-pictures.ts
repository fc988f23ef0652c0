// Looks at the pictures of the cards, so that photos find them.
import { runPictureIndex } from '#jobs/picture-index.ts'
import { openLog } from '#log.ts'
import {
  commandConfig,
  createProgress,
  parseArguments,
  printResult,
  runCommand,
} from './cli/terminal.ts'

const USAGE = `Usage: bun run index [--game SLUG]

Fetches the pictures that are new or were not to be had, politely, and indexes them. May be stopped at
any time: the next run goes on. Exit code 0 unless the pictures' host could not be reached any more.
  --game SLUG  only this game`

await runCommand(async () => {
  const { values } = parseArguments(USAGE, {
    game: { type: 'string' },
    help: { type: 'boolean', default: false },
  })
  if (values.help) {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  const config = commandConfig()
  const started = performance.now()
  const bar = createProgress('index')
  try {
    const report = await runPictureIndex(config, openLog(config.logLevel), {
      ...(values.game === undefined ? {} : { game: values.game }),
      onProgress: ({ done, total }) => bar.show(done, total, 'pictures'),
    })
    bar.end()
    const seconds = Math.round((performance.now() - started) / 100) / 10
    printResult({ ...report, seconds })
    return report.outcome === 'complete' ? 0 : 1
  } finally {
    bar.end()
  }
})
