import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { isLocked } from '#store/files/lock.ts'
import type { SyncOptions } from '#store/memory/sync-trigger.ts'

type StartDeps = Pick<Deps, 'config' | 'catalog' | 'ledger' | 'syncTrigger' | 'now'>

/**
 * Starts a sync in the server's own thread, for an operator, and does not wait for its end.
 *
 * @param asked `game` is a slug or an id of a game that the catalog has
 * @throws ServiceError SYNC_OFF, NOT_FOUND, SYNC_RUNNING, or UNAVAILABLE while the server starts or stops
 */
export async function startSync(
  { config, catalog, ledger, syncTrigger, now }: StartDeps,
  asked: SyncOptions & { account_id: number; address: string },
): Promise<void> {
  const { account_id, address, force = false } = asked
  if (config.upstreamUrl === undefined) {
    throw new ServiceError('SYNC_OFF', 'There is no mirror to sync from: set UPSTREAM_URL.')
  }
  const game = asked.game === undefined ? undefined : slugOf(catalog, asked.game)
  // By a command beside the server; our own thread holds the same lock.
  if (isLocked(config.dataDir, 'intake')) throw syncRunning()
  const state = syncTrigger.start({ force, ...(game !== undefined && { game }) })
  if (state === 'running') throw syncRunning()
  if (state === 'closed') {
    throw new ServiceError('UNAVAILABLE', 'The service is starting or stopping. Try again soon.')
  }
  const detail = `${game ?? 'all games'}${force ? ', by force' : ''}`
  await ledger.audit.create({ at: now(), event: 'sync_started', account_id, address, detail })
}

function slugOf({ games }: Deps['catalog'], path: string): string {
  const game = games.getBySlugOrId(path)
  if (game !== undefined) return game.slug
  throw new ServiceError(
    'NOT_FOUND',
    'The catalog has no such game. A sync of all games brings new ones in.',
  )
}

function syncRunning(): ServiceError {
  return new ServiceError('SYNC_RUNNING', 'A sync or an import is running. Wait for its end.')
}
