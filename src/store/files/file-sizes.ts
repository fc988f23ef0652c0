import { existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CATALOG_FILE, LEDGER_FILE } from './data-folder.ts'
import { listFolder } from './folder-entries.ts'
import { historyFolder } from './history-files.ts'

/**
 * Returns the sizes of both databases, of their logs, and of all files of closed months (`history`), in bytes;
 * missing files are skipped.
 */
export function readFileSizes(dataDir: string): Record<string, number> {
  const names = [CATALOG_FILE, LEDGER_FILE].flatMap((name) => [name, `${name}-wal`])
  const sizes = names.flatMap((name) => {
    const size = readSize(join(dataDir, name))
    return size === undefined ? [] : [[name, size] as const]
  })
  const folder = historyFolder(dataDir)
  const history = listFolder(folder).reduce(
    (sum, name) => sum + (readSize(join(folder, name)) ?? 0),
    0,
  )
  return { ...Object.fromEntries(sizes), ...(history > 0 && { history }) }
}

function readSize(path: string): number | undefined {
  return existsSync(path) ? statSync(path, { throwIfNoEntry: false })?.size : undefined
}

/** Returns a disk's size and the bytes available to this process; throws without the folder. */
export function readDiskSpace(folder: string): { bytes: number; free_bytes: number } {
  const { bsize, blocks, bavail } = statfsSync(folder)
  return { bytes: bsize * blocks, free_bytes: bsize * bavail }
}
