// A fleet: several servers with their own folders, which switch to the same versions of the catalog at the same time.

import { deleteOtherSnapshots } from '#actions/operations/upload-catalog.ts'
import { isInFleet } from '#config.ts'
import type { Deps } from '#deps.ts'
import { openBucket } from '#outbound/bucket/bucket.ts'
import { keptSnapshots } from '#rules/operations/snapshot-list.ts'
import { lockSnapshots } from '#store/files/snapshot-files.ts'
import type { CatalogVersionStore } from '#store/ledger/fleet/postgres-catalog-versions.ts'
import { JOB_LEASE_MS, JOB_RENEWAL_MS } from '#store/ledger/job-leases.ts'
import { createFleetFollower } from './fleet-follower.ts'
import type { JobLeases } from './job-leases.ts'
import type { Workers } from './workers.ts'

/** This server's part in its fleet. */
export type Fleet = {
  /** Returns true while this server leads: it alone writes the catalog. */
  isLeading(): boolean
  /**
   * Publishes the catalog of this server if the server leads and has changed the catalog. Rejects if the publication
   * fails.
   */
  publish(): Promise<void>
  /** Stops following the versions, and deletes the report of this server. Never rejects. */
  close(): Promise<void>
}

type FleetWorkers = Pick<Workers, 'packing' | 'rebasing' | 'fetching' | 'search'>

/**
 * Joins the fleet; undefined without LEDGER_URL and SNAPSHOTS_URL.
 *
 * @param events `onLeading` is called when this server begins to lead and its catalog is up to date, `onTakenOver`
 * after each takeover
 * @throws ServiceError UNAVAILABLE if another server takes over snapshots in the data folder
 */
export function joinFleet(
  deps: Deps,
  workers: FleetWorkers,
  leases: JobLeases | undefined,
  { onLeading, onTakenOver }: { onLeading(): void; onTakenOver(): void },
): Fleet | undefined {
  const { config, servedCatalog, ledger, log, now, serverName } = deps
  if (!isInFleet(config) || leases === undefined) return undefined
  if (servedCatalog === undefined || ledger.shared === undefined) return undefined
  const { catalogVersions } = ledger.shared
  const unlock = lockSnapshots(config.dataDir)
  const follower = createFleetFollower(
    { config, log, now, serverName, servedCatalog, catalogVersions },
    workers,
    onTakenOver,
  )
  /** Token of the lease for which this server's catalog was brought up to date. */
  let preparedFor: number | undefined
  /** Version from which the catalog of this server was created. */
  let basedOn: number | undefined
  let isPreparing = false
  /** Time, as of `performance.now()`, until which this server leaves the lead to others. */
  let unfitUntil = 0
  const firstLook = follower.look()
  let looking: Promise<void> | undefined = firstLook.finally(() => {
    looking = undefined
  })

  const canLead = () => follower.canLead() && performance.now() >= unfitUntil
  const lead = leases.add(
    'lead the fleet',
    () => void prepare(),
    async () => {
      await firstLook
      return canLead()
    },
  )
  const isLeading = () => preparedFor !== undefined && lead.get()?.token === preparedFor

  /** Brings the catalog up to the newest version, because another server may have published since this one last led. */
  async function prepare(): Promise<void> {
    const token = lead.get()?.token
    if (token === undefined || token === preparedFor || isPreparing) return
    isPreparing = true
    try {
      const { active, pending } = await catalogVersions.readSchedule(now())
      const newest = pending ?? active
      const isReady =
        newest === undefined ||
        (await workers.rebasing.run({ kind: 'rebase', newest })) !== undefined
      if (!isReady) throw new Error('the newest version could not be fetched')
      preparedFor = token
      basedOn = newest?.snapshot.version
      log.info('this server leads the fleet', { version: basedOn })
      onLeading()
    } catch (error) {
      // Another server may have the version, so this one does not lead for a while.
      unfitUntil = performance.now() + UNFIT_MS
      log.error('failed to begin to lead the fleet', { error })
    } finally {
      isPreparing = false
    }
  }

  async function publish(): Promise<void> {
    const { active, pending } = await catalogVersions.readSchedule(now())
    // Versions are published one after another, because the activation time of the pending version is part of the
    // next one. The switch to the pending version publishes again.
    if (!isLeading() || pending !== undefined) return
    // An operator has replaced the active version.
    if (active?.snapshot.version !== basedOn) {
      preparedFor = undefined
      return
    }
    const packed = await workers.packing.run({ kind: 'pack', base: active })
    if (packed === undefined) throw new Error('the next version could not be made')
    const { snapshot } = packed
    const lease = lead.get()
    if (snapshot === undefined || lease === undefined) return
    const base = active?.snapshot.version
    const outcome = await catalogVersions.publish(lease, { snapshot, base }, now())
    log.info('version of the fleet', { version: snapshot.version, outcome })
    // This server's catalog lacks changes that another server has published.
    if (outcome === 'overtaken') preparedFor = undefined
    if (outcome !== 'published') return
    basedOn = snapshot.version
    await tidy(deps, catalogVersions, lead.isHeld)
  }

  const timer = setInterval(() => {
    // Prepares again after a failure, and after an operator has published a version.
    if (lead.isHeld() && !isLeading() && canLead()) void prepare()
    looking ??= follower.look().finally(() => {
      looking = undefined
    })
  }, LOOK_MS)

  return {
    isLeading,
    publish,
    async close() {
      clearInterval(timer)
      await looking
      await catalogVersions.withdraw(serverName).catch(() => undefined)
      unlock()
    },
  }
}

/** Removes old versions from the ledger, and deletes their files while this server leads. */
async function tidy(
  { config, log, now }: Deps,
  versions: CatalogVersionStore,
  isLeading: () => boolean,
): Promise<void> {
  if (config.snapshots === undefined) return
  const known = (await versions.list()).map(({ snapshot }) => snapshot)
  const kept = keptSnapshots(known, now(), config.backupRetention.days)
  await versions.forget(known.filter((one) => !kept.includes(one)).map(({ version }) => version))
  await deleteOtherSnapshots({ bucket: openBucket(config.snapshots), log }, async () =>
    isLeading() ? kept : undefined,
  )
}

const LOOK_MS = 1_000
/** Time in milliseconds for which this server does not lead: longer than the lease, so that another server gets it. */
const UNFIT_MS = JOB_LEASE_MS + 2 * JOB_RENEWAL_MS
