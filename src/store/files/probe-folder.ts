import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Writes a file and deletes it. SQLite reuses the space of its log, so its writes succeed for a while on a
 * full disk.
 */
export async function probeFolder(dataDir: string): Promise<void> {
  const path = join(dataDir, `.probe-${process.pid}`)
  try {
    await writeFile(path, Buffer.alloc(PROBE_BYTES, 1))
  } finally {
    await rm(path, { force: true })
  }
}

/** Some pages of a database. */
const PROBE_BYTES = 65_536
