import type { Deps } from '#deps.ts'
import { type Bucket, openBucket } from '#outbound/bucket/bucket.ts'
import { backoffMs } from '#outbound/net/http-client.ts'
import { compareSchemas, UNRELEASED_SCHEMA } from '#rules/operations/schema-version.ts'
import { parseSnapshotList, SNAPSHOT_LIST, type Snapshot } from '#rules/operations/snapshot-list.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import { CATALOG_FILE } from '#store/files/data-folder.ts'
import {
  findServedSnapshot,
  lockSnapshots,
  serveSnapshot,
  snapshotFileName,
} from '#store/files/snapshot-files.ts'
import { latestSchemaVersion } from '#store/prepare-files.ts'
import { openSnapshot } from './open-snapshot.ts'
import type { Workers } from './workers.ts'

/** Switches to new snapshots in a bucket. */
export type Replica = {
  /** Stops checking for snapshots. Resolves when a running check has ended. */
  close(): Promise<void>
}

/**
 * Follows the bucket of this server; undefined if the server has its own catalog.
 *
 * @param onTakenOver is called after each takeover
 * @throws ServiceError UNAVAILABLE if another server takes over snapshots in the data folder
 */
export function startReplica(
  deps: Deps,
  workers: Pick<Workers, 'fetching' | 'search'>,
  onTakenOver: () => void,
): Replica | undefined {
  const { servedCatalog, config, jobs, now, log } = deps
  if (servedCatalog === undefined || config.catalogSource === undefined) return undefined
  const follow = createFollower(
    { ...deps, servedCatalog },
    workers,
    openBucket(config.catalogSource),
  )
  const unlock = lockSnapshots(config.dataDir)
  let isClosed = false
  let endPause = () => {}
  let failures = 0

  async function look(): Promise<void> {
    jobs.started(NAME, now())
    try {
      if (await follow()) onTakenOver()
      failures = 0
      jobs.finished(NAME, now(), 'done')
    } catch (error) {
      failures++
      jobs.finished(NAME, now(), 'failed')
      log.error('failed to take over a snapshot', { reason: errorMessage(error) })
    }
  }

  async function pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    endPause = resolve
    const timer = setTimeout(resolve, ms)
    await promise
    clearTimeout(timer)
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      await look()
      if (!isClosed) await pause(failures === 0 ? LOOK_MS : backoffMs(LOOK_MS, failures))
    }
  }

  jobs.register(NAME)
  const running = run()
  return {
    async close() {
      isClosed = true
      endPause()
      await running
      unlock()
    },
  }
}

const NAME = 'take over snapshots'

/** Interval between two checks of the bucket, in milliseconds. A check costs one small request. */
const LOOK_MS = 5_000

type FollowerDeps = Deps & { servedCatalog: NonNullable<Deps['servedCatalog']> }

/**
 * Returns a function that switches to the newest snapshot in the bucket; it returns false if that snapshot is already
 * served.
 */
function createFollower(
  deps: FollowerDeps,
  workers: Pick<Workers, 'fetching' | 'search'>,
  bucket: Bucket,
): () => Promise<boolean> {
  const { config, servedCatalog, log } = deps
  let etag: string | undefined

  async function takeOver(snapshot: Snapshot): Promise<void> {
    const name = snapshotFileName(snapshot)
    const fetched = await workers.fetching.run({ kind: 'fetch', snapshot })
    if (fetched === undefined) throw unavailable('The newest snapshot could not be fetched.')
    const next = await openSnapshot(fetched.path, servedCatalog, workers)
    serveSnapshot(config.dataDir, name)
    servedCatalog.takeOver(next)
    log.info('snapshot taken over', { version: snapshot.version, changed_at: snapshot.changed_at })
  }

  return async () => {
    const found = await bucket.read(SNAPSHOT_LIST, etag)
    if (found === 'unchanged') return false
    if (found === undefined) throw unavailable('The bucket of CATALOG_FROM has no snapshot yet.')
    const [newest] = parseSnapshotList(found.text)
    if (newest === undefined) throw unavailable('The bucket of CATALOG_FROM has no snapshot yet.')
    const order = compareSchemas(newest.schema, latestSchemaVersion(CATALOG_FILE) ?? 0)
    if (order === 'newer') {
      throw unavailable(
        'The newest snapshot was created by a newer version of Cardstock. Upgrade this server.',
      )
    }
    if (order === 'unreleased') {
      throw unavailable(`The newest snapshot ${UNRELEASED_SCHEMA}: publish it with this version.`)
    }
    const isServed = snapshotFileName(newest) === findServedSnapshot(config.dataDir)
    if (!isServed) await takeOver(newest)
    etag = found.etag
    return !isServed
  }
}

function unavailable(text: string): ServiceError {
  return new ServiceError('UNAVAILABLE', text)
}
