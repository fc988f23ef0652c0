// Indexes the card images, so that photos can be identified.
import { prepareDataFolder } from '#deps.ts'
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

Fetches card images that are new or could not be fetched before, slowly, and indexes them. It may be stopped at
any time; the next run continues. Exits with 1 if the host of the images stops answering.
  --game SLUG  only this game`

await runCommand(USAGE, async () => {
  const { values } = parseArguments({
    game: { type: 'string' },
  })
  const config = commandConfig()
  const log = openLog(config.logLevel)
  await prepareDataFolder(config, log)
  const started = performance.now()
  const bar = createProgress('index')
  try {
    const report = await runPictureIndex(config, log, {
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
