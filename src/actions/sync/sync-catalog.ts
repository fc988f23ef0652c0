import type { Log } from '#log.ts'
import type { Marketplace } from '#outbound/marketplace/marketplace.ts'
import { UpstreamError } from '#outbound/marketplace/marketplace.ts'
import type {
  ParsedRecords,
  RejectedRecord,
  UpstreamGame,
  UpstreamSet,
} from '#rules/catalog/catalog-records.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
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
  /** Only games of these priorities whose turn it is: what the timetable asks for. */
  due?: readonly number[]
  /** Fetch everything again, and accept what the guards would refuse. */
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
  /** Records and rows that were left out, by the set they came from. */
  bad_records: number
  /** Watches that have something to tell of their price. */
  alerts: number
  /** What of the request is not in, and why. */
  failures: { game: string; set?: number; reason: string }[]
  /** Undefined: nothing was new, so nothing was published. */
  version?: number
}

/**
 * Brings the catalog up to date: plans which sets have something new, reads and stages them one by
 * one, and publishes what is staged in one transaction: at the end, and after a game where the last
 * publication was a while ago, so that a long first run soon has something to show. Whatever goes
 * wrong, the old data stays whole, and the next run goes on from what was staged.
 */
export async function syncCatalog(deps: SyncDeps, request: SyncRequest): Promise<SyncReport> {
  const { catalogWriter, marketplace, now } = deps
  const run = catalogWriter.syncLog.start(now())
  const report = emptyReport()
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
    // A request for what does not exist says nothing of how fresh the data is.
    if (error instanceof ServiceError) return finish(deps, run, report, publishedAt)
  }
  for (const game of catalogWriter.syncLog.listGames()) {
    const failed = report.failures.some(
      ({ game: slug }) => slug === game.slug || slug === ALL_GAMES,
    )
    if (failed) catalogWriter.syncLog.markStale(game.id, now())
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
  /** Sets of which something newer than what is in may be there. */
  due: UpstreamSet[]
  states: Map<number, SetState>
  missing: number[]
  /** Whether a run that reads all of `due` has everything of the game in. */
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
  const { records, rejected } = await listAt(marketplace, path, parseGamesFile)
  if (records.length === 0) throw new UpstreamError(path, 'it lists no game that can be read.')
  for (const { id, reason } of rejected) report.failures.push({ game: id, reason })
  const known = new Map(catalogWriter.syncLog.listGames().map((game) => [game.id, game]))
  countBad(deps, report, 'games', rejected)
  const wanted = records.filter((game) => {
    const state = known.get(game.id)
    if (request.game !== undefined) return request.game === (state?.slug ?? game.slug)
    if (request.set !== undefined)
      return catalogWriter.syncLog.getGameOfSet(request.set) === game.id
    if (request.due === undefined) return true
    return (
      request.due.includes(game.priority) &&
      isRefreshDue(
        { priority: game.priority, last_synced_at: state?.last_synced_at ?? null },
        now(),
      )
    )
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
    await failingAlone(report, { game: slug }, async () => {
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
  const { records, rejected } = await listAt(marketplace, path, (text) =>
    parseSetsFile(text, game.id),
  )
  countBad(deps, report, game.slug, rejected)
  const states = new Map(catalogWriter.syncLog.listSets(game.id).map((set) => [set.id, set]))
  const listed = new Set(records.map((set) => set.id))
  const refusal = findGameProblem({
    slug: game.slug,
    sets_before: states.size,
    sets_kept: [...states.keys()].filter((id) => listed.has(id)).length,
    ids: records.length,
    ids_foreign: records.filter((set) =>
      isElsewhere(catalogWriter.syncLog.getGameOfSet(set.id), game.id),
    ).length,
  })
  if (refusal !== undefined && request.force !== true) throw new UpstreamError(game.slug, refusal)
  const stamp = Math.floor(publishedAt.getTime() / 1000)
  const asked = records.filter((set) => request.set === undefined || request.set === set.id)
  if (asked.length === 0 && request.set !== undefined) {
    throw new ServiceError('NOT_FOUND', unknownRequest(request))
  }
  return {
    game,
    states,
    due: asked.filter(
      (set) => request.force === true || (states.get(set.id)?.priced_at ?? -1) < stamp,
    ),
    missing: request.set === undefined ? [...states.keys()].filter((id) => !listed.has(id)) : [],
    whole: request.set === undefined,
  }
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
    if (progress.silent >= SILENCE_MAX) break
    if (performance.now() - publishedLast < PUBLISH_EVERY_MS) continue
    publish(deps, plan, pending, report)
    publishedLast = performance.now()
    pending = []
  }
  publish(deps, plan, pending, report)
  plan.staging.close()
}

/** Reads a game's due sets into the staging folder; a set that cannot be read fails alone. */
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
    const failed = await failingAlone(report, { game: game.slug, set: set.id }, async () => {
      if (request.force === true || !staging.has(set.id)) {
        const asked = { game, set, state: states.get(set.id), force: request.force === true }
        const { delivery, bad, facts } = await readSet(deps, asked)
        prices.prices_before += facts.prices_before
        prices.prices_lost += facts.prices_lost
        countBad(deps, report, `${game.slug}/${set.id}`, bad)
        staging.put(delivery)
      }
      staged.add(set.id)
    })
    progress.silent = failed?.name === 'UpstreamError' ? progress.silent + 1 : 0
    if (progress.silent >= SILENCE_MAX) {
      const reason = `${SILENCE_MAX} sets in a row could not be read: the run stops, the next one goes on.`
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

/** Publishes what was staged of these games. */
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
    sets: deliveries(staging, read),
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

function* deliveries(staging: Staging, setIds: Iterable<number>) {
  for (const id of setIds) yield staging.get(id)
}

/** Does one part of the run; what the upstream does wrong in it fails that part alone. */
async function failingAlone(
  report: SyncReport,
  part: { game: string; set?: number },
  deed: () => Promise<void>,
): Promise<Error | undefined> {
  try {
    await deed()
    return undefined
  } catch (error) {
    if (!(error instanceof Error) || error instanceof ServiceError) throw error
    report.failures.push({ ...part, reason: error.message })
    return error
  }
}

/** A list that everything else of the run depends on. */
async function listAt<T>(
  marketplace: Marketplace,
  path: string,
  read: (text: string) => ParsedRecords<T>,
): Promise<ParsedRecords<T>> {
  const fetched = await marketplace.fetchFile(path)
  if (fetched.status !== 'fresh') throw new UpstreamError(path, 'the file does not exist.')
  try {
    return read(fetched.text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UpstreamError(path, reason, { cause })
  }
}

function countBad(
  deps: SyncDeps,
  report: SyncReport,
  of: string,
  bad: readonly RejectedRecord[],
): void {
  report.bad_records += bad.length
  for (const { id, reason } of bad) deps.log.warn('bad record left out', { of, id, reason })
}

function isElsewhere(found: number | undefined, gameId: number): boolean {
  return found !== undefined && found !== gameId
}

function unknownRequest({ game, set }: SyncRequest): string {
  return set === undefined
    ? `The upstream has no game with the slug "${game}".`
    : `Set ${set} is not known. For a set that is new, sync its game: --game SLUG.`
}

function emptyReport(): SyncReport {
  return {
    outcome: 'failed',
    published_at: null,
    games: 0,
    sets_read: 0,
    cards_read: 0,
    prices_changed: 0,
    bad_records: 0,
    alerts: 0,
    failures: [],
  }
}

/** Stands in a failure for every game. */
export const ALL_GAMES = 'all'

/** A first run over thousands of sets takes an hour; each publication takes seconds. */
const PUBLISH_EVERY_MS = 120_000

/** An upstream that fails this often in a row is down: asking on would only load it. */
const SILENCE_MAX = 5
