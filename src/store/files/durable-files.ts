import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Waits until a file's contents, or a folder's names, are on disk. */
export function syncToDisk(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Renames a file or folder durably; readers see either the old or the new name. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  syncToDisk(dirname(to))
}

/** Writes a small file atomically. */
export function writeDurably(path: string, text: string): void {
  writeFileSync(`${path}.part`, text, { mode: 0o600, flush: true })
  renameDurably(`${path}.part`, path)
}
