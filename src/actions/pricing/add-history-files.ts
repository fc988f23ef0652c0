import { Header } from 'tar'
import { EVERY_GAME } from '#rules/catalog/names.ts'
import type { BulkFile } from '#rules/pricing/bulk-list.ts'
import { formatDate, formatMonth, MS_PER_DAY } from '#rules/primitives/days.ts'
import { formatDailyPath } from '#rules/sync/daily-layout.ts'
import { renderPricesFile } from '#rules/sync/render-prices.ts'
import type { Publication } from '#store/catalog/publication.ts'
import type { BulkDraft } from '#store/files/bulk-build.ts'
import type { BulkMonth, BulkMonthPart } from '#store/files/bulk-months.ts'
import type { Catalog } from '#store/open-catalog.ts'
import { bulkFileName } from './bulk-file-tables.ts'

/**
 * Adds the history to the files of a version: an archive of the mirror's daily layout for each month, which another
 * Cardstock imports. A month is written again only if its prices have changed.
 *
 * @returns the complete files; incomplete if the catalog changed in the meantime
 */
export async function addHistoryFiles(
  catalog: Pick<Catalog, 'publication' | 'historyMonths'>,
  draft: BulkDraft,
  { version, changed_at }: Publication,
): Promise<BulkFile[]> {
  const { months } = draft
  const isCurrent = () => {
    catalog.publication.refresh()
    return catalog.publication.getCurrent().version === version
  }
  const files: BulkFile[] = []
  const kept: BulkMonth[] = []
  for (const found of catalog.historyMonths.list()) {
    const month = formatMonth(found.month)
    const bulkMonth = { month, mark: found.mark }
    let facts = months.find(bulkMonth)
    if (facts === undefined) {
      const written = await months.write(renderMonth(catalog, found.month, isCurrent))
      if (!isCurrent()) return files
      facts = { ...written, updated_at: changed_at }
      months.keep(bulkMonth, facts)
    }
    const kind = { type: 'history', game: EVERY_GAME, format: 'tar.zst', month } as const
    const name = bulkFileName(kind)
    draft.linkMonth(bulkMonth, kind.game, name)
    files.push({ ...kind, name, ...facts })
    kept.push(bulkMonth)
  }
  months.removeOthers(kept)
  return files
}

/**
 * Renders the files of a month, set by set: the days of a set have mostly the same text, which is then compressed to
 * a fraction, and no more than one set is in memory.
 */
function* renderMonth(
  { historyMonths }: Pick<Catalog, 'historyMonths'>,
  month: number,
  isCurrent: () => boolean,
): Generator<BulkMonthPart> {
  for (const { id, game_id } of historyMonths.listSets()) {
    if (!isCurrent()) return
    for (const [day, prices] of historyMonths.readSet(id, month)) {
      const path = formatDailyPath({ date: formatDate(day), place: `${game_id}/${id}/prices` })
      const bytes = Buffer.from(renderPricesFile(prices))
      yield { bytes: renderTarEntry(path, bytes, day), rows: prices.length }
    }
  }
  yield { bytes: Buffer.alloc(2 * BLOCK_BYTES), rows: 0 }
}

const BLOCK_BYTES = 512

/** Renders a file of a TAR archive, at most 100 characters of path, as of the day of its prices. */
function renderTarEntry(path: string, bytes: Uint8Array, day: number): Uint8Array {
  const padded = Math.ceil(bytes.length / BLOCK_BYTES) * BLOCK_BYTES
  const entry = Buffer.alloc(BLOCK_BYTES + padded)
  const mtime = new Date(day * MS_PER_DAY)
  new Header({ path, size: bytes.length, mode: 0o644, type: 'File', mtime }).encode(entry, 0)
  entry.set(bytes, BLOCK_BYTES)
  return entry
}
