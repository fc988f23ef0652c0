import type { Log } from '#log.ts'
import { UpstreamError } from '#outbound/marketplace/fetched-file.ts'
import type { Marketplace } from '#outbound/marketplace/marketplace.ts'
import type { ParsedRecords, UpstreamGame, UpstreamSet } from '#rules/catalog/catalog-records.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { SAMPLE_GAME_IDS } from '#rules/sync/mirror-address.ts'
import { isRefreshDue } from '#rules/sync/refresh-schedule.ts'
import {
  describeLostGame,
  findBackwardsProblem,
  findGameProblem,
} from '#rules/sync/sanity-checks.ts'
import { parseGamesFile, parseSetsFile } from '#rules/sync/upstream.ts'
import type { GameState, SetState } from '#store/catalog/sync-log.ts'
import type { CatalogWriter } from '#store/open-catalog-writer.ts'
import { parseFile } from './parse-file.ts'
import { countRejected, isolateFailure, type SyncFindings } from './sync-findings.ts'

/** The catalog and its mirror. */
export type MirrorDeps = {
  catalogWriter: CatalogWriter
  marketplace: Marketplace
  log: Log
  now: () => Date
}

/** Part of the catalog to sync; everything by default. */
export type SyncScope = {
  /** Only this game, by slug. */
  game?: string
  /** Only this set. */
  set?: number
  /** Only games due by their priority, as the schedule requests. */
  due?: true
  /** Fetch everything again, and skip the sanity checks. */
  force?: boolean
}

/** A game with new data, and its sets. */
export type PlannedGame = {
  game: UpstreamGame
  /** Sets that may have new data. */
  due: UpstreamSet[]
  states: Map<number, SetState>
  missing: number[]
  /** True if the game is complete once all of `due` was read. */
  whole: boolean
}

/**
 * Plans which games and sets a sync reads, and in which order.
 *
 * @throws UpstreamError if the list of games cannot be read
 * @throws ServiceError NOT_FOUND if there is no such game or set
 */
export async function planSync(
  deps: MirrorDeps,
  request: SyncScope,
  publishedAt: Date,
  findings: SyncFindings,
): Promise<PlannedGame[]> {
  const { catalogWriter, marketplace, now } = deps
  const path = marketplace.gamesPath()
  const { records, rejected } = await fetchList(marketplace, path, parseGamesFile)
  if (records.length === 0) throw new UpstreamError(path, 'it lists no readable game.')
  countRejected(deps, findings, 'games', rejected)
  const known = new Map(catalogWriter.syncLog.listGames().map((game) => [game.id, game]))
  for (const { id, reason } of rejected) {
    findings.failures.push({ game: known.get(Number(id))?.slug ?? id, reason })
  }
  const isWanted = ({ id, slug, priority }: Pick<UpstreamGame, 'id' | 'slug' | 'priority'>) => {
    const state = known.get(id)
    if (request.game !== undefined) return request.game === (state?.slug ?? slug)
    if (request.set !== undefined) return catalogWriter.syncLog.getGameOfSet(request.set) === id
    if (request.due === undefined) return true
    const last_synced_at = state?.last_synced_at ?? null
    return isRefreshDue({ priority, last_synced_at }, now())
  }
  const wanted = records.filter(isWanted)
  // The sample is not in a mirror, so no mirror can have lost it.
  const listed = new Set([
    ...[...records, ...rejected].map(({ id }) => Number(id)),
    ...SAMPLE_GAME_IDS,
  ])
  const lost = [...known.values()].filter((game) => !listed.has(game.id) && isWanted(game))
  if (wanted.length + lost.length === 0 && request.due === undefined) {
    throw new ServiceError('NOT_FOUND', unknownRequest(request))
  }
  reportLostGames(deps, request, lost, findings)
  const games: PlannedGame[] = []
  for (const upstreamGame of wanted) {
    const state = known.get(upstreamGame.id)
    const game = { ...upstreamGame, slug: state?.slug ?? upstreamGame.slug }
    if (isUpToDate(state, publishedAt) && request.force !== true && request.set === undefined) {
      catalogWriter.syncLog.markFresh(game.id)
      continue
    }
    await isolateFailure(deps, findings, { game: game.slug }, async () => {
      if (request.force !== true) checkOrder(deps, game.slug, state, publishedAt)
      games.push(await planGame(deps, request, game, publishedAt, findings))
    })
  }
  return games.toSorted(compareForReading)
}

