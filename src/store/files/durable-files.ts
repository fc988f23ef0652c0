import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Waits until a file's bytes, or a folder's names, are on the disk. */
export function syncToDisk(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Gives a file or folder its name, durably; whoever looks sees it under the old one or the new. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  syncToDisk(dirname(to))
}

/** Writes a small file that is there whole or not at all. */
export function writeDurably(path: string, text: string): void {
  writeFileSync(`${path}.part`, text, { mode: 0o600, flush: true })
  renameDurably(`${path}.part`, path)
}
