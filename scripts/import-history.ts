// Loads extracted daily price archives into the history.
import { importHistory } from '#actions/sync/import-history.ts'
import { openCatalogWriterDeps } from '#deps.ts'
import {
  commandConfig,
  createProgress,
  parseArguments,
  printResult,
  runCommand,
  UsageError,
} from './cli/terminal.ts'

const USAGE = `Usage: bun run import-history DIR

Loads DIR/YYYY-MM-DD/{category}/{group}/prices. Exit code 0 only if every file was read. Load older
archives before newer ones: prices under a dollar are only kept from the first day known at a dollar.`

await runCommand(() => {
  const [folder] = parseArguments(USAGE, {}, 1).positionals
  if (folder === undefined) throw new UsageError(USAGE)
  const deps = openCatalogWriterDeps(commandConfig())
  const bar = createProgress('import-history')
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
