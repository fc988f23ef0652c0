import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { formatBytes, formatCount, ok, warning } from '#rules/operations/doctor-finding.ts'
import type { Checks } from './doctor-check.ts'

export const MACHINE_CHECKS: Checks = {
  memory({ config: { identifyWorkers, buildBulkFiles } }) {
    const limit = Number(match('/sys/fs/cgroup/memory.max', /^\d+/)?.[0] ?? 0)
    const available = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
    const needed = SERVER_BYTES + identifyWorkers * READER_BYTES + (buildBulkFiles ? BULK_BYTES : 0)
    const message = `${formatBytes(available)}; the server may need ${formatBytes(needed)} with IDENTIFY_WORKERS=${identifyWorkers}`
    if (available >= needed) return ok(message)
    return warning(message, 'Lower IDENTIFY_WORKERS, set BULK_FILES=off, or add memory.')
  },

  cores({ config: { identifyWorkers } }) {
    const cores = availableParallelism()
    const message = `${cores} for the server and ${formatCount(identifyWorkers, 'photo reader')}`
    if (cores > identifyWorkers) return ok(message)
    return warning(message, 'Lower IDENTIFY_WORKERS: reading photos slows down everything else.')
  },

  'open files'() {
    const limit = match('/proc/self/limits', /^Max open files\s+(\d+)/m)?.[1]
    if (limit === undefined) return ok('this system reports no limit')
    if (Number(limit) >= OPEN_FILES_MIN) return ok(`the limit is ${limit}`)
    return warning(
      `the limit is ${limit}, and each connection needs one`,
      `Raise the limit to at least ${OPEN_FILES_MIN}: LimitNOFILE= in systemd, ulimit -n in a shell.`,
    )
  },
}

/** Measured with `bun run bench` on half a million cards, plus a margin. */
const SERVER_BYTES = 192 * 1024 ** 2
const READER_BYTES = 320 * 1024 ** 2
const BULK_BYTES = 256 * 1024 ** 2

const OPEN_FILES_MIN = 1_024

/** Returns null if the text does not match; undefined if this system has no such file. */
function match(path: string, pattern: RegExp): RegExpExecArray | null | undefined {
  try {
    return pattern.exec(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
