import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BulkFile, BulkManifest } from '#rules/pricing/bulk-list.ts'
import { listFolder, readIfExists } from './folder-entries.ts'

/** Queries for bulk files, which other processes write. The folder is read again at most once per second. */
export type BulkFileStore = {
  /** Returns the newest version; undefined if not found. */
  getCurrent(): BulkManifest | undefined
  /** Returns a file; its path comes from the manifest, not the request. Undefined if not found. */
  find(version: number, game: string, name: string): (BulkFile & { path: string }) | undefined
}

/** Opens the folder of bulk files for reading. */
export function openBulkFileStore(dataDir: string): BulkFileStore {
  const root = bulkFolder(dataDir)
  let readAt = Number.NEGATIVE_INFINITY
  let versions: CachedVersion[] = []

  /** Returns the complete versions, newest first. */
  function latest(): CachedVersion[] {
    if (performance.now() - readAt < REREAD_MS) return versions
    readAt = performance.now()
    versions = listBulkVersions(root).flatMap((version) => {
      const stamp = readStamp(join(root, bulkVersionFolder(version), BULK_MANIFEST))
      if (stamp === undefined) return []
      const known = versions.find((cached) => cached.stamp === stamp)
      return known ?? readVersion(root, version, stamp) ?? []
    })
    return versions
  }

  return {
    getCurrent: () => latest()[0]?.manifest,
    find(version, game, name) {
      const cached = latest().find(({ manifest }) => manifest.version === version)
      return cached?.files.get(`${game}/${name}`)
    },
  }
}

const REREAD_MS = 1_000

/** A version cached in memory until its manifest is replaced. */
type CachedVersion = {
  stamp: string
  manifest: BulkManifest
  files: ReadonlyMap<string, BulkFile & { path: string }>
}

function readVersion(root: string, version: number, stamp: string): CachedVersion | undefined {
  const bulkManifest = readBulkManifest(root, version)
  if (bulkManifest === undefined) return undefined
  const folder = join(root, bulkVersionFolder(version))
  const files = bulkManifest.files.map((file) => {
    const place = `${file.game}/${file.name}`
    return [place, { ...file, path: join(folder, place) }] as const
  })
  return { stamp, manifest: bulkManifest, files: new Map(files) }
}

function readStamp(path: string): string | undefined {
  const found = readIfExists(() => statSync(path), 'ENOENT', 'ENOTDIR')
  return found && `${path} ${found.ino} ${found.mtimeMs}`
}

/** Folder with one subfolder per version, which gets its name when it is complete. */
export const bulkFolder = (dataDir: string) => join(dataDir, 'bulk')
export const bulkVersionFolder = (version: number) => `v${version}`
export const BULK_MANIFEST = 'manifest.json'

/** Lists the complete versions, newest first. */
export function listBulkVersions(root: string): number[] {
  return listFolder(root)
    .flatMap((name) => /^v(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a)
}

/** Reads the manifest of a version; undefined if its files do not exist or it is damaged. */
export function readBulkManifest(root: string, version: number): BulkManifest | undefined {
  const path = join(root, bulkVersionFolder(version), BULK_MANIFEST)
  const text = readIfExists(() => readFileSync(path, 'utf8'), 'ENOENT', 'ENOTDIR')
  if (text === undefined) return undefined
  try {
    // Written only by bulk-build.ts, and complete as soon as its folder has its name.
    return JSON.parse(text) as BulkManifest
  } catch {
    // The next build replaces it.
    return undefined
  }
}
