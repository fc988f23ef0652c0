import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import { type CatalogWriterDeps, openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { PublicationBatch, SetBatch } from '#store/catalog/catalog-writer.ts'
import { openDatabase } from '#store/db.ts'
import { adoptFile } from '#store/files/installation.ts'
import { countSealed, createCardGenerator } from './cards.ts'
import { type PlannedGame, planCatalog, type SeedRequest } from './catalog-plan.ts'
import { writeHistory } from './history.ts'
import { createNameGenerator } from './names.ts'
import { createPriceGenerator } from './prices.ts'

export type SeedOptions = SeedRequest & {
  /** Replaces an existing catalog. */
  force: boolean
  onProgress(done: number, total: number, what: string): void
}

export type SeedReport = {
  cards: number
  sets: number
  games: number
  printings: number
  /** Number of points of all series, without those of the last day. */
  points: number
  series: number
  version: number
}

/**
 * Fills the data folder with an invented catalog, in the same way as a real one: its history is imported first, then
 * its last day is published as by a sync. So the service itself computes prices, changes, texts, search, movers and
 * counts.
 *
 * @throws ServiceError when the folder has a catalog, or another process writes it
 */
export async function seedCatalog(config: Config, options: SeedOptions): Promise<SeedReport> {
  const deps = await openEmpty(config, options.force)
  try {
    const games = planCatalog(options)
    const sets = games.reduce((sum, game) => sum + game.sets.length, 0)
    const history = importDays(config, games, options, sets)
    await deps.catalogWriter.loadAlertRules()
    const published = deps.catalogWriter.publish(createLastDay(games, options, sets))
    logRun(deps, options)
    settle(config)
    return {
      cards: published.cards,
      sets: published.sets,
      games: games.length,
      printings: published.prices,
      points: history.points,
      series: history.series,
      version: published.version,
    }
  } finally {
    deps.close()
  }
}

/** Opens the catalog of a folder without one for writing, which locks out all other writers. */
async function openEmpty(config: Config, force: boolean): Promise<CatalogWriterDeps> {
  const deps = await openCatalogWriterDeps(config)
  if (deps.catalogWriter.syncLog.listGames().length === 0) return deps
  deps.close()
  if (!force) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      `${config.dataDir} already has a catalog. Set another DATA_DIR, or replace it with --force.`,
    )
  }
  for (const end of ['', '-wal', '-shm']) rmSync(catalogFile(config) + end, { force: true })
  adoptFile(config.dataDir, 'catalog.db')
  return openCatalogWriterDeps(config)
}

function importDays(
  config: Config,
  games: readonly PlannedGame[],
  options: SeedOptions,
  total: number,
) {
  const db = openDatabase(catalogFile(config), { cacheKib: 131_072 })
  try {
    let done = 0
    return writeHistory(db, games, options, () => options.onProgress(++done, total, 'history'))
  } finally {
    db.close()
  }
}

function createLastDay(
  games: readonly PlannedGame[],
  options: SeedOptions,
  total: number,
): PublicationBatch {
  return {
    games: games.map(({ style: _, sets: __, ...game }) => game),
    sets: deliveries(games, options, total),
    completeGames: games.map((game) => game.id),
    missingSets: [],
    publishedAt: publishTime(options.lastDay),
    now: () => runTime(options.lastDay),
  }
}

function* deliveries(
  games: readonly PlannedGame[],
  options: SeedOptions,
  total: number,
): Generator<SetBatch> {
  const cards = createCardGenerator(options.seed, createNameGenerator(options.seed))
  const prices = createPriceGenerator(options)
  let done = 0
  for (const { sets, ...game } of games) {
    for (const planned of sets) {
      const { firstCard, cards: size, releaseDay, ...set } = planned
      const firstSealed = firstCard + size - countSealed(planned)
      const ofSet = cards.ofSet({ ...game, sets }, planned)
      const rows = ofSet.flatMap(({ id }) => {
        const card = { id, isSealed: id >= firstSealed, releaseDay, style: game.style }
        return [...prices.ofCard(card)].map(({ price }) => price)
      })
      yield {
        set,
        products_read: true,
        cards: ofSet,
        prices: rows,
        unreadable: { cards: [], prices: [] },
        files: [],
      }
      options.onProgress(++done, total, done === total ? 'search and movers' : 'last day')
    }
  }
}

/** Logs the run that a sync of that day would have logged. */
function logRun({ catalogWriter }: CatalogWriterDeps, { lastDay }: SeedOptions): void {
  const time = runTime(lastDay)
  const run = catalogWriter.syncLog.start(time)
  catalogWriter.syncLog.finish(run, time, 'complete', publishTime(lastDay), { seeded: true })
}

/** Moves the write-ahead log into the file, so that the next measurement does not include it. */
function settle(config: Config): void {
  const db = openDatabase(catalogFile(config))
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

// Mirrors publish at about this time of the day, and a sync follows.
function publishTime(day: number): Date {
  return new Date(day * 86_400_000 + 20 * 3_600_000 + 5 * 60_000)
}

function runTime(day: number): Date {
  return new Date(publishTime(day).getTime() + 30 * 60_000)
}

function catalogFile(config: Config): string {
  return join(config.dataDir, 'catalog.db')
}
