import type { Log } from '#log.ts'
import { EVERY_GAME } from '#rules/catalog/names.ts'
import type { BulkFile } from '#rules/pricing/bulk-list.ts'
import type { CatalogCard } from '#store/catalog/card-store.ts'
import type { Publication } from '#store/catalog/publication.ts'
import { openSnapshotWriter, type SnapshotWriter } from '#store/catalog/snapshot.ts'
import { type BulkBuild, type BulkDraft, openBulkBuild } from '#store/files/bulk-build.ts'
import type { Catalog } from '#store/open-catalog.ts'
import { addHistoryFiles } from './add-history-files.ts'
import { bulkFileName, createBulkTables, renderTables } from './bulk-file-tables.ts'

export type BulkDeps = {
  catalog: Pick<Catalog, 'publication' | 'games' | 'sets' | 'cards' | 'historyMonths'>
  dataDir: string
  log: Log
  now: () => Date
}

export type BulkReport = {
  /**
   * `current`: the files were up to date. `elsewhere`: another process or thread is building them. `overtaken`: the
   * catalog changed during every attempt; the next run tries again.
   */
  outcome: 'built' | 'current' | 'elsewhere' | 'overtaken'
  version: number
  files: number
  bytes: number
  ms: number
}

/**
 * Builds the bulk files of a catalog version: cards and prices of each game and of all games, a SQLite file, and the
 * history by month. Rows and months that are unchanged since the previous version are not compressed again. All files
 * become visible together. The catalog is not locked: if it changes during a build, the draft is discarded, so that no
 * file mixes two versions.
 */
export async function buildBulkFiles(deps: BulkDeps): Promise<BulkReport> {
  const begun = deps.now().getTime()
  const build = openBulkBuild(deps.dataDir)
  const { version } = publicationNow(deps)
  const report: BulkReport = { outcome: 'elsewhere', version, files: 0, bytes: 0, ms: 0 }
  if (build === undefined) return report
  try {
    await bringUpToDate(deps, build, report)
    build.removeOthers(report.version)
  } finally {
    build.close()
  }
  report.ms = deps.now().getTime() - begun
  return report
}

/** Builds again if a new version was published during a build. */
async function bringUpToDate(deps: BulkDeps, build: BulkBuild, report: BulkReport): Promise<void> {
  report.outcome = 'current'
  for (let attempt = 1; ; attempt++) {
    const publication = publicationNow(deps)
    report.version = publication.version
    if (build.has(publication)) return
    if (attempt > ATTEMPTS_MAX) break
    const files = await buildVersion(deps, build, publication)
    if (files === undefined) continue
    report.outcome = 'built'
    report.files = files.length
    report.bytes = files.reduce((sum, { size }) => sum + size, 0)
  }
  report.outcome = 'overtaken'
}

/** A sync publishes once, so the catalog rarely changes more often during a build. */
const ATTEMPTS_MAX = 4

/** @returns its files; undefined if the catalog changed during the build */
async function buildVersion(
  deps: BulkDeps,
  build: BulkBuild,
  publication: Publication,
): Promise<BulkFile[] | undefined> {
  const { version, published_at, changed_at: updated_at } = publication
  const draft = build.begin(version)
  try {
    const files = await writeFiles(deps, draft, publication)
    if (publicationNow(deps).version !== version) {
      deps.log.info('bulk files restarted', { version, reason: 'the catalog has changed' })
      return undefined
    }
    const built_at = deps.now().toISOString()
    draft.publish({ version, built_at, published_at, updated_at, files })
    return files
  } finally {
    draft.discard()
  }
}

function publicationNow({ catalog }: BulkDeps): Publication {
  catalog.publication.refresh()
  return catalog.publication.getCurrent()
}

/** @returns the complete files; incomplete if the catalog changed during the build */
async function writeFiles(
  { catalog }: BulkDeps,
  draft: BulkDraft,
  publication: Publication,
): Promise<BulkFile[]> {
  const updated_at = publication.changed_at
  const files: BulkFile[] = []
  const snapshot = openSnapshotWriter(draft.scratch)
  try {
    const all = createBulkTables(draft, EVERY_GAME, updated_at)
    for (const game of catalog.games.listAll()) {
      const own = createBulkTables(draft, game.slug, updated_at)
      snapshot.putGame(game)
      for (const cards of pagesOfGame(catalog, game.id, snapshot)) {
        if (catalog.publication.getCurrent().version !== publication.version) return files
        const pieces = renderTables(draft, cards)
        own.append(pieces)
        all.append(pieces)
      }
      files.push(...own.end())
    }
    files.unshift(...all.end())
    files.push(await writeSnapshot(draft, snapshot, publication))
    files.push(...(await addHistoryFiles(catalog, draft, publication)))
    return files
  } finally {
    snapshot.close()
  }
}

/** Yields a game's cards by set, and adds them to the snapshot. */
function* pagesOfGame(
  catalog: BulkDeps['catalog'],
  gameId: number,
  writer: SnapshotWriter,
): Generator<CatalogCard[]> {
  for (const setId of catalog.sets.listIds(gameId)) {
    const set = catalog.sets.getById(setId)
    if (set !== undefined) writer.putSet(set)
    for (const cards of catalog.cards.listPagesBySet(setId)) {
      writer.putCards(cards)
      yield cards
    }
  }
}

async function writeSnapshot(
  draft: BulkDraft,
  writer: SnapshotWriter,
  publication: Publication,
): Promise<BulkFile> {
  const kind = { type: 'catalog', game: EVERY_GAME, format: 'sqlite.gz' } as const
  const name = bulkFileName(kind)
  const file = draft.createFile(kind.game, name)
  const rows = writer.finish(publication)
  await file.appendFile(draft.scratch, rows)
  return { ...kind, name, updated_at: publication.changed_at, ...file.end() }
}
