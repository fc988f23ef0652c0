import type { Log } from '#log.ts'
import { type Marketplace, UpstreamError } from '#outbound/marketplace/marketplace.ts'
import type {
  ParsedRecords,
  RejectedRecord,
  UpstreamGame,
  UpstreamSet,
} from '#rules/catalog/catalog-records.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-error-code.ts'
import { isRefreshDue } from '#rules/sync/refresh-schedule.ts'
import { findGameProblem, findPriceProblem } from '#rules/sync/sanity-checks.ts'
import { parseGamesFile, parseSetsFile } from '#rules/sync/upstream.ts'
import type { SetState } from '#store/catalog/sync-log.ts'
import { openStaging, type Staging } from '#store/files/staging.ts'
import type { CatalogWriter } from '#store/index.ts'
import { readSet } from './read-set.ts'

export type SyncDeps = {
  dataDir: string
  catalogWriter: CatalogWriter
  marketplace: Marketplace
  log: Log
  now: () => Date
}

export type SyncRequest = {
  /** Only this game, by slug. */
  game?: string
  /** Only this set. */
  set?: number
  /** Only games that are due by their priority, as the schedule requests. */
  due?: true
  /** Fetch everything again, and skip the sanity checks. */
  force?: boolean
  onProgress?: (syncProgress: SyncProgress) => void
}

export type SyncProgress = { done: number; total: number; set: string }

export type SyncReport = {
  outcome: 'complete' | 'incomplete' | 'failed'
  published_at: string | null
  games: number
  sets_read: number
  cards_read: number
  prices_changed: number
  /** Records that were skipped. */
  bad_records: number
  /** Price alerts of the published prices. */
  alerts: number
  /** Parts of the request that failed. */
  failures: { game: string; set?: number; reason: string }[]
  /** Undefined if nothing was published. */
  version?: number
}

/**
 * Updates the catalog: plans which sets have new data, reads and stages them one by one, and publishes the
 * staged sets in one transaction. A long run also publishes between games. After any failure the old data
 * stays complete, and the next run continues with the staged sets.
 */
export async function syncCatalog(deps: SyncDeps, request: SyncRequest): Promise<SyncReport> {
  const { catalogWriter, marketplace, now } = deps
  const run = catalogWriter.syncLog.start(now())
  const report = createReport()
  let publishedAt: Date | undefined
  try {
    publishedAt = await marketplace.fetchPublishTime()
    report.published_at = publishedAt.toISOString()
    const plan = await planSync(deps, request, publishedAt, report)
    await readAndPublish(deps, request, plan, report)
    report.outcome = report.failures.length === 0 ? 'complete' : 'incomplete'
  } catch (error) {
    if (!(error instanceof UpstreamError) && !(error instanceof ServiceError)) throw error
    report.failures.push({ game: request.game ?? ALL_GAMES, reason: error.message })
    // A request for an unknown game or set does not make data stale.
    if (error instanceof ServiceError) return finish(deps, run, report, publishedAt)
  }
  for (const game of catalogWriter.syncLog.listGames()) {
    const names = [game.slug, ALL_GAMES]
    if (report.failures.some((failure) => names.includes(failure.game)))
      catalogWriter.syncLog.markStale(game.id, now())
  }
  return finish(deps, run, report, publishedAt)
}

function finish(
  { catalogWriter, now, log }: SyncDeps,
  run: number,
  report: SyncReport,
  publishedAt: Date | undefined,
): SyncReport {
  catalogWriter.syncLog.finish(run, now(), report.outcome, publishedAt, report)
  for (const failure of report.failures) log.warn('sync could not read', failure)
  return report
}

type PlannedGame = {
  game: UpstreamGame
  /** Sets that may have new data. */
  due: UpstreamSet[]
  states: Map<number, SetState>
  missing: number[]
  /** The game is complete once all of `due` was read. */
  whole: boolean
}

type Plan = { publishedAt: Date; staging: Staging; games: PlannedGame[]; staged: Set<number> }

