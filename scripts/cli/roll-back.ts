import { rollBackCatalog } from '#actions/operations/roll-back-catalog.ts'
import type { Deps } from '#deps.ts'
import { openBucket } from '#outbound/bucket/bucket.ts'
import { parseWholeNumber, printResult, UsageError } from './terminal.ts'

/** `admin rollback-catalog`: goes back to an earlier version of a fleet's catalog. */
export async function rollBack({ config, ledger, now }: Deps, { to }: { to?: string | undefined }) {
  if (ledger.shared === undefined || config.snapshots === undefined) {
    throw new UsageError(
      'Only a fleet, with LEDGER_URL and SNAPSHOTS_URL, has versions to go back to. Elsewhere use "bun run restore --snapshot".',
    )
  }
  const { catalogVersions } = ledger.shared
  const deps = {
    dataDir: config.dataDir,
    bucket: openBucket(config.snapshots),
    catalogVersions,
    now,
  }
  const version = to === undefined ? undefined : parseWholeNumber('--to', to)
  printResult(await rollBackCatalog(deps, version))
  return undefined
}
