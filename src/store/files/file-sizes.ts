import { existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CATALOG_FILE, LEDGER_FILE } from './data-folder.ts'

/** Both files with what is written ahead of them, in bytes; those that are not there are left out. */
export function readFileSizes(dataDir: string): Record<string, number> {
  const names = [CATALOG_FILE, LEDGER_FILE].flatMap((name) => [name, `${name}-wal`])
  const sizes = names.flatMap((name) => {
    const size = sizeOf(join(dataDir, name))
    return size === undefined ? [] : [[name, size] as const]
  })
  return Object.fromEntries(sizes)
}

function sizeOf(path: string): number | undefined {
  return existsSync(path) ? statSync(path, { throwIfNoEntry: false })?.size : undefined
}

/**
 * The disk on which a folder lies: how many bytes it has, and how many of them this process may still fill.
 *
 * @throws Error where the folder is not there
 */
export function readDiskSpace(folder: string): { bytes: number; free_bytes: number } {
  const { bsize, blocks, bavail } = statfsSync(folder)
  return { bytes: bsize * blocks, free_bytes: bsize * bavail }
}
