// Indexes the card images, so that photos can be identified.
import type { IndexReport } from '#actions/photos/build-picture-index.ts'
import { prepareDataFolder } from '#deps/storage.ts'
import { runPictureIndex } from '#jobs/tasks/picture-task.ts'
import { openLog } from '#log.ts'
import { INDEX } from './cli/card-commands.ts'
import { runCommand } from './cli/run-command.ts'
import { commandConfig, createProgress, printResult } from './cli/terminal.ts'
import { count, secondsSince } from './cli/text.ts'

await runCommand(INDEX, async ({ game, json }) => {
  const config = commandConfig()
  const log = openLog(config.logLevel)
  await prepareDataFolder(config, log)
  const started = performance.now()
  const bar = createProgress('index')
  try {
    const report = await runPictureIndex(config, log, {
      ...(game === undefined ? {} : { game }),
      onProgress: ({ done, total }) => bar.show(done, total, 'pictures'),
    })
    bar.end()
    const seconds = Math.round((performance.now() - started) / 100) / 10
    const text = formatReport(report, secondsSince(started))
    printResult({ ...report, seconds }, { json, text })
    return report.outcome === 'complete' ? 0 : 1
  } finally {
    bar.end()
  }
})

function formatReport(report: IndexReport, seconds: string): string {
  const others = [
    [report.unchanged, 'already indexed'],
    [report.placeholders, 'placeholders'],
    [report.missing, 'not on the host'],
    [report.failed, 'not readable'],
    [report.removed, 'removed'],
  ] as const
  const known = others.filter(([number]) => number > 0)
  const parts = known.map(([number, what]) => `${number.toLocaleString('en')} ${what}`)
  if (report.outcome === 'complete' && report.indexed === 0 && known.length === 0) {
    return 'No card image is new.'
  }
  const line = [`${count(report.indexed, 'image')} indexed in ${seconds}`, ...parts].join(', ')
  return report.outcome === 'complete'
    ? line
    : `${line}\nThe host of the images stopped answering. Run the command again later; it continues.`
}
