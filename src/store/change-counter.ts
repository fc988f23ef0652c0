import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { type Db, openDataVersion } from './db.ts'

// Words of the WAL index header (sqlite.org/walformat.html, 2.1): iChange counts the transactions,
// mxFrame the frames; the salts change whenever the log begins anew, and with it the counts.
const CHANGES = 2
const FRAMES = 4
const SALTS = [8, 9] as const
const HEADER_WORDS = 12

export type ChangeCounter = {
  /** A number that differs after every commit. */
  read(): number
  /** To be called after the database was closed. */
  close(): void
}

/**
 * Tells cheaply whether anything was committed to a file since the last look, by any process, this
 * one included: it reads a few numbers of the WAL index, which SQLite shares through memory. Asking
 * SQLite itself (`PRAGMA data_version`) takes the locks of a read, for every request of the service.
 */
export function openChangeCounter(db: Db): ChangeCounter {
  const index = `${db.name}-shm`
  // A file in WAL mode has its index as soon as it was read; a database in memory has none.
  db.prepare('SELECT count(*) FROM sqlite_schema').get()
  if (db.memory || !existsSync(index)) return openOwnCounter(db)
  const fd = borrow(index)
  const words = new Uint32Array(HEADER_WORDS)
  const bytes = new Uint8Array(words.buffer)
  const at = (word: number) => words[word] ?? 0
  return {
    read() {
      readSync(fd, bytes, 0, bytes.length, 0)
      const log = Math.imul(at(FRAMES), 0x9e3779b1) ^ at(SALTS[0]) ^ Math.imul(at(SALTS[1]), 31)
      return at(CHANGES) * 2 ** 21 + ((log >>> 11) & 0x1fffff)
    },
    close: () => giveBack(index),
  }
}

// Whoever closes any descriptor of a file loses all of his process's locks on it (POSIX), SQLite's
// own among them: another process would then take the index for nobody's and cut it off. So there is
// one descriptor a file, and it stays open for as long as any connection here may hold locks. For
// the same reason the index is not mapped: what maps a file opens and closes it.
const borrowed = new Map<string, { fd: number; users: number }>()

function borrow(path: string): number {
  const held = borrowed.get(path) ?? { fd: openSync(path, 'r'), users: 0 }
  held.users++
  borrowed.set(path, held)
  return held.fd
}

function giveBack(path: string): void {
  const held = borrowed.get(path)
  if (held === undefined || --held.users > 0) return
  borrowed.delete(path)
  closeSync(held.fd)
}

/** The same for a database that has no shared index: others' commits, and this connection's own. */
function openOwnCounter(db: Db): ChangeCounter {
  const others = openDataVersion(db)
  const own = db.prepare<[], number>('SELECT total_changes()').pluck()
  return {
    read: () => others() * 2 ** 32 + (own.get() ?? 0),
    close: () => {},
  }
}
