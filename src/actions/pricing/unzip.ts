import { crc32, inflateRawSync } from 'node:zlib'

/** Returns true if bytes begin like a ZIP archive. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4
}

/**
 * Extracts the only file of a ZIP archive.
 *
 * @returns undefined if the archive has several files, is damaged or encrypted, or if the file is too large
 */
export function unzipOnlyFile(bytes: Uint8Array, bytesMax: number): Uint8Array | undefined {
  try {
    return extract(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), bytesMax)
  } catch (error) {
    // An offset outside the archive, or data that cannot be inflated within the limit.
    if (error instanceof Error) return undefined
    throw error
  }
}

/**
 * Extracts the file named in the directory at the end. The header before the file lacks its sizes if the archive was
 * written as a stream.
 */
function extract(zip: Buffer, bytesMax: number): Uint8Array | undefined {
  const end = zip.lastIndexOf(END_RECORD)
  const isSingle = zip.readUInt16LE(end + 10) === 1
  const entry = zip.readUInt32LE(end + 16)
  if (end < 0 || !isSingle || zip.readUInt32LE(entry) !== ENTRY_SIGNATURE) return undefined
  const isEncrypted = (zip.readUInt16LE(entry + 8) & 1) === 1
  const method = zip.readUInt16LE(entry + 10)
  const checksum = zip.readUInt32LE(entry + 16)
  const packedSize = zip.readUInt32LE(entry + 20)
  const size = zip.readUInt32LE(entry + 24)
  const header = zip.readUInt32LE(entry + 42)
  if (isEncrypted || size > bytesMax) return undefined
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
  const packed = zip.subarray(start, start + packedSize)
  // Inflating stops at the first byte beyond the limit.
  const file = method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: bytesMax })
  return file.length === size && crc32(file) === checksum ? file : undefined
}

const END_RECORD = Buffer.from('PK\x05\x06', 'latin1')
const ENTRY_SIGNATURE = 0x02014b50
const STORED = 0
