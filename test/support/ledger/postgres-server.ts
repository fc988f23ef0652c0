// A PostgreSQL server of a test file, in a temporary folder. Debian's package is enough; without it, tests
// are skipped and say so.

import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../free-port.ts'

const VERSIONS = '/usr/lib/postgresql'

/** Folder of the programs of the newest version; undefined if PostgreSQL is not installed. */
const BIN = existsSync(VERSIONS)
  ? readdirSync(VERSIONS)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(VERSIONS, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb')))
  : undefined

export const HAS_POSTGRES = BIN !== undefined
if (!HAS_POSTGRES) console.warn('PostgreSQL is not installed: its tests are skipped.')

export type PostgresServer = { port: number; url: string; close(): Promise<void> }

/** Starts a server as a user without rights: PostgreSQL refuses to run as root. It ends with the tests. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-postgres-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const user = isRoot ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []
  const start = (program: string, ...options: string[]) =>
    Bun.spawn(['setpriv', '--pdeathsig=INT', ...user, join(BIN ?? '', program), ...options], {
      ...{ cwd: folder, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
    })
  const data = join(folder, 'data')
  const initdb = start(
    'initdb',
    '-D',
    data,
    '-U',
    'ledger',
    '--no-sync',
    '-A',
    'trust',
    '-E',
    'UTF8',
  )
  if ((await initdb.exited) !== 0) throw new Error(await new Response(initdb.stderr).text())
  const port = await findFreePort()
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories=']
  const server = start(
    'postgres',
    '-D',
    data,
    '-p',
    `${port}`,
    ...settings.flatMap((one) => ['-c', one]),
  )
  await saysReady(server.stderr)
  return {
    port,
    url: `postgres://ledger@127.0.0.1:${port}/postgres`,
    async close() {
      server.kill('SIGINT')
      await server.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const NOBODY = 65_534

async function saysReady(output: ReadableStream<Uint8Array>): Promise<void> {
  let text = ''
  for await (const chunk of output.values({ preventCancel: true })) {
    text += new TextDecoder().decode(chunk)
    if (text.includes('ready to accept connections')) return
  }
  throw new Error(text)
}
