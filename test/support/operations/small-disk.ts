import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk that can be filled and freed. */
export type SmallDisk = {
  folder: string
  /** Command that starts a process with a limit, if the disk is only simulated. */
  prefix: string[]
  /** Leaves no free block for a process. */
  fill(pid: number): void
  free(pid: number): void
  close(): void
}

/** Mounts a disk in memory; if that is not permitted, limits the file sizes of the process instead. */
export function openSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-disk-'))
  const args = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder]
  const isMounted = spawnSync('mount', args).status === 0
  return isMounted ? openMounted(folder) : openLimited(folder)
}

function openMounted(folder: string): SmallDisk {
  const filler = join(folder, 'filler')
  return {
    folder,
    prefix: [],
    fill() {
      const file = openSync(filler, 'a')
      for (const block of [Buffer.alloc(65_536, 1), Buffer.alloc(512, 1)]) writeAll(file, block)
      closeSync(file)
    },
    free: () => rmSync(filler, { force: true }),
    close() {
      spawnSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Writes a block until the disk is full. */
function writeAll(file: number, block: Uint8Array): void {
  try {
    for (;;) writeSync(file, block)
  } catch {
    // The disk is full.
  }
}

/** Every write of the process fails with EFBIG, without the signal that would end it. */
function openLimited(folder: string): SmallDisk {
  const limit = (pid: number, soft: string) => {
    const { status, error } = spawnSync('prlimit', [`--pid=${pid}`, `--fsize=${soft}:unlimited`])
    if (status !== 0) throw error ?? new Error('prlimit failed')
  }
  return {
    folder,
    prefix: ['bash', '-c', 'trap "" XFSZ; exec "$@"', 'bash'],
    fill: (pid) => limit(pid, '0'),
    free: (pid) => limit(pid, 'unlimited'),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
