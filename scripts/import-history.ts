// Loads extracted daily price archives into the history.
import { importHistory } from '#actions/import-history.ts'
import { openIntakeDeps } from '#deps.ts'
import {
  commandConfig,
  openProgress,
  printResult,
  readArguments,
  runCommand,
  UsageError,
} from './terminal.ts'

const USAGE = `Usage: bun run import-history DIR

Loads DIR/YYYY-MM-DD/{category}/{group}/prices. Exit code 0 only if every file was read.`

await runCommand(() => {
  const { positionals } = readArguments(USAGE, {})
  const [folder, ...rest] = positionals
  if (folder === undefined || rest.length > 0) throw new UsageError(USAGE)
  const deps = openIntakeDeps(commandConfig())
  const bar = openProgress('import-history')
  try {
    const report = importHistory(deps, folder, {
      onProgress: ({ done, total, day }) => bar.show(done, total, day),
    })
    bar.end()
    printResult(report)
    return report.failures.length === 0 ? 0 : 1
  } finally {
    bar.end()
    deps.close()
  }
})
