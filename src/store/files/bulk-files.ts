import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { hasErrorCode } from '#rules/primitives/system-error-code.ts'
import type { GzipFacts } from './gzip-file.ts'

/** One file of the whole catalog, or of all that it has of one game. */
export type BulkFile = GzipFacts & {
  type: 'cards' | 'prices' | 'catalog'
  /** A game's slug, or `all`. */
  game: string
  format: 'jsonl.gz' | 'csv.gz' | 'sqlite.gz'
  /** What it is called, beside the game's other files. */
  name: string
  /** When the catalog became what the file has, ISO 8601. */
  updated_at: string
}

/** What was made of one version of the catalog. */
export type BulkManifest = {
  version: number
  built_at: string
  published_at: string | null
  updated_at: string
  files: BulkFile[]
}

/**
 * Queries for bulk files. Other threads and processes write them, so the folder is read again at
 * most once a second.
 */
export type BulkFileStore = {
  /** Returns the newest version; undefined if there is none. */
  getCurrent(): BulkManifest | undefined
  /**
   * Returns a file of a stored version; undefined if there is none. Paths come from the manifest, never
   * from the request.
   */
  find(version: number, game: string, name: string): (BulkFile & { path: string }) | undefined
}

/** Opens the folder of bulk files for reading. */
export function openBulkFileStore(dataDir: string): BulkFileStore {
  const root = bulkFolder(dataDir)
  let lookedAt = Number.NEGATIVE_INFINITY
  let shelves: Shelf[] = []

  /** The versions that are whole, newest first. */
  function latest(): Shelf[] {
    if (performance.now() - lookedAt < LOOK_EVERY_MS) return shelves
    lookedAt = performance.now()
    shelves = listBulkVersions(root).flatMap((version) => {
      const stamp = stampOf(join(root, bulkVersionFolder(version), BULK_MANIFEST))
      if (stamp === undefined) return []
      const known = shelves.find((shelf) => shelf.stamp === stamp)
      return known ?? shelfOf(root, version, stamp) ?? []
    })
    return shelves
  }

  return {
    getCurrent: () => latest()[0]?.manifest,
    find(version, game, name) {
      const shelf = latest().find(({ manifest }) => manifest.version === version)
      return shelf?.files.get(`${game}/${name}`)
    },
  }
}

const LOOK_EVERY_MS = 1_000

/** A version as it is kept in memory, until another file stands in place of its manifest. */
type Shelf = {
  stamp: string
  manifest: BulkManifest
  files: ReadonlyMap<string, BulkFile & { path: string }>
}

function shelfOf(root: string, version: number, stamp: string): Shelf | undefined {
  const bulkManifest = readBulkManifest(root, version)
  if (bulkManifest === undefined) return undefined
  const folder = join(root, bulkVersionFolder(version))
  const files = bulkManifest.files.map((file) => {
    const place = `${file.game}/${file.name}`
    return [place, { ...file, path: join(folder, place) }] as const
  })
  return { stamp, manifest: bulkManifest, files: new Map(files) }
}

function stampOf(path: string): string | undefined {
  const found = readOrNothing(() => statSync(path))
  return found && `${path} ${found.ino} ${found.mtimeMs}`
}

/** Where the files lie: a folder a version. One that bears its name is whole. */
export const bulkFolder = (dataDir: string) => join(dataDir, 'bulk')
export const bulkVersionFolder = (version: number) => `v${version}`
export const BULK_MANIFEST = 'manifest.json'

/** The versions whose files are whole, newest first. */
export function listBulkVersions(root: string): number[] {
  return listNames(root)
    .flatMap((name) => /^v(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a)
}

/** What stands in a folder; nothing where there is none. */
export function listNames(folder: string): string[] {
  return readOrNothing(() => readdirSync(folder)) ?? []
}

/** What was made of a version; undefined where its files are not there (any more). */
export function readBulkManifest(root: string, version: number): BulkManifest | undefined {
  const path = join(root, bulkVersionFolder(version), BULK_MANIFEST)
  // Only bulk-build.ts writes such a file, and no folder gets its name before it is whole.
  return readOrNothing(() => JSON.parse(readFileSync(path, 'utf8')) as BulkManifest)
}

/** Somebody may remove at any moment what has just been seen. */
function readOrNothing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}
