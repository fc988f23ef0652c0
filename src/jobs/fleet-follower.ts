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
   * Fetches the versions that this server lacks, and takes each over at its time. Call it every second. It never
   * rejects; while the database is silent, the catalog expires after the notice that each activation gives.
   */
  look(): Promise<void>
  /** Returns true if this server can make versions that all others can read. */
  canLead(): boolean
}

/** The times of one question to the database, as of `performance.now()`. */
type Question = { askedAt: number; answeredAt: number }

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
  /** Name of the version that is taken over at its time. */
  let scheduledName: string | undefined
  let fetchAfter = 0
  let reported: { version: number; at: number } | undefined
  let isReadable = false

  const nameOf = ({ snapshot }: CatalogVersion) => snapshotFileName(snapshot)
  const has = (version: CatalogVersion) =>
    nameOf(version) === servedName || fetched.has(nameOf(version))

  /** Fetches a version beside the requests. After a failure it waits for a while. */
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

  /** Opens a version that this server has, and answers from it at its time. */
  async function take(
    version: CatalogVersion,
    { askedAt }: Question,
    momentOf: Moments,
  ): Promise<void> {
    const name = nameOf(version)
    const path = fetched.get(name) ?? ''
    settleSnapshot(path, version.snapshot.version, version.activate_at)
    const next = await openSnapshot(path, servedCatalog, workers)
    const window = momentOf(version)
    // The server may stand still or lose the database before the next look.
    servedCatalog.takeOver(next, window, askedAt + ACTIVATION_NOTICE_MS)
    scheduledName = name
    await Bun.sleep(Math.max(0, window.to - performance.now()))
    serveSnapshot(dataDir, name)
    servedName = name
    scheduledName = undefined
    fetched.clear()
    log.info('version taken over', { version: version.snapshot.version })
    onTakenOver()
  }

  /** Sets how long the served or scheduled file may be the current one, by what the database has just said. */
  function limit(
    { active, pending }: CatalogSchedule,
    { askedAt }: Question,
    momentOf: Moments,
  ): void {
    // The scheduled version is the pending one until its time.
    const isScheduled = pending !== undefined && nameOf(pending) === scheduledName
    const [current, next] = isScheduled ? [pending, undefined] : [active, pending]
    const isCurrent = current !== undefined && nameOf(current) === (scheduledName ?? servedName)
    const end = next === undefined ? Number.POSITIVE_INFINITY : momentOf(next).from
    servedCatalog.expireAt(isCurrent ? Math.min(end, askedAt + ACTIVATION_NOTICE_MS) : askedAt)
  }

  async function look(): Promise<void> {
    try {
      const askedAt = performance.now()
      const schedule = await catalogVersions.readSchedule(now())
      const question = { askedAt, answeredAt: performance.now() }
      const momentOf = momentsBy(schedule.now, question)
      const { active, pending } = schedule
      const missing = [active, pending].find((version) => version !== undefined && !has(version))
      if (missing !== undefined) fetchSoon(missing)
      await report(schedule)
      isReadable = isReadableByAll(schedule, OWN_SCHEMA)
      const due = findDue(schedule, (version) => fetched.has(nameOf(version)))
      if (due !== undefined) {
        taking ??= take(due, question, momentOf).finally(() => {
          taking = undefined
        })
        taking.catch((error) =>
          log.error('failed to take over a version', { reason: errorMessage(error) }),
        )
      }
      limit(schedule, question, momentOf)
    } catch (error) {
      log.warn('failed to read the versions of the fleet', { reason: errorMessage(error) })
    }
  }

  return { look, canLead: () => isReadable }
}

/**
 * Tells if every server can read a catalog of this schema. During an upgrade the servers of the older release
 * lead. One that cannot read even the newest version does not count.
 */
export function isReadableByAll(
  { active, pending, schemas }: Pick<CatalogSchedule, 'active' | 'pending' | 'schemas'>,
  schema: number,
): boolean {
  const published = (pending ?? active)?.snapshot.schema ?? 0
  return schema >= published && schemas.every((other) => other < published || other >= schema)
}

const OWN_SCHEMA = latestSchemaVersion(CATALOG_FILE) ?? 0

/** Returns the version that can be taken over, because its time is final: the active one, or the pending one. */
function findDue(
  { active, pending, now }: CatalogSchedule,
  isFetched: (version: CatalogVersion) => boolean,
): CatalogVersion | undefined {
  if (active !== undefined && isFetched(active)) return active
  const isFinal = pending !== undefined && pending.activate_at - now <= ACTIVATION_NOTICE_MS
  return isFinal && isFetched(pending) ? pending : undefined
}

/** Tells between which times of this server, as of `performance.now()`, a version is activated. */
type Moments = (version: CatalogVersion) => { from: number; to: number }

/** The database read its clock, in whole milliseconds, at some time between the question and the answer. */
function momentsBy(databaseNow: number, { askedAt, answeredAt }: Question): Moments {
  return ({ activate_at }) => {
    const leftMs = activate_at - databaseNow
    return { from: askedAt + leftMs - 1 - DRIFT_MS, to: answeredAt + leftMs + DRIFT_MS }
  }
}

/** Difference of two clocks after 15 s: quartz is within 100 ppm. */
const DRIFT_MS = 2

/** Interval of the reports of a server, which the others wait for. */
const REPORT_MS = 5_000

/** Pause after a snapshot could not be fetched, in milliseconds. */
const RETRY_MS = 5_000
