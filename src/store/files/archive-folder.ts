import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ServiceError } from '#rules/primitives/errors.ts'
import { readDiskSpace } from './file-sizes.ts'
import { listFolder } from './folder-entries.ts'
import { type HistoryImportRecord, readHistoryImport } from './history-import-record.ts'

/** A folder or an archive in the folder of imports. */
export type OfferedArchive = { name: string; kind: 'folder' | 'archive'; bytes: number | null }

/** A piece of an archive that is uploaded. */
export type ArchivePiece = {
  /** Name of the file. */
  name: string
  /** Bytes before the piece. */
  offset: number
  /** Bytes of the whole file. */
  size: number
  bytes: Uint8Array
}

export type StoredPiece = {
  /** Name under which the archive can be imported; null until all of it has arrived. */
  archive: string | null
  received: number
}

/** Archives of older prices that operators provide: `import` in the data folder. */
export type ArchiveFolder = {
  /** Lists what can be imported, without links. */
  list(): OfferedArchive[]
  /** Returns the path of a listed folder or archive; undefined if it is not listed. */
  find(name: string): string | undefined
  /**
   * Stores a piece of an archive. A piece can be sent again. The last one makes the archive available.
   *
   * @throws ServiceError VALIDATION_ERROR if a piece before it is missing, UNAVAILABLE without enough space
   */
  putPiece(piece: ArchivePiece): Promise<StoredPiece>
  /** Returns the record of the last import; undefined before the first. */
  getLastImport(): HistoryImportRecord | undefined
}

export function openArchiveFolder(dataDir: string): ArchiveFolder {
  const folder = folderOf(dataDir)

  function describe(name: string): OfferedArchive | undefined {
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false })
    if (stats?.isDirectory() === true) return { name, kind: 'folder', bytes: null }
    return stats?.isFile() === true ? { name, kind: 'archive', bytes: stats.size } : undefined
  }

  return {
    list: () =>
      listFolder(folder)
        .filter((name) => !name.startsWith('.'))
        .sort()
        .slice(0, LISTED_MAX)
        .flatMap((name) => describe(name) ?? []),
    find: (name) => (isListable(name) && describe(name) ? join(folder, name) : undefined),
    async putPiece({ name, offset, size, bytes }) {
      const end = offset + bytes.length
      if (end > size) throw invalid('`size` is less than the bytes that were sent.')
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      if (offset === 0) {
        removeUnfinished(folder)
        assertSpace(dataDir, size)
      }
      const path = join(folder, `${UNFINISHED}${name}`)
      const before = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
      if (offset > before) {
        throw invalid(
          `\`offset\` is beyond the ${before} bytes that have arrived. Send those first.`,
        )
      }
      await writeAt(path, bytes, { offset, isNew: before === 0 })
      const received = Math.max(before, end)
      if (received < size) return { archive: null, received }
      await rename(path, join(folder, `${UPLOADED}${name}`))
      return { archive: `${UPLOADED}${name}`, received }
    },
    getLastImport: () => readHistoryImport(dataDir),
  }
}

const LISTED_MAX = 100

/** Returns true for a name that the list can contain, and that a file system accepts. */
function isListable(name: string): boolean {
  const isPlain = name === basename(name) && !name.startsWith('.') && !name.includes('\\')
  return isPlain && Buffer.byteLength(name) <= NAME_BYTES_MAX
}

const NAME_BYTES_MAX = 255

async function writeAt(
  path: string,
  bytes: Uint8Array,
  { offset, isNew }: { offset: number; isNew: boolean },
): Promise<void> {
  const file = await open(path, isNew ? 'w' : 'r+')
  try {
    for (let at = 0; at < bytes.length; ) {
      at += (await file.write(bytes, at, bytes.length - at, offset + at)).bytesWritten
    }
  } finally {
    await file.close()
  }
}

/** Deletes an archive that was uploaded, after its import. Files that an operator has put there stay. */
export function removeUploadedArchive(dataDir: string, path: string): void {
  const isUploaded = dirname(path) === folderOf(dataDir) && basename(path).startsWith(UPLOADED)
  if (isUploaded) rmSync(path, { force: true })
}

function removeUnfinished(folder: string): void {
  for (const name of listFolder(folder)) {
    if (name.startsWith(UNFINISHED)) rmSync(join(folder, name), { force: true })
  }
}

/** The sorted files of an archive need some more space than the archive. */
function assertSpace(dataDir: string, size: number): void {
  if (readDiskSpace(dataDir).free_bytes > 3 * size + SPARE_BYTES) return
  throw new ServiceError(
    'UNAVAILABLE',
    'The disk of the server has too little free space for this archive: three times its size are needed.',
  )
}

const SPARE_BYTES = 500_000_000

const folderOf = (dataDir: string) => join(dataDir, 'import')

const UNFINISHED = '.uploading-'
const UPLOADED = 'uploaded-'

function invalid(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message)
}
