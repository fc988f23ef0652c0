/**
 * The write-ahead log of an SQLite file as bytes, and its possible states after a power cut. Its
 * layout is part of SQLite's file format; that of the index beside it (`-shm`) is internal to
 * SQLite.
 */
import { existsSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { pick } from '../../support/random.ts'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** Size of an atomic disk write. */
const SECTOR_BYTES = 512

/** End of a commit: a number of frames in the log generation with this salt. */
export type LogPosition = { salt: string; frames: number }

/** Size of the index part that is read: two copies of its header, and the checkpoint position. */
const INDEX_BYTES = 132

/** Returns the end of the last commit, from the open `-shm` of a database without other writers. */
export function lastCommit(shm: number): LogPosition {
  const index = Buffer.alloc(INDEX_BYTES)
  readSync(shm, index, 0, INDEX_BYTES, 0)
  return commitIn(index)
}

/** The index uses the machine's byte order, except for the salt, which has the log's. */
function commitIn(index: Buffer): LogPosition {
  return { salt: index.toString('hex', 32, 40), frames: index.readUInt32LE(16) }
}

/** The part of a log that can be torn because its writer wrote it last. */
export type UnsyncedTail = {
  salt: string
  /** Number of frames before it. */
  checkpointed: number
  frameBytes: number
  /** Offsets of its first byte, and of the byte after its last. */
  from: number
  to: number
}

/**
 * Finds the bytes of a log after the last checkpointed frame. SQLite has synced those before it to
 * the disk, and may have copied them to the database, so a power cut cannot remove them.
 *
 * @returns undefined if every byte was checkpointed
 */
export function findUnsyncedTail(database: string): UnsyncedTail | undefined {
  if (!existsSync(`${database}-wal`) || !existsSync(`${database}-shm`)) return undefined
  const [log, index] = [readFileSync(`${database}-wal`), readFileSync(`${database}-shm`)]
  if (log.length < HEADER_BYTES || index.length < INDEX_BYTES) return undefined
  const salt = log.toString('hex', 16, 24)
  // The log was about to restart: everything in it is checkpointed.
  if (commitIn(index).salt !== salt) return undefined
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8)
  const checkpointed = Math.max(index.readUInt32LE(96), index.readUInt32LE(128))
  const from = HEADER_BYTES + checkpointed * frameBytes
  let to = from
  while (to + frameBytes <= log.length && log.toString('hex', to + 8, to + 16) === salt) {
    to += frameBytes
  }
  return to > from ? { salt, checkpointed, frameBytes, from, to } : undefined
}

/** A truncation, a flipped bit, and an unwritten sector before written ones. */
export const DAMAGES = ['cut', 'flipped', 'unwritten'] as const

/**
 * Damages the unsynced end of a log at a random place.
 *
 * @returns number of frames before the damage
 */
export function damageLog(
  database: string,
  kind: (typeof DAMAGES)[number],
  { from, to, frameBytes }: UnsyncedTail,
  random: () => number,
): number {
  const path = `${database}-wal`
  const log = readFileSync(path)
  const at = from + Math.floor(random() * (to - from))
  let damaged = at
  if (kind === 'cut') writeFileSync(path, log.subarray(0, at))
  else if (kind === 'flipped') {
    log.writeUInt8(log.readUInt8(at) ^ pick(random, [1, 2, 4, 8, 16, 32, 64, 128]), at)
    writeFileSync(path, log)
  } else {
    const end = Math.min(to, (Math.floor(at / SECTOR_BYTES) + 1) * SECTOR_BYTES)
    const start = Math.max(from, end - SECTOR_BYTES)
    // Overwriting zeros with zeros loses nothing.
    damaged = log.subarray(start, end).findIndex((byte) => byte !== 0)
    damaged = damaged < 0 ? to : start + damaged
    writeFileSync(path, log.fill(0, start, end))
  }
  return Math.floor((damaged - HEADER_BYTES) / frameBytes)
}
