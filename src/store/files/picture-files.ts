import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { detectPhotoFormat } from '#rules/photos/photo-format.ts'

/**
 * The disk cache of resized pictures, as WebP files. It can be deleted at any time and shared by
 * several processes; writes are not synced to disk.
 */
export type PictureFileStore = {
  /** Returns a picture; undefined if it is missing or truncated. */
  get(key: string, now: Date): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Stores a picture and marks it as used now. */
  put(key: string, bytes: Uint8Array, now: Date): Promise<void>
  /**
   * Deletes the least recently used pictures if the cache is too large. The folder is measured only after
   * enough bytes were written; the limit holds in between, too.
   */
  sweep(): Promise<void>
}

/**
 * Opens the cache.
 *
 * @param bytesMax size limit on disk; with 0 nothing is stored, and the first sweep empties the
 * cache
 */
export function openPictureFileStore(dataDir: string, bytesMax: number): PictureFileStore {
  const root = join(dataDir, 'pictures')
  const pathOf = (key: string) => join(root, key.slice(0, 2), `${key}.webp`)
  // Of all processes together nobody knows how much there is: the first to write takes a look.
  let unswept = Number.POSITIVE_INFINITY
  let sweeping: Promise<void> | undefined

  return {
    async get(key, now) {
      const path = pathOf(key)
      // What cannot be read is made anew.
      const bytes = await readFile(path).catch(() => undefined)
      if (bytes === undefined || !isWhole(bytes)) return undefined
      await noteUse(path, now)
      return bytes
    },
    async put(key, bytes, now) {
      if (bytesMax === 0) return
      await write(pathOf(key), bytes, now)
      unswept += onDisk(bytes.length)
    },
    sweep() {
      if (sweeping === undefined && unswept > bytesMax * SWEEP_EVERY) {
        unswept = 0
        sweeping = sweep(root, bytesMax).finally(() => {
          sweeping = undefined
        })
      }
      return sweeping ?? Promise.resolve()
    },
  }
}

/** Shares of the limit: what comes from one look to the next, and what is left when there was too much. */
const SWEEP_EVERY = 0.05
const LEFT = 0.9

/** A WebP says how long it is. A machine that lost its power may have kept less, or nothing, of it. */
function isWhole(bytes: Buffer): boolean {
  return detectPhotoFormat(bytes) === 'webp' && bytes.readUInt32LE(4) + 8 === bytes.length
}

/** A file's time is that of its last use, to the hour: writing it down at each one would be too much. */
async function noteUse(path: string, now: Date): Promise<void> {
  try {
    const { mtimeMs } = await stat(path)
    if (hourOf(mtimeMs) !== hourOf(now.getTime())) await utimes(path, now, now)
  } catch {
    // It was swept meanwhile, or the disk takes no writing: what was read is as good.
  }
}

function hourOf(ms: number): number {
  return Math.floor(ms / 3_600_000)
}

/** Under its name it is whole: it is written under another one. */
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

/**
 * Removes what has not been used for longest. By the hour, a year of files takes little memory and no
 * sorting, which would hold up everybody.
 */
async function sweep(root: string, bytesMax: number): Promise<void> {
  const byHour = new Map<number, number>()
  let total = 0
  for await (const files of foldersOf(root)) {
    for (const { bytes, hour } of files) {
      byHour.set(hour, (byHour.get(hour) ?? 0) + bytes)
      total += bytes
    }
  }
  // What comes until the next look has its room, too.
  if (total <= bytesMax * (1 - SWEEP_EVERY)) return
  const { last, ofLast } = oldestHours(byHour, total - bytesMax * LEFT)
  let left = ofLast
  for await (const files of foldersOf(root)) {
    for (const { path, bytes, hour } of files) {
      if (hour > last || (hour === last && left <= 0)) continue
      if (hour === last) left -= bytes
      await rm(path, { force: true })
    }
  }
}

/** The hours whose files make up so many bytes: all before the last, and so many bytes of that. */
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

/** The files of one folder after the other; nothing that others put beside them. */
async function* foldersOf(root: string): AsyncGenerator<FoundFile[]> {
  const names = await readdir(root).catch(() => [])
  for (const name of names.filter((found) => /^[0-9a-f]{2}$/.test(found))) {
    const folder = join(root, name)
    const files = await readdir(folder).catch(() => [])
    const found = await Promise.all(files.map((file) => factsOf(join(folder, file))))
    yield found.flat()
  }
}

/** Empty where it is gone: another process may sweep, too. */
async function factsOf(path: string): Promise<FoundFile[]> {
  const facts = await stat(path).catch(() => undefined)
  if (facts === undefined) return []
  return [{ path, bytes: onDisk(facts.size), hour: hourOf(facts.mtimeMs) }]
}

/** A disk gives whole blocks, which is much for small pictures. */
function onDisk(bytes: number): number {
  return Math.ceil(bytes / BLOCK) * BLOCK
}

const BLOCK = 4_096
