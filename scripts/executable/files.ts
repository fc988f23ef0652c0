// The files of the executable other than code. Native libraries and the sample must be on a disk, so the
// first start unpacks all of them.
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
import { resolveDataDir } from '#config/storage.ts'
import { renameDurably } from '#store/files/durable-files.ts'
import { createPrivateFiles } from '#store/files/folder-entries.ts'
import { UsageError } from '../cli/parse.ts'

/** Hash of the files, set by the compiler: the name of their folder. */
declare const FILES_VERSION: string

/** Returns the path of a file of the source tree; callable before this module has run. */
export function embeddedFile(place: string): string {
  return join(resolveDataDir(process.env), 'program', FILES_VERSION, place)
}

/**
 * Unpacks the files into the data folder if needed: all or none, also if several processes start or are
 * killed.
 *
 * @throws UsageError if the folder cannot be written
 */
export async function unpackFiles(): Promise<void> {
  const folder = embeddedFile('')
  if (existsSync(folder)) return
  createPrivateFiles()
  try {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
    removeLeft(dirname(folder))
    const draft = mkdtempSync(`${folder}.`)
    try {
      await unpackInto(draft)
      publish(draft, folder)
    } finally {
      // Deleted, because restarts would otherwise fill the disk with drafts.
      rmSync(draft, { recursive: true, force: true })
    }
  } catch (cause) {
    throw new UsageError(
      `Set DATA_DIR to a folder that can be written: ${folder} cannot be unpacked (${cause instanceof Error ? cause.message : cause}).`,
    )
  }
}

/** Removes drafts of starts that were killed. */
function removeLeft(program: string): void {
  for (const name of readdirSync(program)) {
    const draft = join(program, name)
    // A recent draft may belong to a start in progress.
    const since = statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? 0
    const isLeft = name.includes('.') && since < Date.now() - UNPACKED_WITHIN_MS
    if (isLeft) rmSync(draft, { recursive: true, force: true })
  }
}

const UNPACKED_WITHIN_MS = 10 * 60_000

async function unpackInto(draft: string): Promise<void> {
  await new Bun.Archive(readFileSync('/$bunfs/root/files.tar')).extract(draft)
  const names = readdirSync(draft, { recursive: true, encoding: 'utf8' })
  // In parallel, because each file waits for the disk.
  await Promise.all(names.map((name) => synced(join(draft, name))))
}

/** Renames the draft. If two processes start at the same time, the second uses the folder of the first. */
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
