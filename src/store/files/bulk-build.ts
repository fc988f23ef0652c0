import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BULK_VERSIONS_KEPT, type BulkManifest } from '#rules/pricing/bulk-list.ts'
import {
  BULK_MANIFEST,
  bulkFolder,
  bulkVersionFolder,
  listBulkVersions,
  readBulkManifest,
} from './bulk-files.ts'
import { type BulkMonth, type BulkMonths, openBulkMonths } from './bulk-months.ts'
import { type BulkPiece, openBulkPieces } from './bulk-pieces.ts'
import { listFolder } from './folder-entries.ts'
import { type GzipFile, openGzipFile } from './gzip-file.ts'
import { acquireLock } from './lock.ts'

/** The folder of bulk files, locked for writing. */
export type BulkBuild = {
  /** Returns true if the files of exactly this version exist. Files of a replaced catalog do not count. */
  has(publication: { version: number; changed_at: string }): boolean
  /** Begins the files of a version. */
  begin(version: number): BulkDraft
  /** Deletes all versions except this one and the previous one, from which downloads may be resumed. */
  removeOthers(version: number): void
  /** Releases the lock. */
  close(): void
}

/** Locks the folder and deletes leftovers of killed builds; undefined while the lock is held. */
export function openBulkBuild(dataDir: string): BulkBuild | undefined {
  const unlock = acquireLock(dataDir, 'bulk')
  if (unlock === undefined) return undefined
  const root = bulkFolder(dataDir)
  mkdirSync(root, { recursive: true })
  for (const name of listFolder(root)) if (name.startsWith('.')) remove(join(root, name))

  return {
    has: ({ version, changed_at }) => readBulkManifest(root, version)?.updated_at === changed_at,
    begin: (version) => openDraft(root, version, openBulkMonths(root)),
    removeOthers(version) {
      const versions = listBulkVersions(root)
      // Higher versions belong to a replaced catalog.
      const keep = versions.filter((found) => found <= version).slice(0, BULK_VERSIONS_KEPT)
      for (const found of versions) {
        if (!keep.includes(found)) remove(join(root, bulkVersionFolder(found)))
      }
    },
    close: unlock,
  }
}

/** The files of a version that is being written. */
export type BulkDraft = {
  /** Creates a file. */
  createFile(game: string, name: string): BulkDraftFile
  /** Compresses rows, unless the previous version has the same rows. */
  pack(text: string, rows: number): BulkPiece
  /** Files of the history, which outlast this version. */
  months: BulkMonths
  /** Adds the file of a month. */
  linkMonth(bulkMonth: BulkMonth, game: string, name: string): void
  /** Path of a folder for temporary files. */
  scratch: string
  /** Publishes the files, all of which must be complete. */
  publish(bulkManifest: BulkManifest): void
  /** Deletes unpublished files. */
  discard(): void
}

/** A bulk file that is being written. */
export type BulkDraftFile = Pick<GzipFile, 'appendFile' | 'end'> & {
  /** Appends rows. */
  append(piece: BulkPiece): void
}

/** Creates a hidden folder, which gets its final name when it is published. */
function openDraft(root: string, version: number, months: BulkMonths): BulkDraft {
  const final = join(root, bulkVersionFolder(version))
  const folder = join(root, `.${bulkVersionFolder(version)}`)
  const scratch = join(root, `.${bulkVersionFolder(version)}-scratch`)
  const files: GzipFile[] = []
  const [newest] = listBulkVersions(root)
  const pieces = openBulkPieces(
    newest === undefined ? undefined : join(root, bulkVersionFolder(newest)),
  )
  mkdirSync(folder)
  return {
    createFile(game, name) {
      mkdirSync(join(folder, game), { recursive: true })
      const path = join(game, name)
      const file = openGzipFile(join(folder, path))
      files.push(file)
      return { ...file, append: (piece) => pieces.append(file, path, piece) }
    },
    pack: pieces.pack,
    months,
    linkMonth(bulkMonth, game, name) {
      mkdirSync(join(folder, game), { recursive: true })
      months.link(bulkMonth, join(folder, game, name))
    },
    scratch,
    publish(bulkManifest) {
      pieces.save(folder)
      // Flushed, because the folder's new name may reach the disk before its contents.
      writeFileSync(join(folder, BULK_MANIFEST), JSON.stringify(bulkManifest), { flush: true })
      // Replaces files with the same version number from a replaced catalog.
      remove(final)
      renameSync(folder, final)
    },
    discard() {
      for (const file of files) file.discard()
      pieces.close()
      remove(folder)
      remove(scratch)
    },
  }
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true })
}
