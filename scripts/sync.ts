// One sync from the mirror that UPSTREAM_URL names.
import { type SyncRequest, syncCatalog } from '#actions/sync/sync-catalog.ts'
import { openCatalogWriterDeps } from '#deps.ts'
import { openConfiguredMarketplace } from '#outbound/marketplace/open-marketplace.ts'
import {
  commandConfig,
  createProgress,
  parseArguments,
  parseWholeNumber,
  printResult,
  runCommand,
} from './cli/terminal.ts'

const USAGE = `Usage: bun run sync [--game SLUG] [--set ID] [--force]

Reads what is new at UPSTREAM_URL. Exit code 0 only if all that was asked for is in.
  --game SLUG  only this game
  --set ID     only this set
  --force      fetch everything again, and accept what the guards would refuse`

await runCommand(async () => {
  const { values } = parseArguments(USAGE, {
    game: { type: 'string' },
    set: { type: 'string' },
    force: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  })
  if (values.help) {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  const config = commandConfig()
  const deps = openCatalogWriterDeps(config)
  const bar = createProgress('sync')
  try {
    const request: SyncRequest = {
      force: values.force,
      onProgress: ({ done, total, set }) => bar.show(done, total, set),
    }
    if (values.game !== undefined) request.game = values.game
    if (values.set !== undefined) request.set = parseWholeNumber('--set', values.set)
    const marketplace = openConfiguredMarketplace(config, deps.log)
    const report = await syncCatalog({ ...deps, marketplace }, request)
    bar.end()
    printResult(report)
    return report.outcome === 'complete' ? 0 : 1
  } finally {
    bar.end()
    deps.close()
  }
})
