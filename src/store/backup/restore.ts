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

// The names of several files cannot be changed in one step. So the new files are brought beside the old
// ones, whole, and then a plan is written: from there on the restore goes on to its end, whoever ends it.

/** Whether a restore was killed between its plan and its end. */
export function isSwapping(dataDir: string): boolean {
  return existsSync(join(dataDir, PLAN))
}

/** Removes what restores left that were killed before their plan, or after the new files were in place. */
export function removeLeftovers(dataDir: string): void {
  rmSync(join(dataDir, STAGING), { recursive: true, force: true })
  for (const name of readdirSync(dataDir)) {
    if (ASIDE_PATTERN.test(name)) rmSync(join(dataDir, name), { force: true })
  }
}

/** Copies a file beside the data folder's own one. @returns the path of the copy */
export function stageFile(dataDir: string, name: string, source: string): string {
  const staging = join(dataDir, STAGING)
  mkdirSync(staging, { recursive: true, mode: 0o700 })
  const path = join(staging, name)
  copyFileSync(source, path, constants.COPYFILE_FICLONE)
  // A backup may come from a medium that knows no owners.
  chmodSync(path, 0o600)
  syncToDisk(path)
  return path
}

/** Puts the staged files into the places of the old ones. Nobody may have any of them open. */
export function swapIn(dataDir: string, names: readonly string[]): void {
  syncToDisk(join(dataDir, STAGING))
  writeDurably(join(dataDir, PLAN), JSON.stringify({ names }))
  finishSwap(dataDir)
}

/** Ends what a plan says, wherever it was left. Without a plan it does nothing. */
export function finishSwap(dataDir: string): void {
  if (!isSwapping(dataDir)) return
  // Only `swapIn` writes such a file, and it appears whole.
  const { names } = JSON.parse(readFileSync(join(dataDir, PLAN), 'utf8')) as { names: string[] }
  for (const name of names) {
    const [staged, place] = [join(dataDir, STAGING, name), join(dataDir, name)]
    // One that is not staged any more is in its place.
    if (!existsSync(staged)) continue
    putAside(place)
    renameDurably(staged, place)
  }
  rmSync(join(dataDir, PLAN))
  syncToDisk(dataDir)
  removeLeftovers(dataDir)
}

/** What was committed last may be in the log alone, so that goes along; the index is made of it. */
function putAside(place: string): void {
  for (const end of ['', '-wal']) {
    if (existsSync(place + end)) renameSync(place + end, place + ASIDE + end)
  }
  rmSync(`${place}-shm`, { force: true })
}

const STAGING = '.restore'
const PLAN = 'restore-plan.json'
const ASIDE = '.before-restore'
const ASIDE_PATTERN = /\.before-restore(-wal|-shm)?$/
