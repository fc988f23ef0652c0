import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import type { SetBatch } from '../catalog/catalog-writer.ts'

/** Sets that a sync has read but not published yet, so that it can resume after an interruption. */
export type Staging = {
  /** Returns true if a set is staged. */
  has(setId: number): boolean
  /** Stages a set, or replaces a staged one. */
  put(batch: SetBatch): void
  /** Returns a staged set. */
  get(setId: number): SetBatch
  /** Deletes all sets of a game. */
  deleteGame(gameId: number): void
  /** Deletes the staging folder. */
  close(): void
}

/** Opens a publication's staging folder: one file per game, because thousands would be slower. */
export function openStaging(dataDir: string, publishedAt: Date): Staging {
  const root = join(dataDir, 'staging')
  const folder = join(root, String(publishedAt.getTime()))
  mkdirSync(folder, { recursive: true })
  // Sets of another publication are outdated.
  for (const name of readdirSync(root)) {
    if (join(root, name) !== folder) rmSync(join(root, name), { recursive: true, force: true })
  }
  const pathOf = (gameId: number) => join(folder, `${gameId}.jsonl`)
  const positions = new Map<number, LinePosition>()
  for (const name of readdirSync(folder)) resume(join(folder, name), positions)

  return {
    has: (setId) => positions.has(setId),
    put(delivery) {
      const path = pathOf(delivery.set.game_id)
      const line = Buffer.from(`${JSON.stringify(delivery)}\n`)
      positions.set(delivery.set.id, { path, start: append(path, line), length: line.length })
    },
    get(setId) {
      const position = positions.get(setId)
      if (position === undefined) throw new Error(`set ${setId} is not staged`)
      return JSON.parse(readText(position))
    },
    deleteGame(gameId) {
      rmSync(pathOf(gameId), { force: true })
      for (const [setId, { path }] of positions)
        if (path === pathOf(gameId)) positions.delete(setId)
    },
    close: () => void rmSync(root, { recursive: true, force: true }),
  }
}

/** Position of the line of a set. */
type LinePosition = { path: string; start: number; length: number }

/** Finds the lines of an earlier run, and truncates the file after the last complete one. */
function resume(path: string, positions: Map<number, LinePosition>): void {
  const bytes = readFileSync(path)
  let start = 0
  for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', start)) {
    const setId = parseSetId(bytes.toString('utf8', start, end))
    if (setId === undefined) break
    positions.set(setId, { path, start, length: end + 1 - start })
    start = end + 1
  }
  truncateSync(path, start)
}

function parseSetId(line: string): number | undefined {
  try {
    const { set }: SetBatch = JSON.parse(line)
    return set.id
  } catch {
    // After a power cut, a file may have its length but not its contents.
    return undefined
  }
}

/** @returns the offset of the line */
function append(path: string, line: Buffer): number {
  const start = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  try {
    appendFileSync(path, line)
  } catch (cause) {
    // A full disk may leave a partial line, which would corrupt the next one.
    truncateSync(path, start)
    throw cause
  }
  return start
}

function readText({ path, start, length }: LinePosition): string {
  const bytes = Buffer.alloc(length)
  const file = openSync(path, 'r')
  try {
    readSync(file, bytes, 0, length, start)
  } finally {
    closeSync(file)
  }
  return bytes.toString('utf8')
}
