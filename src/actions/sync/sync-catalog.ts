import type { Log } from '#log.ts'
import { UpstreamError } from '#outbound/marketplace/fetched-file.ts'
import type { Marketplace } from '#outbound/marketplace/marketplace.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import { isRefreshDue } from '#rules/sync/refresh-schedule.ts'
import { findPublishTimeProblem } from '#rules/sync/sanity-checks.ts'
import { UpstreamFormatError } from '#rules/sync/upstream-shapes.ts'
import type { GameState } from '#store/catalog/sync-log.ts'
import { openStaging, type Staging } from '#store/files/staging.ts'
import type { CatalogWriter } from '#store/open-catalog-writer.ts'
import { judgeGame } from './judge-game.ts'
import { type PlannedGame, planSync, type SyncScope } from './plan-sync.ts'
import { readSet } from './read-set.ts'
import { countRejected, isolateFailure, type SyncFindings } from './sync-findings.ts'

export type SyncDeps = {
  dataDir: string
  catalogWriter: CatalogWriter
  marketplace: Marketplace
  log: Log
  now: () => Date
}

export type SyncRequest = SyncScope & {
  onProgress?: (syncProgress: SyncProgress) => void
}

export type SyncProgress = { done: number; total: number; set: string }

export type SyncReport = SyncFindings & {
  outcome: 'complete' | 'incomplete' | 'failed'
  published_at: string | null
  games: number
  sets_read: number
  cards_read: number
  prices_changed: number
  /** Price alerts of the published prices. */
  alerts: number
  /** Undefined if nothing was published. */
  version?: number
}

/**
 * Updates the catalog: plans which sets have new data, reads and stages them one by one, judges them,
 * and publishes them in one transaction. A long run also publishes between games. After any failure
 * the old data stays complete, and the next run continues with the staged sets.
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
    const plan = {
      publishedAt,
      staging,
      games,
      staged: new Set<number>(),
      rejected: new Set<number>(),
    }
    await readAndPublish(deps, request, plan, report)
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

/** Records the end of a run that an unexpected error ended, as far as the disk allows. */
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
    // The run stays open, and counts as failed once nobody holds the lock of the sync.
    deps.log.error('failed to record a failed sync', { error })
  }
}

/**
 * Marks the games that a failure of this run affects as stale until they are published completely. A failure of the
 * mirror does not affect games that were not due.
 */
