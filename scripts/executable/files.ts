// The files of the executable that are not code. The system loads libraries from a disk alone, and the
// sample is read as any mirror in a folder is, so all of them are put there at the first start.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { resolveDataDir } from '#config.ts'
import { renameDurably } from '#store/files/durable-files.ts'
import { UsageError } from '../cli/terminal.ts'

/** Set by the compiler: a hash of the files, so that what bears its name is they. */
declare const FILES_VERSION: string

/** Returns the path of a file of the source tree; callable before this module has run. */
export function embeddedFile(place: string): string {
  return join(resolveDataDir(process.env), 'program', FILES_VERSION, place)
}

/**
 * Puts the files into the data folder, where they are not there yet: all of them or none, whoever else is
 * at it and whenever it is killed.
 *
 * @throws UsageError where that folder cannot be written
 */
export async function unpackFiles(): Promise<void> {
  const folder = embeddedFile('')
  if (existsSync(folder)) return
  try {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
    removeLeft(dirname(folder))
    const draft = mkdtempSync(`${folder}.`)
    try {
      await unpackInto(draft)
      publish(draft, folder)
    } finally {
      // On a full disk, nothing of it may stay: whoever starts us anew would fill the disk again.
      rmSync(draft, { recursive: true, force: true })
    }
  } catch (cause) {
    throw new UsageError(
      `Set DATA_DIR to a folder that can be written: ${folder} cannot be unpacked (${cause instanceof Error ? cause.message : cause}).`,
    )
  }
}

/** Removes what starts that were killed have left. */
function removeLeft(program: string): void {
  for (const name of readdirSync(program)) {
    const draft = join(program, name)
    // A younger one may be another start's that is at it.
    const since = statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? 0
    const isLeft = name.includes('.') && since < Date.now() - UNPACKED_WITHIN_MS
    if (isLeft) rmSync(draft, { recursive: true, force: true })
  }
}

const UNPACKED_WITHIN_MS = 10 * 60_000

async function unpackInto(draft: string): Promise<void> {
  await new Bun.Archive(readFileSync('/$bunfs/root/files.tar')).extract(draft)
  const names = readdirSync(draft, { recursive: true, encoding: 'utf8' })
  // At once: one after the other, each would wait for the disk by itself.
  await Promise.all(names.map((name) => synced(join(draft, name))))
}

/** If two processes start at once, the second finds the folder of the first. */
function publish(draft: string, folder: string): void {
  try {
    renameDurably(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

async function synced(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
