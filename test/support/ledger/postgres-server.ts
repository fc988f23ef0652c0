// A PostgreSQL server for a test file, in a temporary folder. Debian's package is enough; without it, tests are
// skipped with a message.

import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../end-of-tests.ts'
import { findFreePort } from '../free-port.ts'
import { isSlowFile } from '../operations/fast-tests.ts'

const VERSIONS = '/usr/lib/postgresql'

/** Folder of the newest version's programs; undefined if PostgreSQL is not installed. */
const BIN = existsSync(VERSIONS)
  ? readdirSync(VERSIONS)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(VERSIONS, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb')))
  : undefined

export const HAS_POSTGRES = BIN !== undefined
if (!HAS_POSTGRES) console.warn('PostgreSQL is not installed: its tests are skipped.')

/** True if store suites that run on each database include PostgreSQL. */
export const USES_POSTGRES = HAS_POSTGRES && isSlowFile()

export type PostgresServer = {
  port: number
  url: string
  /** Stops it as in a crash, and restarts it on its folder and port. */
  crash(): Promise<void>
  /** Restarts it if it has ended by itself. */
  revive(): Promise<void>
  close(): Promise<void>
}

export type PostgresServerOptions = {
  /** Settings such as `fsync=on`; the last one of a name counts. */
  settings?: readonly string[]
  /** Data folder, which must exist and be empty; the caller removes it. A temporary one by default. */
  folder?: string
}

/** Starts a server as an unprivileged user, because PostgreSQL refuses to run as root. It ends with the tests. */
export async function startPostgres({
  settings = [],
  folder: given,
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  const folder = given ?? createFolder()
  if (given !== undefined) giveToPostgresUser(folder)
  const data = join(folder, 'data')
  template ??= createTemplate()
  await run(['cp', '--archive', await template, data])
  const port = await findFreePort()
  const options = [...SETTINGS, ...settings].flatMap((one) => ['-c', one])

  async function serve() {
    const child = start([join(BIN ?? '', 'postgres'), '-D', data, '-p', `${port}`, ...options])
    await waitUntilReady(child.stderr)
    return child
  }

  let server = await serve()
  async function end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    server.kill(signal)
    await server.exited
  }
  async function close(): Promise<void> {
    forget()
    await end('SIGINT')
    if (given === undefined) rmSync(folder, { recursive: true, force: true })
  }
  const forget = atEnd(close)
  return {
    port,
    url: `postgres://ledger@127.0.0.1:${port}/postgres`,
    async crash() {
      await end('SIGQUIT')
      server = await serve()
    },
    async revive() {
      // It may be about to end or to restart.
      await Bun.sleep(500)
      if (server.exitCode !== null) server = await serve()
    },
    close,
  }
}

/** Folder with the data of a new server, which all of this process begin with: making it takes the most time of a start. */
let template: Promise<string> | undefined

async function createTemplate(): Promise<string> {
  const folder = createFolder()
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const data = join(folder, 'data')
  const options = ['-D', data, '--no-sync', '-U', 'ledger', '-A', 'trust', '-E', 'UTF8']
  await run([join(BIN ?? '', 'initdb'), ...options])
  return data
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-postgres-'))
  giveToPostgresUser(folder)
  return folder
}

const NOBODY = 65_534
const IS_ROOT = process.getuid?.() === 0

/** Gives a folder to the user of the server. */
function giveToPostgresUser(folder: string): void {
  if (IS_ROOT) chownSync(folder, NOBODY, NOBODY)
}

/** Starts a command as the user of the server; it ends with this process. */
function start(command: readonly string[]) {
  const user = IS_ROOT ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []
  return Bun.spawn(['setpriv', '--pdeathsig=INT', ...user, ...command], {
    cwd: tmpdir(),
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
}

/** @throws Error with what the command has printed if it fails */
async function run(command: readonly string[]): Promise<void> {
  const child = start(command)
  if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text())
}

/** Many servers run at the same time: little memory, everything in their folders, and a log without errors. */
const SETTINGS = [
  'fsync=off',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_buffers=32MB',
  'dynamic_shared_memory_type=mmap',
  'log_min_messages=log',
]

/** Reads the log until the server is ready, and continues, because a full pipe would block the server. */
function waitUntilReady(output: ReadableStream<Uint8Array>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  void (async () => {
    let text = ''
    for await (const chunk of output) {
      if (text.includes(READY)) continue
      text += new TextDecoder().decode(chunk)
      if (text.includes(READY)) resolve()
    }
    reject(new Error(text))
  })()
  return promise
}

const READY = 'ready to accept connections'
