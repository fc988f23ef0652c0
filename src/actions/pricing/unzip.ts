import { crc32, inflateRawSync } from 'node:zlib'
import type { FileBytes } from '#rules/primitives/file-bytes.ts'

/** A file in a ZIP archive. */
export type ZipEntry = {
  name: string
  kind: 'file' | 'folder' | 'link'
  isEncrypted: boolean
  method: number
  checksum: number
  packedSize: number
  size: number
  /** Offset of the header before its data. */
  header: number
}

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
    const [entry, second] = listZipEntries(bytes)?.take(2) ?? []
    return entry === undefined || second !== undefined
      ? undefined
      : unzipEntry(bytes, entry, bytesMax)
  } catch (error) {
    // An offset outside the archive.
    if (error instanceof Error) return undefined
    throw error
  }
}

/**
 * Extracts a file of an archive.
 *
 * @returns undefined if it is damaged, encrypted or too large
 */
export function unzipEntry(
  archive: FileBytes,
  { header, isEncrypted, method, checksum, packedSize, size }: ZipEntry,
  bytesMax: number,
): Uint8Array | undefined {
  if (isEncrypted || size > bytesMax || packedSize > bytesMax + HEADER_BYTES) return undefined
  const local = view(archive, header, LOCAL_BYTES)
  if (local.readUInt32LE(0) !== LOCAL_SIGNATURE) return undefined
  const start = header + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28)
  const packed = archive.subarray(start, start + packedSize)
  try {
    // Inflating stops at the first byte beyond the limit.
    const file = method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: bytesMax })
    return file.length === size && crc32(file) === checksum ? file : undefined
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

/** Room for data that deflating has made longer. */
const HEADER_BYTES = 65_536

/**
 * Lists the files named in the directory at the end of an archive. The header before a file lacks its sizes if the
 * archive was written as a stream.
 *
 * @returns undefined without a directory: the archive was cut off, or is another file
 */
export function listZipEntries(archive: FileBytes): Generator<ZipEntry> | undefined {
  const directory = findDirectory(archive)
  return directory && readDirectory(archive, directory)
}

/** Lists the files in front of the cut in an archive without a directory, as far as headers have their sizes. */
export function* scanZipEntries(archive: FileBytes): Generator<ZipEntry> {
  for (let at = 0; at + LOCAL_BYTES <= archive.length; ) {
    const header = view(archive, at, LOCAL_BYTES)
    const hasSizes = (header.readUInt16LE(6) & SIZES_LATER) === 0
    if (header.readUInt32LE(0) !== LOCAL_SIGNATURE || !hasSizes) return
    const packedSize = header.readUInt32LE(18)
    const nameLength = header.readUInt16LE(26)
    const end = at + LOCAL_BYTES + nameLength + header.readUInt16LE(28) + packedSize
    if (end > archive.length) return
    const name = readText(archive, at + LOCAL_BYTES, nameLength)
    yield {
      name,
      kind: name.endsWith('/') ? 'folder' : 'file',
      isEncrypted: (header.readUInt16LE(6) & ENCRYPTED) !== 0,
      method: header.readUInt16LE(8),
      checksum: header.readUInt32LE(14),
      packedSize,
      size: header.readUInt32LE(22),
      header: at,
    }
    at = end
  }
}

type Directory = { entries: number; start: number }

/** Finds the end record, behind which only a comment may stand. */
function findDirectory(archive: FileBytes): Directory | undefined {
  const from = Math.max(0, archive.length - END_BYTES - COMMENT_BYTES_MAX)
  const tail = view(archive, from, archive.length - from)
  const at = tail.lastIndexOf(END_RECORD)
  if (at < 0 || at + END_BYTES > tail.length) return undefined
  const small = { entries: tail.readUInt16LE(at + 10), start: tail.readUInt32LE(at + 16) }
  const isSmall = small.entries !== UNKNOWN_16 && small.start !== UNKNOWN_32
  return isSmall ? small : findLargeDirectory(archive, from + at)
}

/** Finds the directory of an archive with more than 65,534 files, or of more than 4 GB. */
function findLargeDirectory(archive: FileBytes, end: number): Directory | undefined {
  const locator = view(archive, Math.max(0, end - LOCATOR_BYTES), LOCATOR_BYTES)
  if (locator.readUInt32LE(0) !== LOCATOR_SIGNATURE) return undefined
  const record = view(archive, Number(locator.readBigUInt64LE(8)), LARGE_END_BYTES)
  if (record.readUInt32LE(0) !== LARGE_END_SIGNATURE) return undefined
  return {
    entries: Number(record.readBigUInt64LE(32)),
    start: Number(record.readBigUInt64LE(48)),
  }
}

/** @throws Error if the directory is damaged */
function* readDirectory(archive: FileBytes, { entries, start }: Directory): Generator<ZipEntry> {
  let at = start
  for (let index = 0; index < entries; index++) {
    const entry = view(archive, at, ENTRY_BYTES)
    if (entry.readUInt32LE(0) !== ENTRY_SIGNATURE) throw new Error('the directory is damaged')
    const nameLength = entry.readUInt16LE(28)
    const extraLength = entry.readUInt16LE(30)
    const name = readText(archive, at + ENTRY_BYTES, nameLength)
    const offset = entry.readUInt32LE(42)
    const extra = view(archive, at + ENTRY_BYTES + nameLength, extraLength)
    yield {
      name,
      kind: kindOf(name, entry),
      isEncrypted: (entry.readUInt16LE(8) & ENCRYPTED) !== 0,
      method: entry.readUInt16LE(10),
      checksum: entry.readUInt32LE(16),
      packedSize: entry.readUInt32LE(20),
      size: entry.readUInt32LE(24),
      header: offset === UNKNOWN_32 ? readLargeOffset(extra) : offset,
    }
    at += ENTRY_BYTES + nameLength + extraLength + entry.readUInt16LE(32)
  }
}

/** Systems of Unix store the type of a file in the upper half of its attributes. */
function kindOf(name: string, entry: Buffer): ZipEntry['kind'] {
  const type = (entry.readUInt32LE(38) >>> 16) & TYPE_MASK
  if (type === TYPE_LINK) return 'link'
  return name.endsWith('/') ? 'folder' : 'file'
}

/** Reads the offset of an entry beyond 4 GB. Its sizes are below, so it is the only number. */
function readLargeOffset(extra: Buffer): number {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === LARGE_EXTRA) return Number(extra.readBigUInt64LE(at + 4))
  }
  throw new Error('the directory lacks an offset')
}

/** @throws Error outside the archive */
function view(archive: FileBytes, start: number, length: number): Buffer {
  if (start < 0 || start + length > archive.length) throw new Error('an offset is outside')
  const bytes = archive.subarray(start, start + length)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function readText(archive: FileBytes, start: number, length: number): string {
  return view(archive, start, length).toString('utf8')
}

const END_RECORD = Buffer.from('PK\x05\x06', 'latin1')
const END_BYTES = 22
const COMMENT_BYTES_MAX = 65_535
const LOCATOR_SIGNATURE = 0x07064b50
const LOCATOR_BYTES = 20
const LARGE_END_SIGNATURE = 0x06064b50
const LARGE_END_BYTES = 56
const LARGE_EXTRA = 1
const ENTRY_SIGNATURE = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL_SIGNATURE = 0x04034b50
const LOCAL_BYTES = 30
const UNKNOWN_16 = 0xffff
const UNKNOWN_32 = 0xffffffff
const ENCRYPTED = 1
const SIZES_LATER = 8
const STORED = 0
const TYPE_MASK = 0o170000
const TYPE_LINK = 0o120000
