import { UpstreamError } from '#outbound/marketplace/fetched-file.ts'
import { UpstreamFormatError } from '#rules/sync/upstream-shapes.ts'
import type { Staging } from '#store/files/staging.ts'
import { type GameCheck, openGameCheck } from './check-game.ts'
import type { MirrorDeps, PlannedGame, SyncScope } from './plan-sync.ts'
import { readSet } from './read-set.ts'
import { countRejected, isolateFailure, markStale, type SyncFindings } from './sync-findings.ts'

export type SyncRequest = SyncScope & {
  onProgress?: (syncProgress: SyncProgress) => void
}

type SyncProgress = { done: number; total: number; set: string }

/** Totals of a run's publications. */
export type PublishedCounts = {
  games: number
  sets_read: number
  cards_read: number
  prices_changed: number
  /** Price alerts caused by the published prices. */
  alerts: number
  /** Undefined if nothing was published. */
  version?: number
}

type RunReport = SyncFindings & PublishedCounts

/** Games to read, and the staging area of their sets. */
type Plan = {
  publishedAt: Date
  staging: Staging
  games: readonly PlannedGame[]
}

/** A plan in progress. */
type Publication = Plan & {
  /** Ids of the sets that are ready to be published. */
  staged: Set<number>
  /** Sanity checks of the staged sets by game; none if the run skips them. */
  checks: Map<number, GameCheck>
  /** Ids of games that failed the sanity checks. They stay staged until the mirror publishes again. */
  rejected: Set<number>
}

/** Reads the sets of planned games one by one, and publishes the games together or, in a long run, in parts. */
export async function publishGames(
  deps: MirrorDeps,
  request: SyncRequest,
  plan: Plan,
  report: RunReport,
): Promise<void> {
  const publication = {
    ...plan,
    staged: new Set<number>(),
    checks: new Map<number, GameCheck>(),
    rejected: new Set<number>(),
  }
  const total = plan.games.reduce((sum, game) => sum + game.due.length, 0)
  const progress = { done: 0, total, silent: 0 }
  let pending: PlannedGame[] = []
  let publishedLast = performance.now()
  for (const game of plan.games) {
    pending.push(game)
    await stageGame(deps, request, publication, game, report, progress)
    if (progress.silent >= FAILURES_IN_ROW_MAX) break
    if (game.due.length > 0) await checkStillPublished(deps, plan)
    const isAwaited =
      report.games === 0 && isNew(game) && progress.total - progress.done > AWAITED_SETS_MIN
    if (!isAwaited && performance.now() - publishedLast < PUBLISH_INTERVAL_MS) continue
    await publish(deps, request, publication, pending, report)
    publishedLast = performance.now()
    pending = []
  }
  await publish(deps, request, publication, pending, report)
  if (publication.rejected.size === 0) plan.staging.close()
}

/**
 * Checks that the mirror has not published again since the run began. Its files are replaced one by one, so a
 * set could combine the cards of one day with the prices of the next.
 *
 * @throws UpstreamError if it has
 */
async function checkStillPublished(
  { marketplace }: MirrorDeps,
  { publishedAt }: Plan,
): Promise<void> {
  const latest = await marketplace.fetchPublishTime()
  if (latest.getTime() === publishedAt.getTime()) return
  throw new UpstreamError(
    'last-updated.txt',
    'the mirror published new prices during the run, so nothing was published here. The next run reads the new prices.',
  )
}

/** Stages and checks a game's due sets. A set that cannot be read does not affect the others. */
async function stageGame(
  deps: MirrorDeps,
  request: SyncRequest,
  { staging, staged, checks }: Publication,
  { game, due, states }: PlannedGame,
  report: RunReport,
  progress: { done: number; total: number; silent: number },
): Promise<void> {
  const force = request.force === true
  const check = openGameCheck(deps.catalogWriter, game)
  if (!force) checks.set(game.id, check)
  for (const set of due) {
    const failed = await isolateFailure(
      deps,
      report,
      { game: game.slug, set: set.id },
      async () => {
        if (force || !staging.has(set.id)) {
          const { delivery, bad } = await readSet(deps, {
            game,
            set,
            state: states.get(set.id),
            force,
          })
          countRejected(deps, report, `${game.slug}/${set.id}`, bad)
          staging.put(delivery)
          if (!force) check.add(delivery)
        } else check.add(staging.get(set.id))
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

/** Publishes the staged sets of these games that pass their checks. */
async function publish(
  deps: MirrorDeps,
  request: SyncRequest,
  publication: Publication,
  games: readonly PlannedGame[],
  report: RunReport,
): Promise<void> {
  const { catalogWriter, now } = deps
  const { staging, staged, rejected, publishedAt } = publication
  // Reading leaves garbage that would raise the peak of the publication by up to 50 MB.
  Bun.gc(true)
  for (const game of games) removeRejected(publication, game, report)
  // Before the publication, so that it evaluates no alerts on prices that could not be refreshed.
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
 * Removes sets that fail the sanity checks from the publication. The next run reads rejected sets again. A rejected
 * game is checked by its staged sets, because reading all of it every hour would be a burden for the mirror.
 */
function removeRejected(
  { checks, staged, rejected }: Publication,
  { game, due }: PlannedGame,
  report: RunReport,
): void {
  const verdict = checks.get(game.id)?.getVerdict()
  if (verdict === undefined) return
  for (const { id, reason } of verdict.sets) {
    report.failures.push({ game: game.slug, set: id, reason })
    staged.delete(id)
  }
  if (verdict.game === undefined) return
  report.failures.push({ game: game.slug, reason: verdict.game })
  rejected.add(game.id)
  for (const { id } of due) staged.delete(id)
}

/** A readable mirror with a file in another format is not down. */
function isFormatError({ cause }: Error): boolean {
  return cause instanceof UpstreamFormatError
}

/** The first run over thousands of sets takes an hour, a publication only seconds. */
const PUBLISH_INTERVAL_MS = 120_000

/**
 * If more sets than this remain (some twenty seconds), the first game is published early for people who are waiting.
 */
const AWAITED_SETS_MIN = 100

/** Returns true if the catalog has no set of the game yet. */
function isNew({ states }: PlannedGame): boolean {
  return states.size === 0
}

/** After this many consecutive failures, the upstream is considered down. */
const FAILURES_IN_ROW_MAX = 5
