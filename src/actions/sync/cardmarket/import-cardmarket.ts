import type { Log } from '#log.ts'
import { UpstreamError } from '#outbound/marketplace/fetched-file.ts'
import type { SourceFiles } from '#outbound/marketplace/source-files.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import { findGuideProblem } from '#rules/sync/cardmarket/file-problems.ts'
import {
  CARDMARKET,
  CARDMARKET_GAMES,
  PRODUCT_LISTS,
  priceGuidePath,
  productListPath,
} from '#rules/sync/cardmarket/files.ts'
import { isImportDue } from '#rules/sync/cardmarket/import-schedule.ts'
import { findPriceProblem } from '#rules/sync/sanity-checks.ts'
import type { SourcePrice } from '#store/catalog/sources/source-price-writer.ts'
import type { GameState } from '#store/catalog/sync-log.ts'
import { openStagedFiles, type StagedFiles } from '#store/files/staged-files.ts'
import type { CatalogWriter } from '#store/open-catalog-writer.ts'
import { countRejected, isolateFailure, type SyncFindings } from '../sync-findings.ts'
import { fetchStaged } from './fetch-staged.ts'
import { type MatchedGame, matchGame } from './match-game.ts'
import { type PriceGuide, priceCards, readGuide } from './price-game.ts'
import { readProducts } from './read-products.ts'

export type ImportDeps = {
  dataDir: string
  catalogWriter: CatalogWriter
  files: SourceFiles
  log: Log
  now: () => Date
}

/** Games to import; by default all games in the catalog that Cardmarket has. */
export type ImportRequest = {
  /** Only this game, by slug. */
  game?: string
  /** Only games that are due, as the schedule requests. */
  due?: true
  /** Fetch everything again, and skip the sanity checks. */
  force?: boolean
  onProgress?: (progress: { done: number; total: number; game: string }) => void
}

export type SourceReport = SyncFindings & {
  outcome: 'complete' | 'incomplete' | 'failed'
  /** Games that were read. */
  games: number
  /** Number of listed products, and of products with a card. */
  products: number
  matched: number
  /** Number of published prices, and of changed ones. */
  prices: number
  prices_changed: number
  /** Undefined if nothing was published. */
  version?: number
}

/** Game of Cardmarket, and its games in the catalog. */
type ImportedGame = { id: number; slug: string; categories: number[]; games: GameState[] }

/**
 * Imports Cardmarket's product lists and price guides, game by game: fetches what has changed, matches the products
 * with cards, checks the prices and publishes them. After any failure, the old prices stay complete, but count as
 * stale.
 *
 * @throws ServiceError NOT_FOUND if the catalog or Cardmarket does not have the game; or any internal error
 */
export async function importCardmarket(
  deps: ImportDeps,
  request: ImportRequest,
): Promise<SourceReport> {
  const report = createReport()
  const due = listDueGames(deps, request)
  const staged = openStagedFiles(deps.dataDir, CARDMARKET.source)
  for (const [index, game] of due.entries()) {
    request.onProgress?.({ done: index, total: due.length, game: game.slug })
    try {
      const failed = await isolateFailure(deps, report, { game: game.slug }, () =>
        importGame({ ...deps, staged }, game, request, report),
      )
      if (failed !== undefined) markFailed(deps, game.games, failed)
    } catch (error) {
      markFailed(deps, game.games, error)
      throw error
    }
  }
  const failed = new Set(report.failures.map(({ game }) => game)).size
  if (failed === 0) report.outcome = 'complete'
  else if (failed < due.length) report.outcome = 'incomplete'
  for (const failure of report.failures) deps.log.warn('import could not read', failure)
  return report
}

function listDueGames({ catalogWriter, now }: ImportDeps, request: ImportRequest): ImportedGame[] {
  const games = catalogWriter.syncLog.listGames()
  const known = CARDMARKET_GAMES.flatMap(({ id, categories }) => {
    const own = games.filter((game) => categories.includes(game.id))
    const [first] = own
    if (first === undefined) return []
    return [{ id, slug: first.slug, categories: own.map((game) => game.id), games: own }]
  })
  const chosen = known.filter(({ games }) => {
    return request.game === undefined || games.some(({ slug }) => slug === request.game)
  })
  if (chosen.length === 0 && request.game !== undefined) {
    const message = `Cardmarket has no game for "${request.game}", or the catalog does not have it. Use a slug of /v1/games.`
    throw new ServiceError('NOT_FOUND', message)
  }
  if (request.due === undefined) return chosen
  const states = new Map(
    catalogWriter.sources.list(CARDMARKET.source).map((state) => [state.game_id, state]),
  )
  return chosen.filter(({ categories }) =>
    categories.some((id) => {
      const state = states.get(id)
      const isFailed = state?.failure != null
      return isFailed || isImportDue(state?.synced_at ?? null, now())
    }),
  )
}

