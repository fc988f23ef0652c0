// Snapshots of the catalog on disk: packed for a bucket, or served by a replica.

import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { Snapshot } from '#rules/operations/snapshot-list.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { CATALOG_FILE } from './data-folder.ts'
import { renameDurably, syncToDisk, writeDurably } from './durable-files.ts'
import { listFolder, readIfExists } from './folder-entries.ts'
import { acquireLock } from './lock.ts'

const FOLDER = 'snapshots'
/** File with the name of the served snapshot. */
const SERVED = 'served'

/**
 * Locks the snapshots of this data folder, because two servers would write the same files.
 *
 * @returns a function that releases the lock
 * @throws ServiceError UNAVAILABLE if another server holds it
 */
export function lockSnapshots(dataDir: string): () => void {
  const unlock = acquireLock(dataDir, FOLDER)
  if (unlock !== undefined) return unlock
  throw new ServiceError(
    'UNAVAILABLE',
    'Another server uses the snapshots in this data folder. Give each server its own DATA_DIR.',
  )
}

/** Returns the folder of snapshots, created if missing. */
export function snapshotFolder(dataDir: string): string {
  const folder = join(dataDir, FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/**
 * Returns the file from which a server reads its catalog.
 *
 * @param isReplica true if the server gets its catalog from a bucket; before its first snapshot, it has an empty
 * catalog
 */
export function locateCatalog(dataDir: string, isReplica: boolean): string {
  const served = isReplica ? findServedSnapshot(dataDir) : undefined
  return served === undefined ? join(dataDir, CATALOG_FILE) : join(dataDir, FOLDER, served)
}

/** Returns the name of the snapshot that a replica serves; undefined before the first one. */
export function findServedSnapshot(dataDir: string): string | undefined {
  const path = join(dataDir, FOLDER, SERVED)
  const name = readIfExists(() => readFileSync(path, 'utf8'), 'ENOENT', 'ENOTDIR')?.trim()
  const isUsable = name !== undefined && existsSync(join(dataDir, FOLDER, name))
  return isUsable ? name : undefined
}

/** Marks a complete file as the one to serve, also after a restart, and deletes the others. */
export function serveSnapshot(dataDir: string, name: string): void {
  const folder = snapshotFolder(dataDir)
  writeDurably(join(folder, SERVED), `${name}\n`)
  for (const other of listFolder(folder)) {
    // An open file stays readable until it is closed.
    if (/^v\d+-/.test(other) && other !== name) rmSync(join(folder, other), { force: true })
  }
}

/**
 * Creates a folder for files that are being written, and deletes leftovers of killed processes.
 *
 * @param kind kind of work, which only one process does at a time
 */
export function createDraftFolder(
  dataDir: string,
  kind: 'upload' | 'rebase' | 'restore' | 'rollback' | 'pictures',
): string {
  const folder = snapshotFolder(dataDir)
  for (const name of listFolder(folder)) {
    if (name.startsWith(`${kind}-`)) rmSync(join(folder, name), { recursive: true, force: true })
  }
  return mkdtempSync(join(folder, `${kind}-`))
}

/** Returns the name of a snapshot's file, which contains the hash of its contents. */
export function snapshotFileName({
  version,
  sha256,
}: Pick<Snapshot, 'version' | 'sha256'>): string {
  return `v${version}-${sha256.slice(0, 16)}.db`
}

/** Compresses a file. @returns the sizes of both, and the hash of the file */
export async function packFile(
  from: string,
  to: string,
): Promise<Pick<Snapshot, 'sha256' | 'bytes' | 'compressed_bytes'>> {
  const hash = createHash('sha256')
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: LEVEL } })
  await pipeline(
    createReadStream(from, { highWaterMark: READ_BYTES }),
    inspect((chunk) => void hash.update(chunk)),
    compress,
    createWriteStream(to, { flags: 'wx' }),
  )
  const sha256 = hash.digest('hex')
  return { sha256, bytes: statSync(from).size, compressed_bytes: statSync(to).size }
}

/** An object in the bucket, with its hash and size after decompression. */
export type PublishedFile = Pick<Snapshot, 'key' | 'sha256' | 'bytes'>

/**
 * Decompresses a file as it arrives. It becomes visible once it is complete, checked and on disk.
 *
 * @throws ServiceError UNAVAILABLE if it is not the published file
 */
export async function unpackFile(
  path: string,
  file: PublishedFile,
  packed: AsyncIterable<Uint8Array>,
): Promise<void> {
  const part = `${path}.part`
  const hash = createHash('sha256')
  let bytes = 0
  const check = inspect((chunk) => {
    hash.update(chunk)
    bytes += chunk.length
    // A few bytes can decompress to a size that fills the disk.
    if (bytes > file.bytes) throw damaged(file)
  })
  try {
    await pipeline(packed, createZstdDecompress(), check, createWriteStream(part))
    if (bytes !== file.bytes || hash.digest('hex') !== file.sha256) throw damaged(file)
    syncToDisk(part)
    renameDurably(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    throw isOfContent(error) ? damaged(file) : error
  }
}

/** Creates a stream that passes bytes on unchanged, and shows them to a function. */
function inspect(look: (chunk: Buffer) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _, done) {
      try {
        look(chunk)
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

/** Returns true if zstd could not decompress the bytes. */
function isOfContent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^ZSTD|^Z_|ERR_ZSTD/.test(String(error.code))
}

function damaged({ key }: PublishedFile): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    `${key} in the bucket is not the file that was published: its size or its hash differs.`,
  )
}

/** For this catalog, half the size of gzip in a fifth of the time. */
const LEVEL = 3
const READ_BYTES = 2 ** 20
