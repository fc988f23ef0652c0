import { readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Subprocess } from 'bun'
import { finishSetup } from '../test/support/finish-setup.ts'
import { findFreePort } from '../test/support/free-port.ts'
import { cpuOf } from './measure.ts'

/** A server to measure: a separate process on a free port of 127.0.0.1. */
export type Server = {
  name: string
  url: string
  pid: number
  /** Path of its log. */
  log: string
  close(): Promise<void>
}

const ROOT = join(import.meta.dir, '..')

/** Starts Cardstock for an operator who does not use photos. @param tree folder of the sources */
export function startServer(dataDir: string, tree = ROOT): Promise<Server> {
  return start(
    `Cardstock${suffix(tree)}`,
    ['bun', 'src/main.ts'],
    { DATA_DIR: dataDir, ...BLIND },
    tree,
  )
}

/** Starts Cardstock like `startServer`, with `LEDGER_URL` and `APP_SECRET`. */
export function startOnPostgres(dataDir: string, ledger: Record<string, string>): Promise<Server> {
  const env = { DATA_DIR: dataDir, ...BLIND, ...ledger }
  return start('Cardstock on PostgreSQL', ['bun', 'src/main.ts'], env)
}

/** Starts Cardstock with the jobs that run after a start: bulk files, a backup and the picture index. */
export function startWithJobs(dataDir: string, backups: string): Promise<Server> {
  const env = { DATA_DIR: dataDir, BACKUP_DIR: backups, LOG_LEVEL: 'error' }
  return start('Cardstock with its jobs', ['bun', 'src/main.ts'], env)
}

/**
 * Starts Cardstock for browsers, with a visitor quota that no benchmark reaches.
 *
 * @param upstreamUrl host of the images
 */
export async function startForBrowser(dataDir: string, upstreamUrl: string): Promise<Server> {
  // All pages of a new server redirect to its setup.
  await finishSetup(dataDir)
  const data = { DATA_DIR: dataDir, BACKUP_DIR: 'off', UPSTREAM_URL: upstreamUrl }
  const env = { ...BLIND, ...UNREACHED_VISITOR_LIMITS, ...data }
  return start('Cardstock in a browser', ['bun', 'src/main.ts'], env)
}

const UNREACHED_VISITOR_LIMITS = {
  VISITOR_DAILY_REQUESTS: '1000000',
  VISITOR_DAILY_REQUESTS_ALL: '1000000',
  VISITOR_DAILY_CARDS: '1000000',
  VISITOR_DAILY_RECORDS: '1000000',
}

/**
 * Starts Cardstock for browsers, with threads that read photos.
 *
 * @param upstreamUrl upstream of the catalog, which is already synced
 * @param isIndexed false if no picture is to be indexed
 */
export async function startScanServer(
  dataDir: string,
  upstreamUrl: string,
  isIndexed: boolean,
): Promise<Server> {
  await finishSetup(dataDir)
  const pictures = isIndexed ? {} : { INDEX_PICTURES: 'off' }
  const data = { DATA_DIR: dataDir, BACKUP_DIR: 'off', UPSTREAM_URL: upstreamUrl, ...pictures }
  const env = { ...UNREACHED_VISITOR_LIMITS, ...data, BULK_FILES: 'off', LOG_LEVEL: 'error' }
  return start('Cardstock that scans', ['bun', 'src/main.ts'], env)
}

/** Starts Cardstock on the sample catalog. */
export async function startSample(dataDir: string): Promise<Server> {
  await finishSetup(dataDir)
  const command = ['bun', 'src/main.ts', '--with-sample']
  return start('Cardstock with the sample', command, {
    ...BLIND,
    DATA_DIR: dataDir,
    BACKUP_DIR: 'off',
  })
}

/** Starts Cardstock on the sample catalog, with a thread that reads photos. @param tree folder of the sources */
export function startPhotoServer(dataDir: string, tree = ROOT): Promise<Server> {
  const command = ['bun', 'src/main.ts', '--with-sample']
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'error' }
  return start(`Cardstock that reads${suffix(tree)}`, command, env, tree)
}

/** Starts a server with the same responses, but without key and quota. */
export function startUnmeteredTwin(dataDir: string): Promise<Server> {
  const command = ['bun', 'bench/processes/open-twin.ts']
  return start('open twin', command, { DATA_DIR: dataDir, ...BLIND })
}

