import { republishCatalog, rollBackCatalog } from '#actions/operations/roll-back-catalog.ts'
import type { Deps } from '#deps.ts'
import { openBucket } from '#outbound/bucket/bucket.ts'
import { parseWholeNumber, printResult, UsageError } from './terminal.ts'

/** `admin rollback-catalog`: goes back to an earlier version of a fleet's catalog. */
export async function rollBack(deps: Deps, { to }: { to?: string | undefined }) {
  const version = to === undefined ? undefined : parseWholeNumber('--to', to)
  printResult(await rollBackCatalog(fleetOf(deps), version))
  return undefined
}

/** `admin republish-catalog`: gives all servers of a fleet the version that this one has served last. */
export async function republish(deps: Deps) {
  printResult(await republishCatalog(fleetOf(deps)))
  return undefined
}

/** @throws UsageError outside a fleet */
function fleetOf({ config, ledger, now }: Deps) {
  if (ledger.shared === undefined || config.snapshots === undefined) {
    throw new UsageError(
      'Only a fleet, with LEDGER_URL and SNAPSHOTS_URL, has versions of the catalog. Elsewhere use "bun run restore --snapshot".',
    )
  }
  const { catalogVersions } = ledger.shared
  return { dataDir: config.dataDir, bucket: openBucket(config.snapshots), catalogVersions, now }
}
