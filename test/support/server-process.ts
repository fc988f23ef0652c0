import { join, resolve } from 'node:path'
import { acquireLock } from '#store/files/lock.ts'

const ROOT = resolve(import.meta.dir, '../..')

export type ServerOptions = {
  port: number
  dataDir: string
  env?: Record<string, string>
  /** A module that runs first, for faults that no client can cause. */
  preload?: string
  args?: readonly string[]
  /**
   * Holds the picture index while the server runs, as another process of the folder would. For tests that leave the
   * setting open: reading pictures would take most of their time.
   */
  holdsPictures?: boolean
}

/** Starts the server as an operator does, and nothing of the environment but what it needs. */
export function startServerProcess({
  port,
  dataDir,
  env = {},
  preload,
  args = [],
  holdsPictures = false,
}: ServerOptions) {
  const release = holdsPictures ? acquireLock(dataDir, 'pictures') : undefined
  const before = preload === undefined ? [] : ['--preload', preload]
  const main = join(ROOT, 'src/main.ts')
  const child = Bun.spawn([process.execPath, '--no-env-file', ...before, main, ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      DATA_DIR: dataDir,
      IDENTIFY_WORKERS: '0',
      INDEX_PICTURES: 'off',
      BULK_FILES: 'off',
      BACKUP_DIR: 'off',
      LOG_LEVEL: 'info',
      ...env,
    },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  void child.exited.then(() => release?.())
  let printed = ''
  const stderr = (async () => {
    const decoder = new TextDecoder()
    for await (const bytes of child.stderr) printed += decoder.decode(bytes, { stream: true })
    return printed
  })()
  return {
    child,
    /** Everything that it writes until it ends. */
    stderr,
    /** Returns what it has written until now. */
    printed: () => printed,
    url: `http://127.0.0.1:${port}`,
    /** Waits until the server is ready. @throws Error with its output if it ends before */
    async ready(): Promise<void> {
      for (;;) {
        const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
        if (response?.ok === true) return
        if (child.exitCode !== null) throw new Error(`the server ended: ${await stderr}`)
        await Bun.sleep(20)
      }
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

export type ServerProcess = ReturnType<typeof startServerProcess>
