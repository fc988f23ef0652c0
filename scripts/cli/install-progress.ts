// Progress of the first start, while no package is there that could show it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Shows how many packages have arrived: on one line of a terminal, else on a line every few seconds.
 *
 * @returns a function that ends it with a text
 */
export function showInstallProgress(root: string): (text: string) => void {
  const isOnTerminal = Boolean(process.stderr.isTTY)
  const print = (text: string, isLast = false) =>
    process.stderr.write(isOnTerminal ? `${CLEAR_LINE}${text}${isLast ? '\n' : ''}` : `${text}\n`)
  print('Installing the packages…')
  const started = performance.now()
  const folders = listCacheFolders(root)
  let stall = { arrived: -1, since: started, isReported: false }
  const timer = setInterval(
    () => {
      const arrived = folders.filter(existsSync).length
      const now = performance.now()
      if (arrived !== stall.arrived) stall = { arrived, since: now, isReported: false }
      if (now - stall.since > STALL_MS && !stall.isReported) {
        stall.isReported = true
        print(STALLED, true)
      }
      const seconds = Math.round((now - started) / 1000)
      print(
        `Installing the packages: ${arrived} of about ${folders.length} have arrived (${seconds} s)`,
      )
    },
    isOnTerminal ? REDRAW_MS : LINE_EVERY_MS,
  )
  return (text) => {
    clearInterval(timer)
    print(text, true)
  }
}

const CLEAR_LINE = '\r\x1b[K'
const REDRAW_MS = 250
const LINE_EVERY_MS = 2_000
const STALL_MS = 20_000
const STALLED =
  'No package has arrived for 20 s. Check that this machine can reach the package registry.'

/** A package in bun.lock: name with version, registry, and the systems for which it is. */
type LockedPackage = [
  id: string,
  registry: string,
  about?: { os?: string | string[]; cpu?: string | string[]; libc?: string },
]

/** Lists the folders of Bun's cache in which the packages of this system appear. */
function listCacheFolders(root: string): string[] {
  const cache = Bun.spawnSync([process.execPath, 'pm', 'cache'], { cwd: root }).stdout.toString()
  const lock = Bun.JSONC.parse(readFileSync(join(root, 'bun.lock'), 'utf8'))
  // Bun has written the file.
  const { packages } = lock as { packages: Record<string, LockedPackage> }
  const fetched = Object.values(packages).filter(
    ([id, , { os, cpu, libc } = {}]) =>
      !id.includes('@file:') &&
      includes(os, process.platform) &&
      includes(cpu, process.arch) &&
      includes(libc, 'glibc'),
  )
  return [...new Set(fetched.map(([id]) => join(cache.trim(), `${id}@@@1`)))]
}

function includes(wanted: string | string[] | undefined, own: string): boolean {
  return wanted === undefined || [wanted].flat().includes(own)
}