function markStale(
  { catalogWriter, now }: SyncDeps,
  { due }: SyncRequest,
  { failures }: SyncReport,
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

/** A sync in progress. */
type Plan = {
  publishedAt: Date
  staging: Staging
  games: PlannedGame[]
  /** Ids of the sets that are ready to be published. */
  staged: Set<number>
  /** Ids of games that failed the sanity checks. They stay staged until the mirror publishes again. */
  rejected: Set<number>
}

async function readAndPublish(
  deps: SyncDeps,
  request: SyncRequest,
  plan: Plan,
  report: SyncReport,
): Promise<void> {
  const total = plan.games.reduce((sum, game) => sum + game.due.length, 0)
  const progress = { done: 0, total, silent: 0 }
  let pending: PlannedGame[] = []
  let publishedLast = performance.now()
  for (const game of plan.games) {
    pending.push(game)
    await stageGame(deps, request, plan, game, report, progress)
    if (progress.silent >= FAILURES_IN_ROW_MAX) break
    if (game.due.length > 0) await checkStillPublished(deps, plan)
    const isAwaited =
      report.games === 0 && isNew(game) && progress.total - progress.done > AWAITED_SETS_MIN
    if (!isAwaited && performance.now() - publishedLast < PUBLISH_INTERVAL_MS) continue
    await publish(deps, request, plan, pending, report)
    publishedLast = performance.now()
    pending = []
  }
  await publish(deps, request, plan, pending, report)
  if (plan.rejected.size === 0) plan.staging.close()
}

/**
 * Checks that the mirror has not published again since the run began. Its files are replaced one by one, so a
 * set could combine the cards of one day with the prices of the next.
 *
 * @throws UpstreamError if it has
 */
async function checkStillPublished(
  { marketplace }: SyncDeps,
  { publishedAt }: Plan,
): Promise<void> {
  const latest = await marketplace.fetchPublishTime()
  if (latest.getTime() === publishedAt.getTime()) return
  throw new UpstreamError(
    'last-updated.txt',
    'the mirror published new prices during the run, so nothing was published here. The next run reads the new prices.',
  )
}

/** Stages a game's due sets. A set that cannot be read does not affect the others. */
async function stageGame(
  deps: SyncDeps,
  request: SyncRequest,
  { staging, staged }: Plan,
  { game, due, states }: PlannedGame,
  report: SyncReport,
  progress: { done: number; total: number; silent: number },
): Promise<void> {
  for (const set of due) {
    const failed = await isolateFailure(
      deps,
      report,
      { game: game.slug, set: set.id },
      async () => {
        if (request.force === true || !staging.has(set.id)) {
          const setToRead = { game, set, state: states.get(set.id), force: request.force === true }
          const { delivery, bad } = await readSet(deps, setToRead)
          countRejected(deps, report, `${game.slug}/${set.id}`, bad)
          staging.put(delivery)
        }
        staged.add(set.id)
      },
    )
    progress.silent = failed === undefined || isFormatError(failed) ? 0 : progress.silent + 1
    if (progress.silent >= FAILURES_IN_ROW_MAX) {
      const reason = `${FAILURES_IN_ROW_MAX} sets in a row could not be read, so the run stopped. The next run continues.`
      report.failures.push({ game: game.slug, reason })
      return
    }
    progress.done++
    request.onProgress?.({ done: progress.done, total: progress.total, set: set.name })
  }
}

/** Judges the staged sets of these games, and publishes those that pass. */
async function publish(
  deps: SyncDeps,
  request: SyncRequest,
  plan: Plan,
  games: readonly PlannedGame[],
  report: SyncReport,
): Promise<void> {
  const { catalogWriter, now } = deps
  const { staging, staged, rejected, publishedAt } = plan
  if (request.force !== true) {
    for (const game of games) removeRejected(deps, plan, game, report)
  }
  // Before the publication, which evaluates no alert on a price that could not be refreshed.
  markStale(deps, request, report)
  const complete = games.filter(({ whole, due }) => whole && due.every((set) => staged.has(set.id)))
  const read = games.flatMap(({ due }) => due.map((set) => set.id).filter((id) => staged.has(id)))
  report.games += games.length
  if (read.length === 0 && complete.length === 0) return
  await catalogWriter.loadAlertRules()
  const published = catalogWriter.publish({
    games: games.map(({ game }) => game),
    sets: read.values().map(staging.get),
    completeGames: complete.map(({ game }) => game.id),
    missingSets: complete.flatMap(({ missing }) => missing),
    publishedAt,
    now,
  })
  report.sets_read += published.sets
  report.cards_read += published.cards
  report.prices_changed += published.prices
  report.bad_records += published.orphans
  report.alerts += published.alerts
  report.version = published.version
  for (const { game } of games) if (!rejected.has(game.id)) staging.deleteGame(game.id)
}

/**
 * Removes the sets that fail the sanity checks from the publication. The next run reads rejected sets again. A
 * rejected game is judged by its staged sets: reading all of it every hour would be a burden for the mirror.
 */
function removeRejected(
  { catalogWriter }: SyncDeps,
  { staging, staged, rejected }: Plan,
  { game, due }: PlannedGame,
  report: SyncReport,
): void {
  const read = due.map((set) => set.id).filter((id) => staged.has(id))
  const verdict = judgeGame(catalogWriter, game, read.values().map(staging.get))
  for (const { id, reason } of verdict.sets) {
    report.failures.push({ game: game.slug, set: id, reason })
    staged.delete(id)
  }
  if (verdict.game === undefined) return
  report.failures.push({ game: game.slug, reason: verdict.game })
  rejected.add(game.id)
  for (const id of read) staged.delete(id)
}

function createReport(): SyncReport {
  const read = { games: 0, sets_read: 0, cards_read: 0, prices_changed: 0 }
  const none = { ...read, bad_records: 0, alerts: 0, internal_errors: 0, failures: [] }
  return { outcome: 'failed', published_at: null, ...none }
}

/** A readable mirror with a file in another format is not down. */
function isFormatError({ cause }: Error): boolean {
  return cause instanceof UpstreamFormatError
}

/** Value of `game` in a failure that affects every game. */
export const ALL_GAMES = 'all'

/** A first run over thousands of sets takes an hour, a publication takes seconds. */
const PUBLISH_INTERVAL_MS = 120_000

/** With more remaining sets than this, some twenty seconds, a first game is published early for people who wait. */
const AWAITED_SETS_MIN = 100

/** Returns true if the catalog has no set of the game yet. */
function isNew({ states }: PlannedGame): boolean {
  return states.size === 0
}

/** After this many failures in a row the upstream is considered down. */
const FAILURES_IN_ROW_MAX = 5
