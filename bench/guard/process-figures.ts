import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cpuOf, median, peakOf, residentOf } from '../measure.ts'
import { writeMirror } from '../mirror.ts'
import { startRaw, startServer, whenAtRest } from '../servers.ts'
import { changedBytes } from '../sync.ts'
import type { Opened, Values } from './figures.ts'
import { copyData } from './guard-data.ts'
import type { Subject } from './http-figures.ts'

/** Measures a sync as a process, against one that reads the same mirror and writes its rows into a plain table. */
export function openSync(
  figure: 'sync-35' | 'sync-2',
  subjects: readonly Subject[],
  scratch: string,
): Opened {
  const mirrors = subjects.map(({ data }, index) => {
    const mirror = join(scratch, `mirror-${figure}-${index}`)
    writeMirror(mirror, join(data.folder, 'catalog/catalog.db'), {
      publishedAt: new Date((data.lastDay + 1) * 86_400_000 + 60_000),
      changed: figure === 'sync-35' ? 0.35 : 0.02,
    })
    return mirror
  })
  const trees = subjects.map(({ tree, data }, index) => async () => {
    const folder = join(scratch, `sync-${index}`)
    copyData(data, 'catalog', folder)
    const env = {
      DATA_DIR: folder,
      UPSTREAM_URL: pathToFileURL(mirrors[index] ?? '').href,
      LOG_LEVEL: 'error',
    }
    const used = await measureProcess(['bun', 'scripts/sync.ts'], tree.folder, env)
    const pages = changedBytes(join(data.folder, 'catalog/catalog.db'), join(folder, 'catalog.db'))
    return valuesOf(figure, used, pages)
  })
  const limit = async () => {
    const file = join(scratch, 'plain.db')
    rmSync(file, { force: true })
    const command = ['bun', PLAIN_SYNC, mirrors[0] ?? '', file]
    const used = await measureProcess(command, import.meta.dir, {})
    return valuesOf(figure, used, Bun.file(file).size)
  }
  return {
    measurements: [{ figures: [figure], rounds: 3, limit, trees }],
    close: async () => undefined,
  }
}

function valuesOf(figure: string, { cpu, peak }: Used, pages: number): Values {
  return { [figure]: cpu, [`${figure} memory`]: peak, [`${figure} pages`]: pages }
}

/** Processor time in microseconds, and peak memory in bytes. */
type Used = { cpu: number; peak: number }

/** Runs a program to its end. @throws Error with what it wrote to stderr, if it fails */
export async function measureProcess(
  command: string[],
  cwd: string,
  env: Record<string, string>,
): Promise<Used> {
  const child = Bun.spawn(command, {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  let peak = 0
  // The peak of `resourceUsage` would include the process that started it, and that of an ended process is lost.
  const timer = setInterval(() => {
    if (child.exitCode === null) peak = Math.max(peak, peakOf(child.pid) || 0)
  }, 10)
  const errors = await new Response(child.stderr).text()
  const code = await child.exited
  clearInterval(timer)
  if (code !== 0) throw new Error(`${command.join(' ')} failed:\n${errors}`)
  return { cpu: Number(child.resourceUsage()?.cpuTime.total), peak }
}

/**
 * Measures starts: the processor time until the server is at rest, and its memory then, against the names of all cards
 * and the memory of raw `Bun.serve`.
 */
export function openStart(subjects: readonly Subject[], scratch: string): Opened {
  const folders = subjects.map(({ data }, index) => {
    const folder = join(scratch, `start-${index}`)
    copyData(data, 'catalog', folder)
    return folder
  })
  const trees = subjects.map(({ tree }, index) => async () => {
    const server = await startServer(folders[index] ?? '', tree.folder)
    await whenAtRest(server)
    const values = { start: cpuOf(server.pid), rest: residentOf(server.pid) }
    await server.close()
    return values
  })
  const limit = async () => {
    // Any file serves as the constant response.
    const raw = await startRaw(import.meta.path)
    const rest = residentOf(raw.pid)
    await raw.close()
    const file = join(folders[0] ?? '', 'catalog.db')
    const starts: number[] = []
    for (let n = 0; n < PLAIN_STARTS; n++) {
      starts.push((await measureProcess(['bun', PLAIN_START, file], import.meta.dir, {})).cpu)
    }
    return { start: median(starts), rest }
  }
  return {
    measurements: [{ figures: ['start', 'rest'], rounds: 5, limit, trees }],
    close: async () => undefined,
  }
}

const PLAIN_SYNC = join(import.meta.dir, '../processes/plain-sync.ts')
/** It takes a tenth of a second, and one differs from the next by up to 15 %. */
const PLAIN_STARTS = 5
const PLAIN_START = join(import.meta.dir, '../processes/plain-start.ts')