async function planSync(
  deps: SyncDeps,
  request: SyncRequest,
  publishedAt: Date,
  report: SyncReport,
): Promise<Plan> {
  const { catalogWriter, marketplace, now } = deps
  const path = marketplace.gamesPath()
  const { records, rejected } = await fetchList(marketplace, path, parseGamesFile)
  if (records.length === 0) throw new UpstreamError(path, 'it lists no readable game.')
  for (const { id, reason } of rejected) report.failures.push({ game: id, reason })
  const known = new Map(catalogWriter.syncLog.listGames().map((game) => [game.id, game]))
  countRejected(deps, report, 'games', rejected)
  const wanted = records.filter((game) => {
    const state = known.get(game.id)
    if (request.game !== undefined) return request.game === (state?.slug ?? game.slug)
    if (request.set !== undefined)
      return catalogWriter.syncLog.getGameOfSet(request.set) === game.id
    if (request.due === undefined) return true
    const last_synced_at = state?.last_synced_at ?? null
    const { priority } = game
    return isRefreshDue({ priority, last_synced_at }, now())
  })
  if (wanted.length === 0 && (request.game !== undefined || request.set !== undefined)) {
    throw new ServiceError('NOT_FOUND', unknownRequest(request))
  }
  const games: PlannedGame[] = []
  for (const game of wanted) {
    const upToDate = known.get(game.id)?.published_at === publishedAt.toISOString()
    if (upToDate && request.force !== true && request.set === undefined) {
      catalogWriter.syncLog.markFresh(game.id)
      continue
    }
    const slug = known.get(game.id)?.slug ?? game.slug
    await isolateFailure(report, { game: slug }, async () => {
      games.push(await planGame(deps, request, { ...game, slug }, publishedAt, report))
    })
  }
  return { publishedAt, staging: openStaging(deps.dataDir, publishedAt), games, staged: new Set() }
}

async function planGame(
  deps: SyncDeps,
  request: SyncRequest,
  game: UpstreamGame,
  publishedAt: Date,
  report: SyncReport,
): Promise<PlannedGame> {
  const { catalogWriter, marketplace } = deps
  const path = marketplace.setsPath(game.id)
  const { records, rejected } = await fetchList(marketplace, path, (text) =>
    parseSetsFile(text, game.id),
  )
  countRejected(deps, report, game.slug, rejected)
  const states = new Map(catalogWriter.syncLog.listSets(game.id).map((set) => [set.id, set]))
  const listed = new Set(records.map((set) => set.id))
  const foreign = records.filter(({ id }) => {
    return (catalogWriter.syncLog.getGameOfSet(id) ?? game.id) !== game.id
  })
  const refusal = findGameProblem({
    slug: game.slug,
    sets_before: states.size,
    sets_kept: [...states.keys()].filter((id) => listed.has(id)).length,
    ids: records.length,
    ids_foreign: foreign.length,
  })
  if (refusal !== undefined && request.force !== true) throw new UpstreamError(game.slug, refusal)
  const stamp = Math.floor(publishedAt.getTime() / 1000)
  const whole = request.set === undefined
  const asked = records.filter((set) => whole || request.set === set.id)
  if (asked.length === 0 && !whole) throw new ServiceError('NOT_FOUND', unknownRequest(request))
  const isDue = ({ id }: UpstreamSet) => (states.get(id)?.priced_at ?? -1) < stamp
  const due = asked.filter((set) => request.force === true || isDue(set))
  const missing = whole ? [...states.keys()].filter((id) => !listed.has(id)) : []
  return { game, states, due, missing, whole }
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
    if (performance.now() - publishedLast < PUBLISH_INTERVAL_MS) continue
    publish(deps, plan, pending, report)
    publishedLast = performance.now()
    pending = []
  }
  publish(deps, plan, pending, report)
  plan.staging.close()
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
    'the mirror published new prices while they were read, so they were not published here. The next run reads them.',
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
  const prices = { prices_before: 0, prices_lost: 0 }
  for (const set of due) {
    const failed = await isolateFailure(report, { game: game.slug, set: set.id }, async () => {
      if (request.force === true || !staging.has(set.id)) {
        const asked = { game, set, state: states.get(set.id), force: request.force === true }
        const { delivery, bad, facts } = await readSet(deps, asked)
        prices.prices_before += facts.prices_before
        prices.prices_lost += facts.prices_lost
        countRejected(deps, report, `${game.slug}/${set.id}`, bad)
        staging.put(delivery)
      }
      staged.add(set.id)
    })
    progress.silent = failed?.name === 'UpstreamError' ? progress.silent + 1 : 0
    if (progress.silent >= FAILURES_IN_ROW_MAX) {
      const reason = `${FAILURES_IN_ROW_MAX} sets in a row could not be read, so the run stopped. The next run continues.`
      report.failures.push({ game: game.slug, reason })
      return
    }
    progress.done++
    request.onProgress?.({ done: progress.done, total: progress.total, set: set.name })
  }
  const refusal = request.force === true ? undefined : findPriceProblem(game.slug, prices)
  if (refusal === undefined) return
  report.failures.push({ game: game.slug, reason: refusal })
  staging.deleteGame(game.id)
  for (const set of due) staged.delete(set.id)
}

