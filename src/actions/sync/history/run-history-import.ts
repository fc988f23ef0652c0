import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { CatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import { parseDailyPath } from '#rules/sync/daily-layout.ts'
import {
  type HistoryImportRecord,
  lockHistoryImport,
  readHistoryImport,
  writeHistoryImport,
} from '#store/files/history-import-record.ts'
import { openStagedDays, type StagedDays } from '#store/files/staged-days.ts'
import {
  addFailure,
  assertDays,
  assertExists,
  createImportCounts,
  importDays,
} from '../import-history.ts'
import { openArchive } from './archive-files.ts'
import { type DaySource, openDayFolder } from './day-folder.ts'

type RunDeps = Pick<CatalogWriterDeps, 'dataDir' | 'catalogWriter' | 'log' | 'now'>

export type RunOptions = {
  /** Ends the import between two days. */
  signal?: AbortSignal
  onProgress?(record: HistoryImportRecord): void
}

export type HistoryImportResult = {
  record: HistoryImportRecord
  /** Version of the catalog that was published; undefined if no day was stored. */
  version: number | undefined
}

/**
 * Imports older prices from a folder or an archive of the daily layout. The record in the data folder has the
 * progress, so that an import that was canceled or interrupted goes on where it stopped.
 *
 * @throws ServiceError if the path has no prices, or may not be read
 */
export async function runHistoryImport(
  deps: RunDeps,
  path: string,
  { signal, onProgress = () => {} }: RunOptions = {},
): Promise<HistoryImportResult> {
  const { dataDir, now } = deps
  assertExists(path)
  const unlock = lockHistoryImport(dataDir)
  const before = readHistoryImport(dataDir)
  const stamp = stampOf(path)
  const isResumed = before?.stamp === stamp && before.state !== 'complete'
  const record = isResumed ? before : createRecord(path, stamp, now())
  Object.assign(record, { state: 'running', problem: null, ended_at: null })
  const put = () => {
    writeHistoryImport(dataDir, record)
    onProgress(record)
  }
  try {
    put()
    const source = await openSource(deps, path, { record, put, signal })
    const run = { record, put, signal }
    const version = source && (await storeDays(deps, source, run))
    record.state = signal?.aborted === true ? 'canceled' : 'complete'
    return { record, version }
  } catch (error) {
    record.state = 'failed'
    record.problem = errorMessage(error)
    throw error
  } finally {
    record.ended_at = now().toISOString()
    put()
    unlock()
  }
}

function createRecord(path: string, stamp: string, now: Date): HistoryImportRecord {
  return {
    ...createImportCounts(),
    name: basename(path),
    stamp,
    state: 'running',
    files: 0,
    days: null,
    stored: [],
    cut_day: null,
    problem: null,
    started_at: now.toISOString(),
    ended_at: null,
  }
}

/** Identifies the contents of an archive; of a folder, its place. */
function stampOf(path: string): string {
  const stats = statSync(path)
  return stats.isDirectory() ? path : `${path} ${stats.size} ${stats.mtimeMs}`
}

type Run = {
  record: HistoryImportRecord
  put(): void
  signal: AbortSignal | undefined
}

/** @returns undefined if it was canceled */
async function openSource(deps: RunDeps, path: string, run: Run): Promise<DaySource | undefined> {
  const { record, signal } = run
  if (statSync(path).isDirectory()) {
    const folder = openDayFolder(path)
    record.days = folder.listDates().length
    assertDays(folder.listDates(), record.name)
    return folder
  }
  const staged = openStagedDays(deps.dataDir)
  if (record.days === null) {
    staged.clear()
    await stageArchive(deps, path, { ...run, staged })
    if (signal?.aborted === true) return undefined
  }
  return {
    listDates: staged.listDates,
    *read(date) {
      for (const { place, text } of staged.read(date)) {
        yield { name: `${date}/${place}`, readText: () => text }
      }
    },
  }
}

/** Sorts the files of an archive by day. A day in which the archive is cut off is left out. */
async function stageArchive(
  { log }: RunDeps,
  path: string,
  { record, put, signal, staged }: Run & { staged: StagedDays },
): Promise<void> {
  const archive = openArchive(path, (name) => parseDailyPath(name) !== undefined)
  for await (const { path: name, bytes } of archive.files()) {
    const place = parseDailyPath(name)
    if (place === undefined) continue
    if (bytes === undefined) addFailure(record, log, { file: name, reason: DAMAGED })
    else staged.add(place, bytes)
    if (++record.files % FILES_A_TURN !== 0) continue
    put()
    // Lets the request to cancel arrive.
    await setImmediate()
    if (signal?.aborted === true) return
  }
  staged.flush()
  const last = archive.isCut() ? staged.lastDate() : undefined
  if (last !== undefined) staged.delete([last])
  record.cut_day = last ?? null
  const dates = staged.listDates()
  if (archive.isCut() && dates.length === 0) throw cutEarly()
  assertDays(dates, record.name)
  record.days = dates.length
}

const DAMAGED = 'it is damaged, encrypted or too large'

const FILES_A_TURN = 500

function cutEarly(): ServiceError {
  return new ServiceError(
    'VALIDATION_ERROR',
    'The archive is cut off before the end of its first day. Copy or download it again.',
  )
}

async function storeDays(
  deps: RunDeps,
  source: DaySource,
  { record, put, signal }: Run,
): Promise<number | undefined> {
  const { dataDir, catalogWriter, now } = deps
  const staged = openStagedDays(dataDir)
  const { stored } = record
  const before = stored.length
  for (const dates of importDays(deps, source, record, { stored })) {
    stored.push(...dates)
    put()
    staged.delete(dates)
    await setImmediate()
    if (signal?.aborted === true) break
  }
  if (signal?.aborted !== true) staged.clear()
  // Also of a part, so that charts and changes show what is stored.
  return stored.length === before ? undefined : catalogWriter.history.recount(now)
}
