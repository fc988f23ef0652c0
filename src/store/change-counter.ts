import { existsSync } from 'node:fs'
import { type Db, openDataVersion } from './db.ts'

// Words of the WAL index header (sqlite.org/walformat.html, 2.1): iChange counts the transactions,
// mxFrame the frames; the salts change whenever the log begins anew, and with it the counts.
const CHANGES = 2
const FRAMES = 4
const SALTS = [8, 9] as const
const HEADER_WORDS = 12

/**
 * Tells cheaply whether anything was committed to a file since the last look, by any process, this
 * one included: it reads a few numbers of the WAL index, which SQLite shares through memory. Asking
 * SQLite itself (`PRAGMA data_version`) takes two system calls, for every request of the service.
 *
 * @returns a number that differs after every commit
 */
export function openChangeCounter(db: Db): () => number {
  const index = `${db.name}-shm`
  // A file in WAL mode has its index as soon as it was read; a database in memory has none.
  db.prepare('SELECT count(*) FROM sqlite_schema').get()
  if (db.memory || !existsSync(index)) return openOwnCounter(db)
  const header = Bun.mmap(index)
  const words = new Uint32Array(header.buffer, header.byteOffset, HEADER_WORDS)
  const at = (word: number) => words[word] ?? 0
  return () => {
    const log = Math.imul(at(FRAMES), 0x9e3779b1) ^ at(SALTS[0]) ^ Math.imul(at(SALTS[1]), 31)
    return at(CHANGES) * 2 ** 21 + ((log >>> 11) & 0x1fffff)
  }
}

/** The same for a database that has no shared index: others' commits, and this connection's own. */
function openOwnCounter(db: Db): () => number {
  const others = openDataVersion(db)
  const own = db.prepare<[], number>('SELECT total_changes()').pluck()
  return () => others() * 2 ** 32 + (own.get() ?? 0)
}