/**
 * Orders popular games first, and small games before large ones: a first sync publishes each game as soon as it is
 * read.
 */
function compareForReading(a: PlannedGame, b: PlannedGame): number {
  return b.game.priority - a.game.priority || a.due.length - b.due.length
}

/** Returns true if every set of the game has the data of this publication, or if no set has newer data. */
function isUpToDate(state: GameState | undefined, publishedAt: Date): boolean {
  const stamp = toSeconds(publishedAt)
  if (state?.has_unread_products === 1) return false
  const isComplete = state?.published_at === publishedAt.toISOString()
  return isComplete && (state.newest_priced_at ?? stamp) <= stamp
}

/** Converts a publish time to epoch seconds, as sets store it. */
function toSeconds(publishedAt: Date): number {
  return Math.floor(publishedAt.getTime() / 1000)
}

/** Reports games that the upstream no longer lists, or accepts their loss if forced. */
function reportLostGames(
  { catalogWriter, now }: MirrorDeps,
  request: SyncScope,
  lost: readonly GameState[],
  findings: SyncFindings,
): void {
  for (const game of lost) {
    if (request.force === true) catalogWriter.syncLog.markMissing(game.id, now())
    else if (game.missing_since === null) {
      findings.failures.push({ game: game.slug, reason: describeLostGame(game.slug) })
    }
  }
}

/** @throws UpstreamError if the upstream has an older publication than the catalog */
function checkOrder(
  { now }: MirrorDeps,
  slug: string,
  state: GameState | undefined,
  publishedAt: Date,
): void {
  const priced = state?.newest_priced_at ?? null
  const newest_at = priced === null ? null : new Date(priced * 1000)
  const problem = findBackwardsProblem({ slug, newest_at }, publishedAt, now())
  if (problem !== undefined) throw new UpstreamError('last-updated.txt', problem)
}

async function planGame(
  deps: MirrorDeps,
  request: SyncScope,
  game: UpstreamGame,
  publishedAt: Date,
  findings: SyncFindings,
): Promise<PlannedGame> {
  const { catalogWriter, marketplace } = deps
  const path = marketplace.setsPath(game.id)
  const { records, rejected } = await fetchList(marketplace, path, (text) =>
    parseSetsFile(text, game.id),
  )
  countRejected(deps, findings, game.slug, rejected)
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
  const stamp = toSeconds(publishedAt)
  const whole = request.set === undefined
  const chosen = records.filter((set) => whole || request.set === set.id)
  if (chosen.length === 0 && !whole) throw new ServiceError('NOT_FOUND', unknownRequest(request))
  // Tests for "different" instead of "older", because a wrong time that was once accepted must not freeze the set.
  const isDue = ({ id }: UpstreamSet) => {
    const state = states.get(id)
    return state?.priced_at !== stamp || state.products_read_at === 0
  }
  const due = chosen.filter((set) => request.force === true || isDue(set))
  const missing = whole ? [...states.keys()].filter((id) => !listed.has(id)) : []
  return { game, states, due, missing, whole }
}

/** Fetches and parses a list on which the rest of the run depends. */
async function fetchList<T>(
  marketplace: Marketplace,
  path: string,
  read: (text: string) => ParsedRecords<T>,
): Promise<ParsedRecords<T>> {
  const fetched = await marketplace.fetchFile(path)
  if (fetched.status !== 'fresh') throw new UpstreamError(path, 'the file does not exist.')
  return parseFile(path, () => read(fetched.text))
}

function unknownRequest({ game, set }: SyncScope): string {
  return set === undefined
    ? `The upstream has no game with the slug "${game}".`
    : `Set ${set} is unknown. To add a new set, sync its game: --game SLUG.`
}