/** Publishes the staged sets of these games. */
function publish(
  { catalogWriter, now }: SyncDeps,
  { staging, staged, publishedAt }: Plan,
  games: readonly PlannedGame[],
  report: SyncReport,
): void {
  const complete = games.filter(({ whole, due }) => whole && due.every((set) => staged.has(set.id)))
  const read = games.flatMap(({ due }) => due.map((set) => set.id).filter((id) => staged.has(id)))
  report.games += games.length
  if (read.length === 0 && complete.length === 0) return
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
  for (const { game } of games) staging.deleteGame(game.id)
}

/** Runs one part of the sync; an error of the upstream fails that part only. */
async function isolateFailure(
  report: SyncReport,
  part: { game: string; set?: number },
  action: () => Promise<void>,
): Promise<Error | undefined> {
  try {
    await action()
    return undefined
  } catch (error) {
    if (!(error instanceof Error) || error instanceof ServiceError) throw error
    report.failures.push({ ...part, reason: error.message })
    return error
  }
}

/** Fetches and parses a list on which the rest of the run depends. */
async function fetchList<T>(
  marketplace: Marketplace,
  path: string,
  read: (text: string) => ParsedRecords<T>,
): Promise<ParsedRecords<T>> {
  const fetched = await marketplace.fetchFile(path)
  if (fetched.status !== 'fresh') throw new UpstreamError(path, 'the file does not exist.')
  try {
    return read(fetched.text)
  } catch (cause) {
    throw new UpstreamError(path, errorMessage(cause), { cause })
  }
}

function countRejected(
  { log }: SyncDeps,
  report: SyncReport,
  of: string,
  bad: readonly RejectedRecord[],
) {
  report.bad_records += bad.length
  for (const { id, reason } of bad) log.warn('skipped bad record', { of, id, reason })
}

function unknownRequest({ game, set }: SyncRequest): string {
  return set === undefined
    ? `The upstream has no game with the slug "${game}".`
    : `Set ${set} is unknown. To add a new set, sync its game: --game SLUG.`
}

function createReport(): SyncReport {
  const read = { games: 0, sets_read: 0, cards_read: 0, prices_changed: 0 }
  const none = { ...read, bad_records: 0, alerts: 0, failures: [] }
  return { outcome: 'failed', published_at: null, ...none }
}

/** Value of `game` in a failure that affects every game. */
export const ALL_GAMES = 'all'

/** A first run over thousands of sets takes an hour, a publication takes seconds. */
const PUBLISH_INTERVAL_MS = 120_000

/** After this many failures in a row the upstream is considered down. */
const FAILURES_IN_ROW_MAX = 5
