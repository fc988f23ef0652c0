import type { Deps } from '#deps.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import { CATALOG_FILE } from '#store/files/data-folder.ts'
import { findServedSnapshot, serveSnapshot, snapshotFileName } from '#store/files/snapshot-files.ts'
import { settleSnapshot } from '#store/fleet-catalog.ts'
import {
  ACTIVATION_NOTICE_MS,
  type CatalogSchedule,
  type CatalogVersion,
  type CatalogVersionStore,
} from '#store/ledger/fleet/postgres-catalog-versions.ts'
import { latestSchemaVersion } from '#store/prepare-files.ts'
import type { ServedCatalog } from '#store/served-catalog.ts'
import { openSnapshot } from './open-snapshot.ts'
import type { Workers } from './workers.ts'

export type FollowerDeps = Pick<Deps, 'config' | 'log' | 'now' | 'serverName'> & {
  servedCatalog: ServedCatalog
  catalogVersions: CatalogVersionStore
}

type FollowerWorkers = Pick<Workers, 'fetching' | 'search'>

/** Follows the versions of a fleet. */
export type FleetFollower = {
  /**
   * Fetches the versions that this server lacks, and switches to each at its activation time. Call it every second.
   * It never rejects. If the database cannot be reached, the catalog expires after the notice period of an
   * activation.
   */
  look(): Promise<void>
  /** Returns true if this server can create versions that all other servers can read. */
  canLead(): boolean
}

/** Times of a query to the database and of its response, as of `performance.now()`. */
type QueryTimes = { sentAt: number; answeredAt: number }

/** @param onTakenOver is called after each takeover */
export function createFleetFollower(
  deps: FollowerDeps,
  workers: FollowerWorkers,
  onTakenOver: () => void,
): FleetFollower {
  const { config, log, now, serverName, servedCatalog, catalogVersions } = deps
  const { dataDir } = config
  const fetched = new Map<string, string>()
  let servedName = findServedSnapshot(dataDir)
  let fetching: Promise<void> | undefined
  let taking: Promise<void> | undefined
  /** Name of the version to which a switch is scheduled. */
  let scheduledName: string | undefined
  let fetchAfter = 0
  let reported: { version: number; at: number } | undefined
  let isReadable = false

  const nameOf = ({ snapshot }: CatalogVersion) => snapshotFileName(snapshot)
  const has = (version: CatalogVersion) =>
    nameOf(version) === servedName || fetched.has(nameOf(version))

  /** Fetches a version while requests are served. Pauses for a while after a failure. */
  function fetchSoon(version: CatalogVersion): void {
    if (fetching !== undefined || performance.now() < fetchAfter) return
    fetching = workers.fetching
      .run({ kind: 'fetch', snapshot: version.snapshot })
      .then((found) => {
        if (found === undefined) fetchAfter = performance.now() + RETRY_MS
        else fetched.set(nameOf(version), found.path)
      })
      .finally(() => {
        fetching = undefined
      })
  }

  async function report({ active, pending }: CatalogSchedule): Promise<void> {
    const newest = [pending, active].find((version) => version !== undefined && has(version))
    const version = newest?.snapshot.version ?? 0
    const at = performance.now()
    if (reported?.version === version && at - reported.at < REPORT_MS) return
    await catalogVersions.report({ server: serverName, version, schema: OWN_SCHEMA }, now())
    reported = { version, at }
  }

  /** Opens a fetched version, and serves it from its activation time. */
  async function take(
    version: CatalogVersion,
    { sentAt }: QueryTimes,
    momentOf: Moments,
  ): Promise<void> {
    const name = nameOf(version)
    const path = fetched.get(name) ?? ''
    settleSnapshot(path, version.snapshot.version, version.activate_at)
    const next = await openSnapshot(path, servedCatalog, workers)
    const window = momentOf(version)
    // The switch is scheduled now, because the server may pause or lose the database before the next check.
    servedCatalog.takeOver(next, window, sentAt + ACTIVATION_NOTICE_MS)
    scheduledName = name
    await Bun.sleep(Math.max(0, window.to - performance.now()))
    serveSnapshot(dataDir, name)
    servedName = name
    scheduledName = undefined
    fetched.clear()
    log.info('version taken over', { version: version.snapshot.version })
    onTakenOver()
  }

  /** Limits the time for which the served or scheduled file may be used, based on the database's latest response. */
  function limit(
    { active, pending }: CatalogSchedule,
    { sentAt }: QueryTimes,
    momentOf: Moments,
  ): void {
    // A scheduled version is pending until its activation time.
    const isScheduled = pending !== undefined && nameOf(pending) === scheduledName
    const [current, next] = isScheduled ? [pending, undefined] : [active, pending]
    const isCurrent = current !== undefined && nameOf(current) === (scheduledName ?? servedName)
    const end = next === undefined ? Number.POSITIVE_INFINITY : momentOf(next).from
    servedCatalog.expireAt(isCurrent ? Math.min(end, sentAt + ACTIVATION_NOTICE_MS) : sentAt)
  }

  async function look(): Promise<void> {
    try {
      const sentAt = performance.now()
      const schedule = await catalogVersions.readSchedule(now())
      const queryTimes = { sentAt, answeredAt: performance.now() }
      const momentOf = momentsBy(schedule.now, queryTimes)
      const { active, pending } = schedule
      const missing = [active, pending].find((version) => version !== undefined && !has(version))
      if (missing !== undefined) fetchSoon(missing)
      await report(schedule)
      isReadable = isReadableByAll(schedule, OWN_SCHEMA)
      const due = findDue(schedule, (version) => fetched.has(nameOf(version)))
      if (due !== undefined) {
        taking ??= take(due, queryTimes, momentOf).finally(() => {
          taking = undefined
        })
        taking.catch((error) =>
          log.error('failed to take over a version', { reason: errorMessage(error) }),
        )
      }
      limit(schedule, queryTimes, momentOf)
    } catch (error) {
      log.warn('failed to read the versions of the fleet', { reason: errorMessage(error) })
    }
  }

  return { look, canLead: () => isReadable }
}

