import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { detectPhotoFormat } from '#rules/photos/photo-quality.ts'

/** Disk cache of resized WebP pictures. Processes share it, and it can be deleted at any time. */
export type PictureFileStore = {
  /** Returns a picture; undefined if it is missing or truncated. */
  get(key: string, now: Date): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Stores a picture and marks it as used now. */
  put(key: string, bytes: Uint8Array, now: Date): Promise<void>
  /**
   * Deletes the least recently used pictures if the cache is too large. The folder is measured only after enough
   * bytes were written; the limit still holds in between.
   */
  sweep(): Promise<void>
}

/** Opens the cache. @param bytesMax size limit on disk; 0 stores nothing and empties the cache */
export function openPictureFileStore(dataDir: string, bytesMax: number): PictureFileStore {
  const root = join(dataDir, 'pictures')
  const pathOf = (key: string) => join(root, key.slice(0, 2), `${key}.webp`)
  // The total of all processes is unknown, so the first write measures the folder.
  let writtenBytes = Number.POSITIVE_INFINITY
  let sweeping: Promise<void> | undefined

  return {
    async get(key, now) {
      const path = pathOf(key)
      // Unreadable files are rendered again.
      const bytes = await readFile(path).catch(() => undefined)
      if (bytes === undefined || !isComplete(bytes)) return undefined
      await touch(path, now)
      return bytes
    },
    async put(key, bytes, now) {
      if (bytesMax === 0) return
      await write(pathOf(key), bytes, now)
      writtenBytes += onDisk(bytes.length)
    },
    sweep() {
      if (sweeping === undefined && writtenBytes > bytesMax * SWEEP_EVERY) {
        writtenBytes = 0
        sweeping = sweep(root, bytesMax).finally(() => {
          sweeping = undefined
        })
      }
      return sweeping ?? Promise.resolve()
    },
  }
}

/** Fractions of the limit: bytes written between two sweeps, and the size left after a sweep. */
const SWEEP_EVERY = 0.05
const LEFT = 0.9

/** Compares the length in the WebP header, because the file may be truncated or empty after a power cut. */
function isComplete(bytes: Buffer): boolean {
  return detectPhotoFormat(bytes) === 'webp' && bytes.readUInt32LE(4) + 8 === bytes.length
}

/** Stores the last use as the file's time, at most once an hour. */
async function touch(path: string, now: Date): Promise<void> {
  try {
    const { mtimeMs } = await stat(path)
    if (toHour(mtimeMs) !== toHour(now.getTime())) await utimes(path, now, now)
  } catch {
    // The file was swept in the meantime, or the disk is read-only; the picture is valid anyway.
  }
}

function toHour(ms: number): number {
  return Math.floor(ms / 3_600_000)
}

/** Writes under a temporary name, so that files under their final name are complete. */
async function write(path: string, bytes: Uint8Array, now: Date): Promise<void> {
  const part = `${path}.${randomUUID()}.part`
  await mkdir(dirname(path), { recursive: true })
  try {
    await writeFile(part, bytes)
    await utimes(part, now, now)
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Deletes the least recently used files, grouped by hour, because a sort would block the event loop. */
async function sweep(root: string, bytesMax: number): Promise<void> {
  const byHour = new Map<number, number>()
  let total = 0
  for await (const files of listFiles(root)) {
    for (const { bytes, hour } of files) {
      byHour.set(hour, (byHour.get(hour) ?? 0) + bytes)
      total += bytes
    }
  }
  // Leaves room for the writes until the next sweep.
  if (total <= bytesMax * (1 - SWEEP_EVERY)) return
  const { last, ofLast } = oldestHours(byHour, total - bytesMax * LEFT)
  let left = ofLast
  for await (const files of listFiles(root)) {
    for (const { path, bytes, hour } of files) {
      if (hour > last || (hour === last && left <= 0)) continue
      if (hour === last) left -= bytes
      await rm(path, { force: true })
    }
  }
}

/** Returns the last of the oldest hours that together have this many bytes, and how many of its bytes are included. */
function oldestHours(byHour: ReadonlyMap<number, number>, wanted: number) {
  let left = wanted
  let last = Number.NEGATIVE_INFINITY
  let ofLast = 0
  for (const [hour, bytes] of [...byHour].sort(([a], [b]) => a - b)) {
    if (left <= 0) break
    last = hour
    ofLast = left
    left -= bytes
  }
  return { last, ofLast }
}

type FoundFile = { path: string; bytes: number; hour: number }

/** Lists the files of one subfolder after another; ignores other files. */
async function* listFiles(root: string): AsyncGenerator<FoundFile[]> {
  const names = await readdir(root).catch(() => [])
  for (const name of names.filter((found) => /^[0-9a-f]{2}$/.test(found))) {
    const folder = join(root, name)
    const files = await readdir(folder).catch(() => [])
    const found = await Promise.all(files.map((file) => statFile(join(folder, file))))
    yield found.flat()
  }
}

/** Returns nothing if another process has deleted the file. */
async function statFile(path: string): Promise<FoundFile[]> {
  const facts = await stat(path).catch(() => undefined)
  if (facts === undefined) return []
  return [{ path, bytes: onDisk(facts.size), hour: toHour(facts.mtimeMs) }]
}

/** Rounds up to disk blocks, which matters for small pictures. */
function onDisk(bytes: number): number {
  return Math.ceil(bytes / BLOCK) * BLOCK
}

const BLOCK = 4_096