function markFailed(
  { catalogWriter, now }: ImportDeps,
  games: readonly GameState[],
  error: unknown,
): void {
  for (const { id } of games) {
    catalogWriter.sources.markFailed(CARDMARKET.source, id, errorMessage(error), now())
  }
}

type GameDeps = ImportDeps & { staged: StagedFiles }

async function importGame(
  deps: GameDeps,
  game: ImportedGame,
  { force = false }: ImportRequest,
  report: SourceReport,
): Promise<void> {
  const { catalogWriter, staged, now } = deps
  const stored = catalogWriter.sourceProducts.list(CARDMARKET.source, game.id)
  const read = await readProducts(deps, game, stored, force)
  countRejected(deps, report, `${game.slug} products`, read.rejected)
  const matched = matchGame(deps, game, read, stored)
  report.games++
  report.products += read.products.length
  report.matched += [...matched.matches.values()].filter(({ card_id }) => card_id !== null).length
  staged.delete(PRODUCT_LISTS.map((kind) => productListPath(kind, game.id)))
  const path = priceGuidePath(game.id)
  const file = await fetchStaged(deps, path, force || matched.isChanged)
  if (file === undefined) {
    for (const { id } of game.games) catalogWriter.sources.markFresh(CARDMARKET.source, id, now())
    return
  }
  const guide = await readGuide({ path, file })
  countRejected(deps, report, `${game.slug} prices`, guide.rejected)
  if (!force) checkGuide(deps, game, guide, read.products)
  await catalogWriter.loadAlertRules()
  publishGuide(deps, game, { guide, matched, path }, { force, report })
}

/** @throws UpstreamError if the guide belongs to another game or is too old */
function checkGuide(
  { catalogWriter, now }: GameDeps,
  { id, slug, categories }: ImportedGame,
  { createdAt, rows }: PriceGuide,
  products: readonly { id: number }[],
): void {
  const listed = new Set(products.map((product) => product.id))
  const published = catalogWriter.sources
    .list(CARDMARKET.source)
    .filter(({ game_id }) => categories.includes(game_id))
    .flatMap(({ published_at }) => published_at ?? [])
  const facts = {
    slug,
    created_at: createdAt,
    products: listed.size,
    rows: rows.length,
    rows_known: rows.filter(({ product_id }) => listed.has(product_id)).length,
    newest_at: published.length === 0 ? null : new Date(Math.max(...published) * 1000),
  }
  const problem = findGuideProblem(facts, now())
  if (problem !== undefined) throw new UpstreamError(priceGuidePath(id), problem)
}

type CheckedGuide = { guide: PriceGuide; matched: MatchedGame; path: string }

/**
 * Publishes the prices of each game in the catalog that pass the checks. The file is read again until all of them do.
 */
function publishGuide(
  deps: GameDeps,
  { games, slug }: ImportedGame,
  { guide, matched, path }: CheckedGuide,
  { force, report }: { force: boolean; report: SourceReport },
): void {
  const { catalogWriter, staged, now } = deps
  const prices = priceCards(guide.rows, matched)
  const refused = games.filter((game) => {
    const gamePrices = prices.get(game.id) ?? []
    const problem = force ? undefined : findImplausiblePrices(catalogWriter, game, gamePrices)
    if (problem === undefined) {
      publishPrices(deps, game, gamePrices, { createdAt: guide.createdAt, report })
      return false
    }
    report.failures.push({ game: slug, reason: problem })
    catalogWriter.sources.markFailed(CARDMARKET.source, game.id, problem, now())
    return true
  })
  const validator = staged.get(path)
  if (refused.length > 0 || validator === undefined) return
  catalogWriter.syncLog.putFile(path, validator)
  staged.delete([path])
}

/** Compares prices with the published ones. Returns the reason not to publish them; undefined if they are plausible. */
function findImplausiblePrices(
  { sources }: CatalogWriter,
  { id, slug }: GameState,
  prices: readonly SourcePrice[],
): string | undefined {
  const { source } = CARDMARKET
  const shifts = sources.compare({ source, game_id: id, prices })
  const { known } = shifts
  return findPriceProblem({ slug, source, cards: known, prices: known, shifts })
}

function publishPrices(
  { catalogWriter, now }: GameDeps,
  { id }: GameState,
  prices: readonly SourcePrice[],
  { createdAt, report }: { createdAt: Date; report: SourceReport },
): void {
  const { source } = CARDMARKET
  const batch = { source, game_id: id, prices, publishedAt: createdAt, now: now() }
  const published = catalogWriter.sources.publish(batch)
  report.prices += published.prices
  report.prices_changed += published.changed
  report.version = published.version
}

function createReport(): SourceReport {
  const read = { games: 0, products: 0, matched: 0, prices: 0, prices_changed: 0 }
  return { outcome: 'failed', ...read, bad_records: 0, internal_errors: 0, failures: [] }
}