/** Starts the limit: Bun's server with a constant response. */
export function startRaw(bodyFile: string): Promise<Server> {
  return start('raw Bun.serve', ['bun', 'bench/processes/raw.ts'], { BODY_FILE: bodyFile })
}

/** Starts a slow host of card images. */
export function startSlowPictures(imageFile: string, delayMs: number): Promise<Server> {
  const env = { IMAGE_FILE: imageFile, DELAY_MS: String(delayMs) }
  return start('slow pictures', ['bun', 'bench/processes/slow-pictures.ts'], env)
}

/** Starts the peer: Fastify and plain SQL on Node. */
export function startPeer(catalog: string, words: string, keys: string): Promise<Server> {
  const env = { CATALOG_FILE: catalog, WORDS_FILE: words, KEYS_FILE: keys, NODE_ENV: 'production' }
  return start('Fastify', ['node', 'bench/peer/server.js'], env)
}

/** Starts servers, passes them to a function, and always stops them. */
export async function withServers<T>(
  starts: readonly Promise<Server>[],
  run: (servers: Server[]) => Promise<T>,
): Promise<T> {
  const begun = await Promise.allSettled(starts)
  const servers = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  try {
    const failed = begun.find((one) => one.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    return await run(servers)
  } finally {
    await Promise.all(servers.map((server) => server.close()))
  }
}

/** Waits until a server has the search index in memory; until then, it searches the stored one. */
export async function whenIndexed({ name, log }: Server): Promise<void> {
  const until = performance.now() + INDEX_MS
  while (performance.now() < until) {
    if (readFileSync(log, 'utf8').includes('"search index task ended"')) return
    await Bun.sleep(200)
  }
  throw new Error(`${name} did not load its search index; see ${log}.`)
}

/**
 * Waits until a server has done what follows its start: until it uses no processor time for a second.
 *
 * @throws Error if it is busy for minutes, or has ended
 */
export async function whenAtRest({ name, pid, log }: Server): Promise<void> {
  let last = cpuOf(pid)
  const until = performance.now() + AT_REST_MS
  for (let quiet = 0; quiet < REST_CHECKS; ) {
    if (performance.now() > until) throw new Error(`${name} does not come to rest; see ${log}.`)
    await Bun.sleep(REST_CHECK_MS)
    const now = cpuOf(pid)
    quiet = now - last > REST_CPU_US ? 0 : quiet + 1
    last = now
  }
}

/** Distinguishes the servers of other trees by the name of the folder. */
const suffix = (tree: string) => (tree === ROOT ? '' : ` of ${basename(tree)}`)

async function start(
  name: string,
  command: string[],
  env: Record<string, string>,
  tree = ROOT,
): Promise<Server> {
  const port = await findFreePort()
  const log = join(import.meta.dir, 'run', `${name.replaceAll(' ', '-')}.log`)
  rmSync(log, { force: true })
  const child = Bun.spawn(command, {
    cwd: tree,
    env: { PATH: process.env.PATH ?? '', ...env, HOST: '127.0.0.1', PORT: String(port) },
    stdout: 'ignore',
    stderr: Bun.file(log),
  })
  const url = `http://127.0.0.1:${port}`
  await answering(child, `${url}/healthz`, `${name} did not start; see ${log}.`)
  return {
    name,
    url,
    pid: child.pid,
    log,
    async close() {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
      await child.exited
      clearTimeout(late)
    },
  }
}

async function answering(child: Subprocess, url: string, failure: string): Promise<void> {
  const until = performance.now() + START_MS
  while (performance.now() < until && child.exitCode === null) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok === true) return
    await Bun.sleep(50)
  }
  child.kill('SIGKILL')
  throw new Error(failure)
}

const BLIND = {
  IDENTIFY_WORKERS: '0',
  INDEX_PICTURES: 'off',
  BULK_FILES: 'off',
  LOG_LEVEL: 'info',
}
const START_MS = 60_000
/** How long the tasks after a start may take: they read every picture of the sample. */
const AT_REST_MS = 180_000
const REST_CHECKS = 2
const REST_CHECK_MS = 500
/** Timers of a server at rest use less, in microseconds. */
const REST_CPU_US = 20_000
const INDEX_MS = 180_000
const GRACE_MS = 10_000
