import { UpstreamError } from '#outbound/marketplace/fetched-file.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import { findPublishTimeProblem } from '#rules/sync/sanity-checks.ts'
import { openStaging } from '#store/files/staging.ts'
import { type MirrorDeps, planSync } from './plan-sync.ts'
import { type PublishedCounts, publishGames, type SyncRequest } from './publish-games.ts'
import { ALL_GAMES, markStale, type SyncFindings } from './sync-findings.ts'

export type SyncDeps = MirrorDeps & { dataDir: string }

export type SyncReport = SyncFindings &
  PublishedCounts & {
    outcome: 'complete' | 'incomplete' | 'failed'
    published_at: string | null
  }

/**
 * Updates the catalog: plans which sets have new data, reads and stages them one by one, checks them, and publishes
 * them in one transaction. A long run also publishes between games. After any failure the old data stays complete,
 * and the next run continues with the staged sets.
 *
 * @throws any error that neither the mirror nor the caller has caused; the run is recorded as failed
 */
export async function syncCatalog(deps: SyncDeps, request: SyncRequest): Promise<SyncReport> {
  const { catalogWriter, now } = deps
  const run = catalogWriter.syncLog.start(now())
  const report = createReport()
  const part = { game: request.game ?? ALL_GAMES }
  try {
    const publishedAt = await fetchPublishTime(deps, request)
    report.published_at = publishedAt.toISOString()
    const games = await planSync(deps, request, publishedAt, report)
    const staging = openStaging(deps.dataDir, publishedAt)
    await publishGames(deps, request, { publishedAt, staging, games }, report)
    report.outcome = report.failures.length === 0 ? 'complete' : 'incomplete'
  } catch (error) {
    report.failures.push({ ...part, reason: describeEnd(error) })
    // A request for an unknown game or set does not make data stale.
    if (error instanceof ServiceError) return finish(deps, run, report)
    if (!(error instanceof UpstreamError)) {
      recordBreakdown(deps, request, run, report)
      throw error
    }
  }
  markStale(deps, request, report)
  return finish(deps, run, report)
}

function describeEnd(error: unknown): string {
  const reason = errorMessage(error)
  if (error instanceof UpstreamError || error instanceof ServiceError) return reason
  return `The sync ended early: ${reason}. The old data stays, and the next run continues. The log has the details.`
}

/** Records the end of a run after an unexpected error, if the disk allows it. */
function recordBreakdown(
  deps: SyncDeps,
  request: SyncRequest,
  run: number,
  report: SyncReport,
): void {
  report.internal_errors++
  try {
    markStale(deps, request, report)
    finish(deps, run, report)
  } catch (error) {
    // The run stays open, and counts as failed once the lock of the sync is released.
    deps.log.error('failed to record a failed sync', { error })
  }
}

function finish(
  { catalogWriter, now, log }: SyncDeps,
  run: number,
  report: SyncReport,
): SyncReport {
  const publishedAt = report.published_at === null ? undefined : new Date(report.published_at)
  catalogWriter.syncLog.finish(run, now(), report.outcome, publishedAt, report)
  for (const failure of report.failures) log.warn('sync could not read', failure)
  return report
}

/** @throws UpstreamError if the time is implausible and the request does not force it */
async function fetchPublishTime(
  { marketplace, now }: SyncDeps,
  { force }: SyncRequest,
): Promise<Date> {
  const publishedAt = await marketplace.fetchPublishTime()
  const problem = force === true ? undefined : findPublishTimeProblem(publishedAt, now())
  if (problem !== undefined) throw new UpstreamError('last-updated.txt', problem)
  return publishedAt
}

function createReport(): SyncReport {
  const read = { games: 0, sets_read: 0, cards_read: 0, prices_changed: 0 }
  const none = { ...read, bad_records: 0, alerts: 0, internal_errors: 0, failures: [] }
  return { outcome: 'failed', published_at: null, ...none }
}
