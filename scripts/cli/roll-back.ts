import {
  type RollBackReport,
  republishCatalog,
  rollBackCatalog,
} from '#actions/operations/roll-back-catalog.ts'
import type { Deps } from '#deps.ts'
import { openBucket } from '#outbound/bucket/bucket.ts'
import { UsageError } from './parse.ts'
import { PROGRAM } from './program.ts'
import { printResult } from './terminal.ts'

/** `admin rollback-catalog`: goes back to an earlier version of a fleet's catalog. */
export async function rollBack(
  deps: Deps,
  { to, json }: { to: number | undefined; json: boolean },
): Promise<undefined> {
  printReport(await rollBackCatalog(fleetOf(deps), to), json)
}

/** `admin republish-catalog`: publishes the version that this server served last to all servers of a fleet. */
export async function republish(deps: Deps, { json }: { json: boolean }): Promise<undefined> {
  printReport(await republishCatalog(fleetOf(deps)), json)
}

function printReport(report: RollBackReport, json: boolean): void {
  const { replaced, restored, version } = report
  const text = `Version ${version} replaces version ${replaced}, with the catalog of version ${restored}.`
  printResult(report, { json, text })
}

/** @throws UsageError outside a fleet */
function fleetOf({ config, ledger, now }: Deps) {
  if (ledger.shared === undefined || config.snapshots === undefined) {
    throw new UsageError(
      `Only a fleet, with LEDGER_URL and SNAPSHOTS_URL, has versions of the catalog. Elsewhere use "${PROGRAM} restore --snapshot".`,
    )
  }
  const { catalogVersions } = ledger.shared
  return { dataDir: config.dataDir, bucket: openBucket(config.snapshots), catalogVersions, now }
}
