import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorCode } from '#rules/primitives/system-errors.ts'
import { ARCHIVE_LIMITS, type ArchiveLimits, leavesFolder } from '#rules/sync/daily-layout.ts'
import { readUploadFile } from '#store/files/upload-files.ts'
import { isZip, listZipEntries, scanZipEntries, unzipEntry } from '../../pricing/unzip.ts'
import { type ArchiveReader, type EntryCheck, type ReadOptions, readTar } from './tar-files.ts'

/**
 * Opens a `.zip`, `.tar.gz` or `.tar.zst` archive, which its first bytes tell apart. No file is written: names only
 * select what is read.
 *
 * @param isWanted selects the files by their path
 * @throws ServiceError VALIDATION_ERROR if it is another file; `files` also for links, paths that climb and bombs
 */
export function openArchive(
  path: string,
  isWanted: (path: string) => boolean,
  limits = ARCHIVE_LIMITS,
): ArchiveReader {
  const { size } = statSync(path)
  const check = checkEntries(size, limits)
  const first = readFirst(path)
  if (isZip(first) || isEmptyZip(first)) return openZip(path, size, { isWanted, check, limits })
  const isGzip = first[0] === 0x1f && first[1] === 0x8b
  if (!isGzip && first.readUInt32LE(0) !== ZSTD_MAGIC) throw noArchive(first)
  let isCut = false
  return {
    isCut: () => isCut,
    async *files() {
      const packed = createReadStream(path, { highWaterMark: CHUNK_BYTES })
      const unpack = isGzip ? createGunzip() : createZstdDecompress()
      // Errors end the iteration below.
      const bytes = pipeline(packed, unpack, () => {})
      const tar = readTar(endAtCut(bytes), { isWanted, check, limits })
      try {
        yield* tar.files()
      } finally {
        packed.destroy()
      }
      isCut = tar.isCut()
    },
  }
}

const CHUNK_BYTES = 256 * 1024
const ZSTD_MAGIC = 0xfd2fb528

function readFirst(path: string): Buffer {
  const first = Buffer.alloc(8)
  const file = openSync(path, 'r')
  try {
    readSync(file, first, 0, first.length, 0)
  } finally {
    closeSync(file)
  }
  return first
}

function isEmptyZip(first: Buffer): boolean {
  return first.toString('latin1', 0, 4) === 'PK\x05\x06'
}

function noArchive(first: Buffer): ServiceError {
  const is7z = first.toString('latin1', 0, 2) === '7z'
  return invalid(
    is7z
      ? 'A 7z archive cannot be read. Extract it, and import the folder.'
      : 'The file is not an archive. Use a .zip, .tar.gz or .tar.zst file, or a folder.',
  )
}

function invalid(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message)
}

/** Ends where compressed data is cut off; the archive in it then lacks its end, too. */
async function* endAtCut(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined || !CUT_CODES.has(code)) throw unreadable(error)
  }
}

const CUT_CODES: ReadonlySet<string> = new Set(['Z_BUF_ERROR', 'ZSTD_error_srcSize_wrong'])

function unreadable(error: unknown): unknown {
  const code = errorCode(error)
  const isOfData = code !== undefined && /^(Z_|ZSTD_|ERR_ZLIB)/.test(code)
  return isOfData ? invalid('The archive is damaged. Copy or download it again.') : error
}

/** @throws ServiceError VALIDATION_ERROR for the first entry that no archive of prices has */
function checkEntries(archiveBytes: number, limits: ArchiveLimits): EntryCheck {
  const bytesMax = Math.min(limits.bytes, limits.ratioFromBytes + archiveBytes * limits.ratio)
  let files = 0
  let sum = 0
  return ({ path, bytes, isLink }) => {
    files++
    sum += bytes
    if (files > limits.files) throw invalid('The archive has too many files. Split it by year.')
    if (sum > bytesMax) throw invalid('The archive is too large when extracted. Split it by year.')
    if (isLink) throw invalid('The archive has links. Create it without them.')
    if (path.length > limits.pathLength) throw invalid('The archive has paths that are too long.')
    if (leavesFolder(path)) throw invalid('The archive has paths that lead outside its folder.')
  }
}

function openZip(
  path: string,
  size: number,
  { isWanted, check, limits }: ReadOptions,
): ArchiveReader {
  let isCut = false
  return {
    isCut: () => isCut,
    async *files() {
      const file = openSync(path, 'r')
      try {
        const archive = readUploadFile(file, size)
        const listed = listZipEntries(archive)
        isCut = listed === undefined
        for (const entry of listed ?? scanZipEntries(archive)) {
          check({ path: entry.name, bytes: entry.size, isLink: entry.kind === 'link' })
          if (entry.kind !== 'file' || !isWanted(entry.name)) continue
          yield { path: entry.name, bytes: unzipEntry(archive, entry, limits.fileBytes) }
        }
      } catch (error) {
        if (error instanceof ServiceError || errorCode(error) !== undefined) throw error
        throw invalid('The directory of the archive is damaged. Copy or download it again.')
      } finally {
        closeSync(file)
      }
    },
  }
}
