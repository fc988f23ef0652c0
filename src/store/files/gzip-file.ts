import { createHash } from 'node:crypto'
import { closeSync, createReadStream, fsyncSync, openSync, writeSync } from 'node:fs'
import { constants, crc32, deflateRawSync } from 'node:zlib'

/** Published facts about a file: its size on disk, its hash and its number of rows. */
export type GzipFacts = { size: number; sha256: string; rows: number }

/** A piece of a file and its compressed form, which can be part of any gzip file. */
export type GzipPiece = { bytes: Uint8Array; packed: Uint8Array }

/** A gzip file that is being written. */
export type GzipFile = {
  /** Appends a piece. @returns the place of its compressed form in the file */
  append(piece: GzipPiece, rows: number): number
  /** Appends another file with this number of rows. */
  appendFile(source: string, rows: number): Promise<void>
  /** Completes the file and syncs it to disk. */
  end(): GzipFacts
  /** Closes the file without completing it. */
  discard(): void
}

/**
 * Compresses a piece. The compressed form ends at a byte boundary, does not refer to earlier bytes and leaves the
 * stream open, so that forms can be concatenated (RFC 1951, 3.2.3 and 3.2.4).
 */
export function packPiece(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
}

/**
 * Creates a file with one gzip member, because some readers stop after the first. The same pieces produce the same
 * bytes. They are written one by one, so the file is never in memory.
 */
export function openGzipFile(path: string): GzipFile {
  const file = openSync(path, 'wx')
  const hash = createHash('sha256')
  let check = 0
  let length = 0
  let size = 0
  let rows = 0
  let isOpen = true
  write(HEADER)

  function write(bytes: Uint8Array): void {
    hash.update(bytes)
    size += bytes.length
    writeWhole(file, bytes)
  }

  function append({ bytes, packed }: GzipPiece, itsRows: number): number {
    const place = size
    check = crc32(bytes, check)
    length += bytes.length
    rows += itsRows
    write(packed)
    return place
  }

  function close(): void {
    if (isOpen) closeSync(file)
    isOpen = false
  }

  return {
    append,
    async appendFile(source, itsRows) {
      rows += itsRows
      for await (const bytes of createReadStream(source, { highWaterMark: READ_BYTES })) {
        append({ bytes, packed: packPiece(bytes) }, 0)
      }
    },
    end() {
      const sums = Buffer.alloc(8)
      sums.writeUInt32LE(check, 0)
      sums.writeUInt32LE(length % 2 ** 32, 4)
      write(Buffer.concat([LAST_BLOCK, sums]))
      fsyncSync(file)
      close()
      return { size, sha256: hash.digest('hex'), rows }
    },
    discard: close,
  }
}

/** Header of a member without name and time, from an unknown system (RFC 1952, 2.3). */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255)

/** An empty last block with fixed codes (RFC 1951, 3.2.6). */
const LAST_BLOCK = Uint8Array.of(0x03, 0x00)

const READ_BYTES = 2 ** 20

/** Repeats the write, because the system may write fewer bytes than requested. */
function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}
