/** The service as a separate process, which can be killed and restarted on its folder and port. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadSample } from '#actions/sync/sample-catalog.ts'
import { readConfig } from '#config.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { acquireLock } from '#store/files/lock.ts'
import { findFreePort } from './free-port.ts'
import { ROOT, startProcess, type TestProcess } from './process.ts'
import { createTestLog, SAMPLE } from './test-app.ts'

export type ServerOptions = {
  dataDir: string
  port: number
  /** Settings in addition to those of the folder. */
  env?: Record<string, string>
  args?: readonly string[]
  /** A module that runs first, for faults that clients cannot cause. */
  preload?: string
  /** Command that wraps it, such as one that sets a limit. */
  prefix?: readonly string[]
  /** Path of the program in the tree. */
  script?: string
  /** Folder of the running release. */
  program?: string
  /** Output file of all its processes. */
  logFile?: string
  /**
   * Locks the picture index while the server runs, as another process would, for tests that leave the setting at its
   * default: reading pictures would take most of their time.
   */
  holdsPictures?: boolean
}

const START_MS_MAX = 120_000

/** Settings of a server without photos, pictures, files and backups. */
export const QUIET = {
  IDENTIFY_WORKERS: '0',
  INDEX_PICTURES: 'off',
  BULK_FILES: 'off',
  BACKUP_DIR: 'off',
}

export type ServerProcess = ReturnType<typeof createServerProcess>

/** Prepares a server like an operator, without starting it. */
export function createServerProcess(options: ServerOptions) {
  const { dataDir, port, env = {}, script = 'src/main.ts', program = ROOT, holdsPictures } = options
  const url = `http://127.0.0.1:${port}`
  const earlier: TestProcess[] = []
  const last = (): TestProcess => {
    const running = earlier.at(-1)
    if (running === undefined) throw new Error('the server was not started')
    return running
  }

  /** Starts a process without waiting for it. */
  function spawn(more: Record<string, string> = {}): void {
    const release = holdsPictures ? acquireLock(dataDir, 'pictures') : undefined
    const { args, preload, prefix, logFile } = options
    const started = startProcess(join(program, script), {
      ...(args && { args }),
      ...(preload !== undefined && { preload }),
      ...(prefix && { prefix }),
      ...(logFile !== undefined && { logFile }),
      cwd: program,
      env: { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, ...env, ...more },
    })
    earlier.push(started)
    void started.exited.then(() => release?.())
  }

  /** Waits until it is ready. @throws Error with its output if it ends before */
  async function ready(): Promise<void> {
    const late = performance.now() + START_MS_MAX
    while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
      if (last().hasEnded() || performance.now() > late) {
        await last().kill()
        throw new Error(`the server did not start: ${last().output()}`)
      }
      await Bun.sleep(10)
    }
  }

  const status = (name: string) => {
    const lines = readFileSync(`/proc/${last().pid}/status`, 'utf8')
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(lines)?.[1]) * 1024
  }
  return {
    url,
    port,
    spawn,
    ready,
    async start(more: Record<string, string> = {}): Promise<void> {
      spawn(more)
      await ready()
    },
    pid: () => last().pid,
    hasEnded: () => last().hasEnded(),
    /** Resolves with the exit code of its last process. */
    exited: () => last().exited,
    /** Returns what its last process has printed, or the log file. */
    output: () => last().output(),
    signal: (name: NodeJS.Signals) => last().signal(name),
    /** Requests the end of the process, and returns its exit code; -1 after a signal. */
    stop: () => last().stop(),
    /** Kills the process. @returns false if none was running */
    kill: async (): Promise<boolean> => (await earlier.at(-1)?.kill()) ?? false,
    /** Resident memory in bytes. */
    memory: () => status('VmRSS'),
    /** Returns the maximum of `memory` since the last call of `resetPeak`. */
    peakMemory: () => status('VmHWM'),
    resetPeak: () => writeFileSync(`/proc/${last().pid}/clear_refs`, '5'),
    /** Seconds that the thread of requests has used a CPU, and has waited for one, since its start. */
    mainThread(): { cpu: number; waiting: number } {
      const { pid } = last()
      const text = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')
      const [cpu = 0, waiting = 0] = text.split(' ').map((ns) => Number(ns) / 1e9)
      return { cpu, waiting }
    },
    /** Counts open file descriptors. */
    descriptors: () => readdirSync(`/proc/${last().pid}/fd`).length,
  }
}

/** Starts a quiet server without waiting for it. */
export function startServerProcess(options: ServerOptions): ServerProcess {
  const server = createServerProcess({ ...options, env: { ...QUIET, ...options.env } })
  server.spawn()
  return server
}

/**
 * Starts the service with the settings of its folder, on a free port unless PORT is set, and waits until it is ready.
 */
export async function startService(
  dataDir: string,
  env: Record<string, string> = {},
  program = ROOT,
): Promise<ServerProcess> {
  const port = Number(env.PORT ?? (await findFreePort()))
  const settings = { LOG_LEVEL: 'warn', PUBLIC_URL: `http://127.0.0.1:${port}`, ...env }
  const logFile = join(dataDir, 'service.log')
  const server = createServerProcess({ dataDir, port, env: settings, program, logFile })
  await server.start()
  return server
}

/** Fills a data folder with the sample catalog. */
export async function prepareSample(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<void> {
  const config = readConfig({ ...env, DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const writer = await openCatalogWriterDeps(config, createTestLog([]))
  const { outcome } = await loadSample(writer, SAMPLE)
  writer.close()
  if (outcome !== 'complete') throw new Error(`failed to load the sample: ${outcome}`)
}
