import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { seriesId } from '#store/catalog/history/history.ts'
import { openDatabase } from '#store/db.ts'
import { separateClosedMonths } from '#store/files/history-files.ts'
import { openCatalog } from '#store/open-catalog.ts'
import type { BenchData } from './data.ts'
import { interleave, middle, ratio, spread } from './measure.ts'
import { PEER_SERIES, peerFiles, writeHistoryRows } from './peer-files.ts'
import { formatShort, type Row, times } from './table.ts'

/** Measures a year of one printing, read and decoded in the store, and the size of a point on disk. */
export async function benchHistory(data: BenchData): Promise<Row[]> {
  const file = peerFiles(data).history
  const peerBytes = writeHistoryRows(file, data)
  const catalog = openCatalog(data.dataDir, createPictureUrl('http://127.0.0.1'))
  const separated = openSeparated(data)
  const bare = openDatabase(data.catalogFile, { readonly: true, cacheKib: 65_536 })
  const peer = openDatabase(file, { readonly: true, cacheKib: 65_536 })
  const first = dayOf(new Date()) - 365
  const series = data.series.slice(0, PEER_SERIES).map((one) => ({
    ...one,
    id: seriesId(one.card_id, one.printing_id),
  }))
  const at = (index: number) =>
    series[index % series.length] ?? { card_id: 0, printing_id: 0, id: 0 }
  const cold = bare.prepare('SELECT points FROM history_cold WHERE series_id = ?').pluck()
  const hot = bare
    .prepare('SELECT points FROM history_hot WHERE month = ? AND series_id = ?')
    .pluck()
  const months = bare.prepare('SELECT DISTINCT month FROM history_hot').pluck().all()
  const rows = peer.prepare(
    'SELECT * FROM history WHERE card_id = ? AND printing_id = ? AND day >= ? ORDER BY day',
  )
  const firstDate = new Date(first * 86_400_000).toISOString().slice(0, 10)
  const rounds = await interleave(3, {
    ours: () => spread(series.length, (index) => catalog.history.getPoints(at(index).id, first)),
    separated: () =>
      spread(series.length, (index) => separated.catalog.history.getPoints(at(index).id, first)),
    bare: () =>
      spread(series.length, (index) => {
        cold.get(at(index).id)
        for (const month of months) hot.get(month, at(index).id)
      }),
    peer: () =>
      spread(series.length, (index) => {
        rows.all(at(index).card_id, at(index).printing_id, firstDate)
      }),
  })
  const bytes = bytesAPoint(bare, data)
  catalog.close()
  separated.close()
  bare.close()
  peer.close()
  const toBare = ratio(rounds, 'p50', 'ours', 'bare')
  const toOurs = ratio(rounds, 'p50', 'separated', 'ours')
  const summarize = (subject: string) =>
    `p50 ${formatShort(middle(rounds, subject, 'p50'))} µs, p99 ${formatShort(middle(rounds, subject, 'p99'))} µs`
  return [
    {
      figure: 'history of a year, one printing, in the store',
      ours: summarize('ours'),
      limit: `the bare statements ${summarize('bare')}`,
      toLimit: times(toBare),
      peer: `a row per day ${summarize('peer')}`,
      toPeer: `${times(ratio(rounds, 'p50', 'peer', 'ours'))} faster`,
      target: '≤ 1.15x the statements',
      met: toBare <= 1.15,
    },
    {
      figure: 'history of a year, closed months in a separate file',
      ours: summarize('separated'),
      limit: `all in one file ${summarize('ours')}`,
      toLimit: times(toOurs),
      target: '≤ 1.1x',
      met: toOurs <= 1.1,
    },
    {
      figure: 'history, bytes per point on disk',
      ours: formatShort(bytes),
      peer: formatShort(peerBytes),
      toPeer: `${times(peerBytes / bytes)} smaller`,
      target: '≤ 7',
      met: bytes <= 7,
    },
  ]
}

/** Opens a copy of the catalog whose closed months are in a separate file, as with SNAPSHOTS_URL. */
function openSeparated({ catalogFile, scratch }: BenchData) {
  const dataDir = join(scratch, 'separated')
  mkdirSync(dataDir)
  copyFileSync(catalogFile, join(dataDir, 'catalog.db'))
  separateClosedMonths(dataDir)
  const catalog = openCatalog(dataDir, createPictureUrl('http://127.0.0.1'))
  return {
    catalog,
    close() {
      catalog.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** Divides all pages of the two tables by the number of points. */
function bytesAPoint(db: ReturnType<typeof openDatabase>, { seeded }: BenchData): number {
  const pages = db
    .prepare<[], number>(
      `SELECT sum(pgsize) FROM dbstat WHERE name IN ('history_hot', 'history_cold')`,
    )
    .pluck()
    .get()
  const tracked = db
    .prepare<[], number>('SELECT count(*) FROM prices WHERE tracked_since IS NOT NULL')
    .pluck()
    .get()
  // Points of the last day were added by the publication.
  return (pages ?? 0) / (seeded.points + (tracked ?? 0))
}
