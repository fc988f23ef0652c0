import { crc32, inflateRawSync } from 'node:zlib'

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
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return extract(zip, bytesMax)
  } catch (error) {
    // An offset outside the archive, or data that cannot be inflated.
    if (error instanceof Error) return undefined
    throw error
  }
}

function extract(zip: Buffer, bytesMax: number): Uint8Array | undefined {
  const end = zip.lastIndexOf(END_RECORD)
  const entry = zip.readUInt32LE(end + 16)
  const isSingle = zip.readUInt16LE(end + 10) === 1
  if (end < 0 || !isSingle || zip.readUInt32LE(entry) !== ENTRY_SIGNATURE) return undefined
  const [flags, method] = [zip.readUInt16LE(entry + 8), zip.readUInt16LE(entry + 10)]
  const [checksum, packedSize, size] = [16, 20, 24].map((at) => zip.readUInt32LE(entry + at))
  if ((flags & ENCRYPTED) !== 0 || size === undefined || size > bytesMax) return undefined
  const local = zip.readUInt32LE(entry + 42)
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  const packed = zip.subarray(start, start + (packedSize ?? 0))
  const file = method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: bytesMax })
  return file.length === size && crc32(file) === checksum ? file : undefined
}

const END_RECORD = Buffer.from('PK\x05\x06', 'latin1')
const ENTRY_SIGNATURE = 0x02014b50
const ENCRYPTED = 1
const STORED = 0
