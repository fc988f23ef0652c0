import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import { createFindings, type Finding, formatBytes } from '#rules/operations/doctor-finding.ts'
import packageJson from '../../../package.json' with { type: 'json' }

/** Whether Bun and the packages are those that this version was tested with. */
export function checkPackages(root: string): Finding[] {
  return [bunFinding(Bun.version), packagesFinding(root)]
}

function bunFinding(version: string): Finding {
  const { ok, warning } = createFindings('bun')
  const wanted = packageJson.engines.bun
  if (version === wanted) return ok(`is ${version}`)
  return warning(
    `is ${version}, and this version of Cardstock was tested with ${wanted}`,
    `npm install -g bun@${wanted}`,
  )
}

function packagesFinding(root: string): Finding {
  const { ok, fault } = createFindings('packages')
  const wrong = Object.entries(packageJson.dependencies).flatMap(([name, wanted]) => {
    const found = versionOf(root, name)
    if (found === wanted) return []
    return found === undefined ? `${name} is missing` : `${name} is ${found} and not ${wanted}`
  })
  const count = Object.keys(packageJson.dependencies).length
  if (wrong.length === 0) return ok(`all ${count} are installed, in the versions of package.json`)
  return fault(
    `${wrong.slice(0, NAMED_MAX).join(', ')}${wrong.length > NAMED_MAX ? ` and ${wrong.length - NAMED_MAX} more` : ''}`,
    'Run bun install --frozen-lockfile --ignore-scripts. The other checks wait for it.',
  )
}

const NAMED_MAX = 5

function versionOf(root: string, name: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
      .version
  } catch {
    return undefined
  }
}

/** Whether this machine has what the settings ask of it. */
export function checkMachine({ identifyWorkers, buildBulkFiles }: Config): Finding[] {
  return [
    memoryFinding(identifyWorkers, buildBulkFiles),
    coresFinding(identifyWorkers),
    filesFinding(),
  ]
}

function memoryFinding(workers: number, bulkFiles: boolean): Finding {
  const { ok, warning } = createFindings('memory')
  const has = memoryOf()
  const needs = SERVER_BYTES + workers * READER_BYTES + (bulkFiles ? BULK_BYTES : 0)
  const says = `${formatBytes(has)}; the server may need ${formatBytes(needs)} with IDENTIFY_WORKERS=${workers}`
  if (has >= needs) return ok(says)
  return warning(says, 'Lower IDENTIFY_WORKERS, set BULK_FILES=off, or give it more memory.')
}

/** As measured by `bun run bench` on half a million cards, with something to spare. */
const SERVER_BYTES = 192 * 1024 ** 2
const READER_BYTES = 320 * 1024 ** 2
const BULK_BYTES = 256 * 1024 ** 2

/** Of the machine, or what its container may use of it. */
function memoryOf(): number {
  try {
    const limit = Number(readFileSync('/sys/fs/cgroup/memory.max', 'utf8'))
    return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  } catch {
    return totalmem()
  }
}

function coresFinding(workers: number): Finding {
  const { ok, warning } = createFindings('cores')
  const has = availableParallelism()
  const says = `${has}; one answers requests, ${workers} read photos`
  if (has > workers) return ok(says)
  return warning(says, 'While photos are read, everything else is slower: lower IDENTIFY_WORKERS.')
}

function filesFinding(): Finding {
  const { ok, warning } = createFindings('open files')
  const limit = openFilesMax()
  if (limit === undefined) return ok('this system does not tell its limit')
  if (limit >= OPEN_FILES_MIN) return ok(`at most ${limit}`)
  return warning(
    `at most ${limit}, and each connection needs one`,
    `Raise the limit to ${OPEN_FILES_MIN} or more: LimitNOFILE= of systemd, ulimit -n of a shell.`,
  )
}

const OPEN_FILES_MIN = 1_024

function openFilesMax(): number | undefined {
  try {
    const [, soft] =
      /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
