import { existsSync } from 'node:fs'
import type { Log } from '#log.ts'
import { monthOf, parseDate } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import { parsePricesFile } from '#rules/sync/upstream.ts'
import type { CatalogWriter } from '#store/open-catalog-writer.ts'
import { type DayFile, type DaySource, openDayFolder } from './history/day-folder.ts'

/** Counts of an import. */
export type ImportCounts = {
  points: number
  /** Rows whose card is not in the catalog. */
  unknown_cards: number
  bad_records: number
  failure_count: number
  /** The first failures. */
  failures: { file: string; reason: string }[]
}

export type ImportReport = ImportCounts & { days: number }

export type ImportDaysOptions = {
  /** Number of days to add to each date, so that the sample ends today. */
  shiftDays?: number
  /** Days that are stored already. */
  stored?: readonly string[]
}

type ImportDeps = { catalogWriter: CatalogWriter; log: Log; now: () => Date }

/**
 * Imports days of prices, some at a time and oldest first. A day that is imported again replaces its points. Prices
 * under a dollar are stored from the first day on which the price is known to have reached one. Import older
 * archives first, or repeat the newer ones. Call `recount` of the history afterwards.
 *
 * @yields the days that were stored
 */
export function* importDays(
  { catalogWriter, log }: ImportDeps,
  source: DaySource,
  counts: ImportCounts,
  { shiftDays = 0, stored = [] }: ImportDaysOptions = {},
): Generator<string[]> {
  const history = catalogWriter.history.openImport()
  const isStored = new Set(stored)
  const dates = source.listDates().filter((date) => !isStored.has(date))
  const garbage = openGarbage()
  let month: number | undefined
  for (const some of splitDays(dates)) {
    const days = some.map((date) => {
      const day = (parseDate(date) ?? 0) + shiftDays
      return { day, files: readPrices(source.read(date), { log, counts, garbage }) }
    })
    const { points, unknown } = history.putDays(days)
    counts.points += points
    counts.unknown_cards += unknown
    garbage.add(points * GARBAGE_OF_POINT)
    const last = monthOf(days[0]?.day ?? 0)
    // Otherwise the file would grow by the larger form of all months.
    if (month !== undefined && last !== month) catalogWriter.history.closeMonths()
    month = last
    yield some
  }
}

/** Imports a folder of extracted archives at once. @throws ServiceError if the folder has no days */
export function importHistory(
  deps: ImportDeps,
  folder: string,
  options: ImportDaysOptions = {},
): ImportReport {
  const report = { days: 0, ...createImportCounts() }
  assertExists(folder)
  const source = openDayFolder(folder)
  assertDays(source.listDates(), folder)
  for (const dates of importDays(deps, source, report, options)) report.days += dates.length
  deps.catalogWriter.history.recount(deps.now)
  return report
}

export function createImportCounts(): ImportCounts {
  return { points: 0, unknown_cards: 0, bad_records: 0, failure_count: 0, failures: [] }
}

/** @throws ServiceError NOT_FOUND */
export function assertExists(path: string): void {
  if (!existsSync(path)) throw new ServiceError('NOT_FOUND', `${path} does not exist.`)
}

/** @throws ServiceError NOT_FOUND without days */
export function assertDays(dates: readonly string[], name: string): void {
  if (dates.length > 0) return
  throw new ServiceError(
    'NOT_FOUND',
    `${name} has no prices in the daily layout. Its files must be YYYY-MM-DD/{category}/{group}/prices.`,
  )
}

/** Splits days into groups that are stored together and belong to one month. */
function* splitDays(dates: readonly string[]): Generator<string[]> {
  for (const ofMonth of Map.groupBy(dates, (date) => date.slice(0, 7)).values()) {
    for (let at = 0; at < ofMonth.length; at += DAYS_AT_ONCE) {
      yield ofMonth.slice(at, at + DAYS_AT_ONCE)
    }
  }
}

/** More days are faster, but need more memory: each has 160,000 prices of six games. */
const DAYS_AT_ONCE = 4

type Reading = { log: Log; counts: ImportCounts; garbage: Garbage }

/** Reads the files of a day. */
function* readPrices(files: Iterable<DayFile>, { log, counts, garbage }: Reading) {
  for (const { name, readText } of files) {
    try {
      const text = readText()
      garbage.add(text.length)
      const { records, rejected } = parsePricesFile(text)
      counts.bad_records += rejected.length
      yield records
    } catch (error) {
      addFailure(counts, log, { file: name, reason: errorMessage(error) })
    }
  }
}

type Garbage = ReturnType<typeof openGarbage>

/** Frees what reading and storing leave whenever it is much: 250 MB would add up with six games. */
function openGarbage() {
  let sum = 0
  return {
    add(bytes: number): void {
      sum += bytes
      if (sum < GARBAGE_MAX) return
      Bun.gc(true)
      sum = 0
    },
  }
}

/** Half a day of six games. Collecting takes milliseconds, which small days need not spend each. */
const GARBAGE_MAX = 8 * 1024 ** 2

/** Bytes that storing a point leaves: its row, before and after. */
const GARBAGE_OF_POINT = 200

/** Counts a file that could not be read. */
export function addFailure(
  counts: Pick<ImportCounts, 'failure_count' | 'failures'>,
  log: Log,
  failure: ImportCounts['failures'][number],
): void {
  counts.failure_count++
  if (counts.failures.length < FAILURES_KEPT) counts.failures.push(failure)
  log.warn('skipped archive file', failure)
}

const FAILURES_KEPT = 20
