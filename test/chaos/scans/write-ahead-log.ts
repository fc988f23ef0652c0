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

/** End of a commit: a number of frames in the generation of the log with this salt. */
export type LogPosition = { salt: string; frames: number }

/** The bytes of the index that are read here: two copies of its header, and how far was checkpointed. */
const INDEX_BYTES = 132

/** Returns the end of the last commit, from the open `-shm` of a database without other writers. */
export function lastCommit(shm: number): LogPosition {
  const index = Buffer.alloc(INDEX_BYTES)
  readSync(shm, index, 0, INDEX_BYTES, 0)
  return commitIn(index)
}

/** The index is in the machine's own byte order, but for the salt, which is as it is in the log. */
function commitIn(index: Buffer): LogPosition {
  return { salt: index.toString('hex', 32, 40), frames: index.readUInt32LE(16) }
}

/** The part of a log that only its writer's last moments can have left torn. */
export type UnsyncedTail = {
  salt: string
  /** The number of frames before it. */
  checkpointed: number
  frameBytes: number
  /** The offsets of its first byte, and of the one behind its last. */
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
  // The log was about to begin again: all that is in it is checkpointed.
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

/** A cut, a bit that is another one, and a sector that was never written while later ones were. */
export const DAMAGES = ['cut', 'flipped', 'unwritten'] as const

/**
 * Damages the loose end of a log at a random place.
 *
 * @returns how many frames of the log are before the damage
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
    // Zeros lose nothing.
    damaged = log.subarray(start, end).findIndex((byte) => byte !== 0)
    damaged = damaged < 0 ? to : start + damaged
    writeFileSync(path, log.fill(0, start, end))
  }
  return Math.floor((damaged - HEADER_BYTES) / frameBytes)
}
