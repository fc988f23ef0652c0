import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Db } from '../../db.ts'
import type { ClosedHistoryRow } from '../schema/pricing.ts'

/** A file with the closed months of the history. It never changes. */
export type ClosedHistory = Omit<ClosedHistoryRow, 'id'>

/** The file that a connection has attached: its closed months are in `history_cold` of the schema. */
export type AttachedHistory = { sha256: string | null; schema: string | undefined }

/** Returns the name of a file of closed months, which contains the hash of its contents. */
export function closedHistoryName({ sha256 }: Pick<ClosedHistory, 'sha256'>): string {
  return `${sha256.slice(0, 16)}.db`
}

/** Returns the file that belongs to a catalog; undefined if the catalog itself contains all months. */
export function findClosedHistory(db: Db): ClosedHistory | undefined {
  return db.prepare<[], ClosedHistory>('SELECT sha256, bytes, series FROM closed_history').get()
}

/** Attaches the files of closed months to a connection, one after another. */
export function openClosedHistory(db: Db, folder: string) {
  let attached: AttachedHistory = { sha256: null, schema: undefined }
  let attachments = 0

  return {
    /** Attaches the file that currently belongs to the catalog. If that file is missing, returns the previous one. */
    attach(): AttachedHistory {
      const file = findClosedHistory(db)
      if (file === undefined || file.sha256 === attached.sha256) return attached
      const path = join(folder, closedHistoryName(file))
      if (!existsSync(path)) return attached
      const { schema: old } = attached
      const schema = `closed_${++attachments}`
      db.prepare(`ATTACH ? AS ${schema}`).run(path)
      db.pragma(`${schema}.cache_size = -${CACHE_KIB}`)
      if (old !== undefined) db.exec(`DETACH ${old}`)
      attached = { sha256: file.sha256, schema }
      return attached
    },
    /** Returns the error for a missing file. */
    missing: () =>
      new ServiceError(
        'UNAVAILABLE',
        'A file of the price history is missing. The operator can restore it from a backup or a snapshot.',
      ),
  }
}

/** Page cache of an attached file, whose pages are not in the catalog's cache. */
const CACHE_KIB = 32_768
