import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { renameDurably, syncToDisk, writeDurably } from '../files/durable-files.ts'
import { INSTALLATION_FILE } from '../files/folder-entries.ts'

// Several files cannot be renamed in one step. The new files are therefore copied beside the old
// ones, then a plan is written. From then on, any later process completes the restore.

/** Returns true if a restore was killed after it wrote its plan. */
export function isSwapping(dataDir: string): boolean {
  return existsSync(join(dataDir, PLAN))
}

/** Deletes leftovers of restores that were killed before their plan or after their last rename. */
export function removeLeftovers(dataDir: string): void {
  rmSync(join(dataDir, STAGING), { recursive: true, force: true })
  for (const name of readdirSync(dataDir)) {
    if (ASIDE_PATTERN.test(name)) rmSync(join(dataDir, name), { force: true })
  }
}

/** Copies a file beside the one in the data folder. @returns the path of the copy */
export function stageFile(dataDir: string, name: string, source: string): string {
  const staging = join(dataDir, STAGING)
  mkdirSync(staging, { recursive: true, mode: 0o700 })
  const path = join(staging, name)
  copyFileSync(source, path, constants.COPYFILE_FICLONE)
  // The storage medium of a backup may not preserve permissions.
  chmodSync(path, 0o600)
  syncToDisk(path)
  return path
}

/** Replaces the old files by the staged ones. No process may have them open. */
export function swapIn(dataDir: string, names: readonly string[]): void {
  syncToDisk(join(dataDir, STAGING))
  writeDurably(join(dataDir, PLAN), JSON.stringify({ names }))
  finishSwap(dataDir)
}

/** Completes a plan from any point; does nothing without one. */
export function finishSwap(dataDir: string): void {
  if (!isSwapping(dataDir)) return
  // Only `swapIn` writes this file, atomically.
  const { names } = JSON.parse(readFileSync(join(dataDir, PLAN), 'utf8')) as { names: string[] }
  for (const name of names) {
    const [staged, target] = [join(dataDir, STAGING, name), join(dataDir, name)]
    // Already in place.
    if (!existsSync(staged)) continue
    moveAside(target)
    renameDurably(staged, target)
  }
  // The restored files may belong to another installation; the next start writes their id.
  rmSync(join(dataDir, INSTALLATION_FILE), { force: true })
  rmSync(join(dataDir, PLAN))
  syncToDisk(dataDir)
  removeLeftovers(dataDir)
}

/** Moves the log, too, which may contain the last commits; the index is rebuilt from it. */
function moveAside(target: string): void {
  for (const end of ['', '-wal']) {
    if (existsSync(target + end)) renameSync(target + end, target + ASIDE + end)
  }
  rmSync(`${target}-shm`, { force: true })
}

const STAGING = '.restore'
const PLAN = 'restore-plan.json'
const ASIDE = '.before-restore'
const ASIDE_PATTERN = /\.before-restore(-wal|-shm)?$/
