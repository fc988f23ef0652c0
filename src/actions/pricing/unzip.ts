import { crc32 } from 'node:zlib'
import { Unzip, UnzipInflate } from 'fflate'

/** Returns true if bytes begin like a ZIP archive. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4
}

/**
 * Extracts the file of a ZIP archive that has only one.
 *
 * @returns undefined if the archive has several files, is damaged or encrypted, or if the file is too large
 */
export function unzipOnlyFile(bytes: Uint8Array, bytesMax: number): Uint8Array | undefined {
  try {
    const file = extract(bytes, bytesMax)
    return crc32(file) === readChecksum(bytes) ? file : undefined
  } catch (error) {
    // Several or large files, data that cannot be inflated, or an archive without a directory.
    if (error instanceof Error) return undefined
    throw error
  }
}

/** @throws Error without a file, for a second one, and as soon as the file is too large */
function extract(bytes: Uint8Array, bytesMax: number): Buffer {
  const chunks: Uint8Array[] = []
  let files = 0
  let size = 0
  const archive = new Unzip((file) => {
    if (++files > 1) throw new Error('the archive has several files')
    file.ondata = (error, chunk) => {
      if (error !== null) throw error
      size += chunk.length
      if (size > bytesMax) throw new Error('the file is too large')
      chunks.push(chunk)
    }
    file.start()
  })
  archive.register(UnzipInflate)
  // Deflated data grows by a factor of a thousand at most.
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const end = at + CHUNK_BYTES
    archive.push(bytes.subarray(at, end), end >= bytes.length)
  }
  if (files === 0) throw new Error('the archive has no file')
  return Buffer.concat(chunks)
}

/** Reads the checksum in the directory, which fflate does not compare. @throws Error if it was cut off */
function readChecksum(bytes: Uint8Array): number {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = zip.lastIndexOf(END_RECORD)
  if (end < 0) throw new Error('the archive has no directory')
  const entry = zip.readUInt32LE(end + 16)
  return zip.readUInt32LE(entry + 16)
}

const CHUNK_BYTES = 4_096
const END_RECORD = Buffer.from('PK\x05\x06', 'latin1')
