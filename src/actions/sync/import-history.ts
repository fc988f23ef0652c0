import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '#log.ts'
import { parseDate } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import { parsePricesFile } from '#rules/sync/upstream.ts'
import type { CatalogWriter } from '#store/open-catalog-writer.ts'

export type ImportOptions = {
  /** Number of days to add to each date, so that the sample ends today. */
  shiftDays?: number
  onProgress?: (progress: { done: number; total: number; day: string }) => void
}

export type ImportReport = {
  days: number
  points: number
  /** Rows whose card is not in the catalog. */
  unknown_cards: number
  bad_records: number
  failures: { file: string; reason: string }[]
}

/**
 * Imports extracted daily price archives, `folder/YYYY-MM-DD/{category}/{group}/prices`, oldest day first.
 * A day that is imported again replaces its points. Prices under a dollar are stored from the first day on
 * which the price is known to have reached one. Import older archives first, or repeat the newer ones.
 *
 * @throws ServiceError if the folder has no days
 */
export function importHistory(
  { catalogWriter, log, now }: { catalogWriter: CatalogWriter; log: Log; now: () => Date },
  folder: string,
  options: ImportOptions = {},
): ImportReport {
  const { shiftDays = 0, onProgress } = options
  const days = listDays(folder)
  if (days.length === 0) {
    const problem = existsSync(folder) ? 'has no archives' : 'does not exist'
    throw new ServiceError(
      'NOT_FOUND',
      `${folder} ${problem}. Extract the archives to YYYY-MM-DD/{category}/{group}/prices below it.`,
    )
  }
  const counts = { days: 0, points: 0, unknown_cards: 0, bad_records: 0 }
  const report: ImportReport = { ...counts, failures: [] }
  for (const [index, { date, day }] of days.entries()) {
    const batches = readDay(join(folder, date), log, report)
    const { points, unknown } = catalogWriter.history.putDay(day + shiftDays, batches)
    report.days++
    report.points += points
    report.unknown_cards += unknown
    onProgress?.({ done: index + 1, total: days.length, day: date })
  }
  catalogWriter.history.recount(now)
  return report
}

function listDays(folder: string): { date: string; day: number }[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .map((date) => ({ date, day: parseDate(date) ?? Number.NaN }))
    .filter(({ day }) => !Number.isNaN(day))
    .sort((a, b) => a.day - b.day)
}

function* readDay(folder: string, log: Log, report: ImportReport) {
  for (const category of subfolders(folder)) {
    for (const group of subfolders(join(folder, category))) {
      const file = join(folder, category, group, 'prices')
      try {
        // A pipe or a device may never end.
        if (!statSync(file).isFile()) throw new Error('it is not a regular file')
        const { records, rejected } = parsePricesFile(readFileSync(file, 'utf8'))
        report.bad_records += rejected.length
        yield records
      } catch (error) {
        const reason = errorMessage(error)
        report.failures.push({ file, reason })
        log.warn('skipped archive file', { file, reason })
      }
    }
  }
}

function subfolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}
