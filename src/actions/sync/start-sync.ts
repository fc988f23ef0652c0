import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { isLocked } from '#store/files/lock.ts'
import type { SyncOptions } from '#store/memory/sync-trigger.ts'

type StartDeps = Pick<Deps, 'config' | 'catalog' | 'ledger' | 'triggers' | 'now'>

/**
 * Starts a sync for an operator, without waiting for its end: in the server's worker thread, or on the leader of the
 * fleet.
 *
 * @param input `game` is the slug or id of a game in the catalog
 * @throws ServiceError SYNC_OFF, NOT_FOUND, SYNC_RUNNING, or UNAVAILABLE while the server starts or stops
 */
export async function startSync(
  { config, catalog, ledger, triggers, now }: StartDeps,
  input: SyncOptions & { account_id: number; address: string },
): Promise<void> {
  const { account_id, address, force = false } = input
  if (config.upstreamUrl === undefined) {
    throw new ServiceError(
      'SYNC_OFF',
      'Sync is off because no mirror is set. Set one in the settings of the server, or as UPSTREAM_URL.',
    )
  }
  const game = input.game === undefined ? undefined : catalog.games.getBySlugOrId(input.game)?.slug
  if (game === undefined && input.game !== undefined) {
    throw new ServiceError(
      'NOT_FOUND',
      'The catalog has no such game. A sync of all games adds new ones.',
    )
  }
  // Held by a command beside the server, or by the worker thread.
  if (isLocked(config.dataDir, 'intake')) throw syncRunning()
  const state = triggers.sync.start({ force, ...(game !== undefined && { game }) })
  const isWaiting =
    state === 'elsewhere' &&
    (await ledger.shared?.syncRequests.add({ game: game ?? null, force }, now())) !== true
  if (state === 'running' || isWaiting) throw syncRunning()
  if (state === 'closed') {
    throw new ServiceError(
      'UNAVAILABLE',
      'The server is starting or stopping. Try again in a few seconds.',
    )
  }
  const detail = `${game ?? 'all games'}${force ? ', by force' : ''}`
  await ledger.audit.create({ at: now(), event: 'sync_started', account_id, address, detail })
}

/** Creates the error for a catalog that is being written. */
export function syncRunning(): ServiceError {
  return new ServiceError('SYNC_RUNNING', 'A sync or an import is running. Wait until it ends.')
}
