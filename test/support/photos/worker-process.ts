import { join, resolve } from 'node:path'
import { findFreePort } from '../free-port.ts'

const ROOT = resolve(import.meta.dir, '../../..')
const PRELOAD = join(import.meta.dir, 'scripted-preload.ts')

/** Secret of the servers and workers of a test. */
export const WORKER_SECRET = 'w'.repeat(32)

export type WorkerProcess = Awaited<ReturnType<typeof createWorkerProcess>>

type WorkerProcessOptions = {
  /** Folder with a catalog. */
  dataDir: string
  threads?: number
  env?: Record<string, string>
  /** False: its threads load the real networks. */
  isScripted?: boolean
}

/** Creates a photo worker as an operator starts it, on a port that it keeps after a kill. */
export async function createWorkerProcess({
  dataDir,
  threads = 1,
  isScripted = true,
  env = {},
}: WorkerProcessOptions) {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const before = isScripted ? ['--preload', PRELOAD] : []
  let child: Bun.Subprocess | undefined
  const end = () => child?.kill('SIGKILL')
  process.once('exit', end)

  /** Starts the process, without waiting for it. */
  function spawn(): void {
    child = Bun.spawn([process.execPath, '--no-env-file', ...before, join(ROOT, 'src/read.ts')], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH ?? '',
        TMPDIR: process.env.TMPDIR ?? '/tmp',
        DATA_DIR: dataDir,
        PORT: String(port),
        APP_SECRET: WORKER_SECRET,
        IDENTIFY_WORKERS: String(threads),
        LOG_LEVEL: 'error',
        ...env,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  }

  async function ready(): Promise<void> {
    while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
      if (child?.exitCode !== null) throw new Error('the photo worker ended')
      await Bun.sleep(10)
    }
  }

  return {
    url,
    spawn,
    ready,
    pid: () => child?.pid,
    /** Sends a signal, and returns the exit code. */
    async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | undefined> {
      child?.kill(signal)
      return await child?.exited
    },
    signal: (signal: 'SIGSTOP' | 'SIGCONT') => child?.kill(signal),
    async close(): Promise<void> {
      end()
      await child?.exited
      process.off('exit', end)
    },
  }
}
