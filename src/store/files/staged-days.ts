import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { DailyPath } from '#rules/sync/daily-layout.ts'

/**
 * Files of prices from an archive, sorted by day, so that days can be imported in their order, and an interrupted
 * import goes on without the archive.
 */
export type StagedDays = {
  /** Adds a file. Archives usually have the files of a day together, so they are compressed together. */
  add(path: DailyPath, bytes: Uint8Array): void
  /** Writes what is not on disk yet. */
  flush(): void
  /** Returns the day of the last file; undefined without one. */
  lastDate(): string | undefined
  /** Lists the days, ascending. */
  listDates(): string[]
  /** Reads the files of a day. */
  read(date: string): Generator<{ place: string; text: string }>
  delete(dates: readonly string[]): void
  /** Deletes everything. */
  clear(): void
}

/** Opens the folder in the data folder. */
export function openStagedDays(dataDir: string): StagedDays {
  const folder = join(dataDir, STAGED_DAYS_FOLDER)
  let date: string | undefined
  let parts: Uint8Array[] = []
  let length = 0

  function flush(): void {
    if (date === undefined || parts.length === 0) return
    const packed = zstdCompressSync(Buffer.concat(parts), FAST)
    const head = Buffer.alloc(4)
    head.writeUInt32LE(packed.length)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // A day that comes again in the archive has several parts in its file.
    appendFileSync(join(folder, date), Buffer.concat([head, packed]))
    parts = []
    length = 0
  }

  return {
    add(path, bytes) {
      if (path.date !== date || length > PART_BYTES) flush()
      date = path.date
      parts.push(Buffer.from(`${path.place} ${bytes.length}\n`), bytes)
      length += bytes.length
    },
    flush,
    lastDate: () => date,
    listDates: () => readdirSync(mkdir(folder)).sort(),
    *read(of) {
      const packed = readFileSync(join(folder, of))
      for (let at = 0; at < packed.length; ) {
        const end = at + 4 + packed.readUInt32LE(at)
        yield* splitFiles(zstdDecompressSync(packed.subarray(at + 4, end)))
        at = end
      }
    },
    delete(dates) {
      for (const one of dates) rmSync(join(folder, one), { force: true })
    },
    clear() {
      date = undefined
      parts = []
      length = 0
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Name of the folder in the data folder. */
export const STAGED_DAYS_FOLDER = 'staging-history'

function mkdir(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** The fastest level: the files of a day shrink to an eighth. */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** A day of six games has 22 MB. Larger parts are hardly smaller on disk, and several copies are in memory. */
const PART_BYTES = 4 * 1024 ** 2

function* splitFiles(bytes: Buffer): Generator<{ place: string; text: string }> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at)
    const [place = '', length] = bytes.toString('utf8', at, end).split(' ')
    at = end + 1 + Number(length)
    yield { place, text: bytes.toString('utf8', end + 1, at) }
  }
}
