import type { Log } from '#log.ts'
import { UpstreamError } from '#outbound/marketplace/fetched-file.ts'
import type { RejectedRecord } from '#rules/catalog/catalog-records.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorCode } from '#rules/primitives/system-errors.ts'
import { isRefreshDue } from '#rules/sync/refresh-schedule.ts'
import type { GameState } from '#store/catalog/sync-log.ts'
import type { CatalogWriter } from '#store/open-catalog-writer.ts'

/** Problems of a sync, for its report. */
export type SyncFindings = {
  /** Skipped records. */
  bad_records: number
  /** Number of errors of this program or its machine. The log has their stacks. */
  internal_errors: number
  /** Parts of the request that failed. */
  failures: { game: string; set?: number; reason: string }[]
}

/**
 * Runs one part of the sync. An error of the upstream fails that part only. A bug of this program also fails that
 * part only, and is logged with its stack: the data of one set must not block all others.
 */
export async function isolateFailure(
  { log }: { log: Log },
  findings: SyncFindings,
  part: { game: string; set?: number },
  action: () => Promise<void>,
): Promise<Error | undefined> {
  try {
    await action()
    return undefined
  } catch (error) {
    if (!(error instanceof Error) || error instanceof ServiceError) throw error
    // A disk or database error would fail every other part, too.
    if (errorCode(error) !== '') throw error
    if (error instanceof UpstreamError) findings.failures.push({ ...part, reason: error.message })
    else {
      log.error('sync failed by a defect', { ...part, error })
      findings.internal_errors++
      findings.failures.push({ ...part, reason: DEFECT })
    }
    return error
  }
}

const DEFECT =
  'Cardstock could not process this data because of a bug. The old data stays. Please report the details in the log.'

/** Counts and logs skipped records. @param of the file, for the log */
export function countRejected(
  { log }: { log: Log },
  findings: SyncFindings,
  of: string,
  bad: readonly RejectedRecord[],
) {
  findings.bad_records += bad.length
  for (const { id, reason } of bad.slice(0, LOGGED_MAX)) {
    log.warn('skipped bad record', { of, id, reason })
  }
  const more = bad.length - LOGGED_MAX
  if (more > 0) log.warn('skipped more bad records', { of, more })
}

/** A file may have thousands of bad records, and a mirror thousands of files. */
const LOGGED_MAX = 20

/**
 * Marks the games affected by a failure of this run as stale, until they are published completely. A failure of the
 * mirror does not affect games that were not due.
 */
export function markStale(
  { catalogWriter, now }: { catalogWriter: CatalogWriter; now: () => Date },
  { due }: { due?: true },
  { failures }: SyncFindings,
): void {
  const isConcerned = (game: GameState, failed: string) => {
    if (failed !== ALL_GAMES) return failed === game.slug
    return due === undefined || isRefreshDue(game, now())
  }
  for (const game of catalogWriter.syncLog.listGames()) {
    if (failures.some((failure) => isConcerned(game, failure.game)))
      catalogWriter.syncLog.markStale(game.id, now())
  }
}

/** Value of `game` in a failure that affects every game. */
export const ALL_GAMES = 'all'
