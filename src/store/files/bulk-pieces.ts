import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type GzipFile, type GzipPiece, packPiece } from './gzip-file.ts'

/** Rows of a bulk file with their compressed form. */
export type BulkPiece = GzipPiece & { rows: number; hash: string }

/** Compresses the pieces of bulk files, or copies them from the previous version. */
export type BulkPieces = {
  /** Returns a piece of text with its compressed form. */
  pack(text: string, rows: number): BulkPiece
  /** Appends a piece to a file, and stores its position for the next version. */
  append(file: GzipFile, path: string, piece: BulkPiece): void
  /** Writes the positions of all pieces. */
  save(folder: string): void
  /** Closes the files of the previous version. */
  close(): void
}

/** Position of a compressed piece, and its checksum. */
type Position = { path: string; start: number; length: number; check: number }

/** @param before folder of the previous version, if it exists */
export function openBulkPieces(before: string | undefined): BulkPieces {
  const known = before === undefined ? new Map<string, Position>() : readPositions(before)
  const files = new Map<string, number>()
  const positions = new Map<string, Position>()

  function open(path: string): number {
    const file = files.get(path) ?? openSync(join(before ?? '', path), 'r')
    files.set(path, file)
    return file
  }

  /** Returns undefined if the previous version does not have the piece, or if it is damaged on disk. */
  function copy(hash: string): Uint8Array | undefined {
    const position = known.get(hash)
    if (position === undefined) return undefined
    const packed = new Uint8Array(position.length)
    try {
      readSync(open(position.path), packed, 0, position.length, position.start)
    } catch {
      // An unreadable file only costs the time to compress the piece again.
      return undefined
    }
    return crc32(packed) === position.check ? packed : undefined
  }

  return {
    pack(text, rows) {
      const bytes = Buffer.from(text)
      const hash = createHash('sha256').update(bytes).digest('base64')
      return { bytes, packed: copy(hash) ?? packPiece(bytes), rows, hash }
    },
    append(file, path, piece) {
      const start = file.append(piece, piece.rows)
      const { hash, packed } = piece
      if (positions.has(hash)) return
      positions.set(hash, { path, start, length: packed.length, check: crc32(packed) })
    },
    save: (folder) =>
      writeFileSync(join(folder, POSITIONS), JSON.stringify([...positions]), { flush: true }),
    close() {
      for (const file of files.values()) closeSync(file)
    },
  }
}

const POSITIONS = 'pieces.json'

/** Returns no positions if the file is missing or damaged, so that every piece is compressed. */
function readPositions(folder: string): Map<string, Position> {
  try {
    return new Map(JSON.parse(readFileSync(join(folder, POSITIONS), 'utf8')))
  } catch {
    return new Map()
  }
}
