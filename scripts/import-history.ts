// Imports extracted daily price archives into the price history.
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

Imports DIR/YYYY-MM-DD/{category}/{group}/prices. Exits with 0 only if every file was read. Import older
archives first: prices below $1 are kept only after the first known day at $1 or more.`

await runCommand(USAGE, async () => {
  const [folder] = parseArguments({}, 1).positionals
  if (folder === undefined) throw new UsageError('Name the folder of the archives.')
  const deps = await openCatalogWriterDeps(commandConfig())
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