/**
 * Returns true if every server can read a catalog of this schema. During an upgrade, servers of the older release
 * lead. A server that cannot read even the newest version does not count.
 */
export function isReadableByAll(
  { active, pending, schemas }: Pick<CatalogSchedule, 'active' | 'pending' | 'schemas'>,
  schema: number,
): boolean {
  const published = (pending ?? active)?.snapshot.schema ?? 0
  return schema >= published && schemas.every((other) => other < published || other >= schema)
}

const OWN_SCHEMA = latestSchemaVersion(CATALOG_FILE) ?? 0

/**
 * Returns the version to which the server can switch because its activation time is final: the active or the pending
 * one.
 */
function findDue(
  { active, pending, now }: CatalogSchedule,
  isFetched: (version: CatalogVersion) => boolean,
): CatalogVersion | undefined {
  if (active !== undefined && isFetched(active)) return active
  const isFinal = pending !== undefined && pending.activate_at - now <= ACTIVATION_NOTICE_MS
  return isFinal && isFetched(pending) ? pending : undefined
}

/** Bounds of the activation time of a version on this server's clock, as of `performance.now()`. */
type Moments = (version: CatalogVersion) => { from: number; to: number }

/** The database read its clock, in whole milliseconds, between the query and its response. */
function momentsBy(databaseNow: number, { sentAt, answeredAt }: QueryTimes): Moments {
  return ({ activate_at }) => {
    const leftMs = activate_at - databaseNow
    return { from: sentAt + leftMs - 1 - DRIFT_MS, to: answeredAt + leftMs + DRIFT_MS }
  }
}

/** Maximum difference that two clocks develop within 15 s, because quartz is accurate to 100 ppm. */
const DRIFT_MS = 2

/** Interval between the reports of a server, for which the others wait. */
const REPORT_MS = 5_000

/** Pause after a snapshot could not be fetched, in milliseconds. */
const RETRY_MS = 5_000
