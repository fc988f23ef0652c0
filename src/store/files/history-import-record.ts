import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readIfExists } from './folder-entries.ts'
import { acquireLock, isLocked } from './lock.ts'

/** The last import of older prices: its progress, or its result. */
export type HistoryImportRecord = {
  /** Name of the folder or archive, without its folders. */
  name: string
  /** Tells whether the archive of this path has changed. */
  stamp: string
  state: HistoryImportState
  /** Number of files that were read from the archive so far. */
  files: number
  /** Number of days that it has; null until all of it was read. */
  days: number | null
  /** Days that are stored, `YYYY-MM-DD`. */
  stored: string[]
  points: number
  unknown_cards: number
  bad_records: number
  failure_count: number
  /** The first failures. */
  failures: { file: string; reason: string }[]
  /** Day that was left out because the archive was cut off in it. */
  cut_day: string | null
  /** Reason why it failed; null otherwise. */
  problem: string | null
  started_at: string
  ended_at: string | null
}

export type HistoryImportState = 'running' | 'complete' | 'canceled' | 'failed' | 'interrupted'

/** Reads the record; undefined before the first import. */
export function readHistoryImport(dataDir: string): HistoryImportRecord | undefined {
  const text = readIfExists(() => readFileSync(join(dataDir, RECORD_FILE), 'utf8'), 'ENOENT')
  const record = text === undefined ? undefined : parseRecord(text)
  if (record?.state !== 'running' || isLocked(dataDir, LOCK)) return record
  // Its process has ended without writing so.
  return { ...record, state: 'interrupted' }
}

/** Writes the record, so that readers see the old or the new one. */
export function writeHistoryImport(dataDir: string, record: HistoryImportRecord): void {
  const path = join(dataDir, RECORD_FILE)
  writeFileSync(`${path}.new`, JSON.stringify(record))
  renameSync(`${path}.new`, path)
}

/** Marks the import as running until the returned function is called, or the process ends. */
export function lockHistoryImport(dataDir: string): () => void {
  // The caller holds the lock of the catalog's writers, so nobody else can hold this one for long.
  return acquireLock(dataDir, LOCK) ?? (() => {})
}

const RECORD_FILE = 'history-import.json'
const LOCK = 'history'

function parseRecord(text: string): HistoryImportRecord | undefined {
  try {
    // Only `writeHistoryImport` writes the file.
    return JSON.parse(text) as HistoryImportRecord
  } catch {
    // Damaged by a power cut: the next import begins from the start.
    return undefined
  }
}
