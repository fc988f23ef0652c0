// Syncs the catalog once from the mirror at UPSTREAM_URL.
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

Imports new and changed cards and prices from UPSTREAM_URL. Exits with 0 only if the sync is complete.
  --game SLUG  only this game
  --set ID     only this set
  --force      fetch everything again and skip the sanity checks`

await runCommand(USAGE, async () => {
  const { values } = parseArguments({
    game: { type: 'string' },
    set: { type: 'string' },
    force: { type: 'boolean', default: false },
  })
  const config = commandConfig()
  const deps = await openCatalogWriterDeps(config)
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
