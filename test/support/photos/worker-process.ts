import { findFreePort } from '../free-port.ts'
import { createServerProcess } from '../server-process.ts'

/** Secret of the servers and workers of a test. */
export const WORKER_SECRET = 'w'.repeat(32)

type WorkerProcessOptions = {
  /** Folder with a catalog. */
  dataDir: string
  threads?: number
  env?: Record<string, string>
  /** False if its threads load the real networks. */
  isScripted?: boolean
}

/** Prepares a photo worker as an operator starts it. */
export async function createWorkerProcess({
  dataDir,
  threads = 1,
  isScripted = true,
  env = {},
}: WorkerProcessOptions) {
  return createServerProcess({
    dataDir,
    port: await findFreePort(),
    script: 'src/read.ts',
    ...(isScripted && { preload: `${import.meta.dir}/scripted-preload.ts` }),
    env: {
      APP_SECRET: WORKER_SECRET,
      IDENTIFY_WORKERS: String(threads),
      LOG_LEVEL: 'error',
      ...env,
    },
  })
}
