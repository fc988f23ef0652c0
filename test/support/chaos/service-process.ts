import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { loadSample } from '#actions/sync/sample-catalog.ts'
import { readConfig } from '#config.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { atEnd } from '../end-of-tests.ts'
import { findFreePort } from '../free-port.ts'
import { createTestLog, SAMPLE } from '../test-app.ts'

/** This repository. */
export const ROOT = resolve(import.meta.dir, '../../..')
const START_MS_MAX = 60_000

export type ServiceProcess = Awaited<ReturnType<typeof startService>>

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

/**
 * Starts the service like an operator, as its own process on a free port of 127.0.0.1, and waits until
 * it is ready.
 *
 * @param env settings beside those of the folder; PORT for a certain port
 * @param program folder of the release that runs
 */
export async function startService(
  dataDir: string,
  env: Record<string, string> = {},
  program = ROOT,
) {
  const port = env.PORT ?? (await findFreePort())
  const url = `http://127.0.0.1:${port}`
  const logFile = join(dataDir, 'service.log')
  const log = openSync(logFile, 'a')
  const child = Bun.spawn([process.execPath, '--no-env-file', join(program, 'src/main.ts')], {
    cwd: program,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const end = () => child.kill('SIGKILL')
  const forget = atEnd(end)
  const readLog = () => readFileSync(logFile, 'utf8')
  const late = performance.now() + START_MS_MAX
  while (!(await isReady(url))) {
    if (child.exitCode !== null || performance.now() > late) {
      end()
      throw new Error(`the service did not start: ${readLog()}`)
    }
    await Bun.sleep(20)
  }

  return {
    url,
    pid: child.pid,
    readLog,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    /** Bytes of memory in RAM. */
    memory: () => readStatus(child.pid, 'VmRSS'),
    /** Returns the maximum of `memory` since the last call of `resetPeak`. */
    peakMemory: () => readStatus(child.pid, 'VmHWM'),
    resetPeak: () => writeFileSync(`/proc/${child.pid}/clear_refs`, '5'),
    /** Seconds that the thread of requests has used a CPU, and has waited for one, since its start. */
    mainThread(): { cpu: number; waiting: number } {
      const text = readFileSync(`/proc/${child.pid}/task/${child.pid}/schedstat`, 'utf8')
      const [cpu = 0, waiting = 0] = text.split(' ').map((ns) => Number(ns) / 1e9)
      return { cpu, waiting }
    },
    /** Counts open file descriptors. */
    descriptors: () => readdirSync(`/proc/${child.pid}/fd`).length,
    /** Asks the process to end, and returns its exit code; -1 after a signal. */
    async stop(): Promise<number> {
      child.kill('SIGTERM')
      await child.exited
      forget()
      return child.signalCode === null ? (child.exitCode ?? -1) : -1
    },
    /** Kills the process. */
    async kill(): Promise<void> {
      end()
      await child.exited
      forget()
    },
  }
}

/** Reads a size in bytes from the status of a process. */
function readStatus(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok
  } catch {
    return false
  }
}
