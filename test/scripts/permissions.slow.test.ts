// Modes of everything in a data folder, created or found by a process with a permissive umask.

import { expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareFiles } from '#store/prepare-files.ts'
import { createTempFolder } from '../support/closers.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { findFreePort } from '../support/free-port.ts'
import { startProcess } from '../support/process.ts'
import { waitFor } from '../support/wait-for.ts'

const LIMIT_MS = 60_000
setDefaultTimeout(LIMIT_MS)

const tempFolder = () => createTempFolder('cardstock-modes-')

/** Starts a script with umask 0: its files are accessible to everybody unless it sets modes. */
function startOpen(script: string, args: readonly string[], env: Record<string, string>) {
  const prefix = ['sh', '-c', 'umask 0; exec "$@"', 'sh']
  return startProcess(script, { args, env, prefix, cwd: tmpdir() })
}

async function run(...call: Parameters<typeof startOpen>) {
  const { exited, stderr } = startOpen(...call)
  expect([await exited, stderr()]).toEqual([0, expect.any(String)])
}

const modeOf = (path: string) => lstatSync(path).mode & 0o777

/** Lists the paths in a folder, including the folder, that other users may access. */
function exposedIn(folder: string): string[] {
  const paths = [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ]
  return paths.filter((path) => (modeOf(path) & 0o077) !== 0)
}

test('a server, its backups, bulk files and restored files are private whatever the umask', async () => {
  const [dataDir, restored] = [join(tempFolder(), 'a/data'), join(tempFolder(), 'restored')]
  const out = join(tempFolder(), 'prices.json')
  const settings = { DATA_DIR: dataDir, PORT: String(await findFreePort()), IDENTIFY_WORKERS: '0' }
  const server = startOpen('src/main.ts', ['--with-sample'], settings)
  closeAfterUse(server.kill)
  const has = (folder: string, pattern: RegExp) => {
    try {
      return readdirSync(join(dataDir, folder)).some((name) => pattern.test(name))
    } catch {
      return false
    }
  }
  await waitFor(() => has('bulk', /^v\d+$/) && has('backups', /^cardstock-/))
  const picture = `http://127.0.0.1:${settings.PORT}/pictures/cards/900402?size=small`
  await waitFor(async () => (await fetch(picture)).ok && has('pictures', /./))
  expect(exposedIn(dataDir)).toEqual([])
  expect(modeOf(dataDir)).toBe(0o700)
  expect(modeOf(join(dataDir, 'ledger.db'))).toBe(0o600)
  await run('scripts/restore.ts', [join(dataDir, 'backups')], { DATA_DIR: restored })
  expect(exposedIn(restored)).toEqual([])
  // A file at the operator's chosen place has the permissions of the operator's other files.
  await run('scripts/export.ts', ['--all', '--out', out], { DATA_DIR: dataDir })
  expect(modeOf(out)).toBe(0o666)
})

test('a folder of an earlier version is made private by a start, which returns the exposed entries', () => {
  const dataDir = join(tempFolder(), 'data')
  prepareFiles(dataDir)
  mkdirSync(join(dataDir, 'backups/one'), { recursive: true })
  writeFileSync(join(dataDir, 'backups/one/ledger.db'), '')
  writeFileSync(join(dataDir, 'notes.txt'), '')
  const exposed = ['.', 'backups', 'backups/one', 'backups/one/ledger.db', 'ledger.db']
  for (const name of exposed) chmodSync(join(dataDir, name), 0o755)
  chmodSync(join(dataDir, 'notes.txt'), 0o644)
  expect(prepareFiles(dataDir).sort()).toEqual(exposed)
  expect(exposedIn(dataDir)).toEqual([join(dataDir, 'notes.txt')])
  expect(prepareFiles(dataDir)).toEqual([])
})

test('a folder that users share keeps its mode, unlike the files in it', () => {
  const dataDir = tempFolder()
  prepareFiles(dataDir)
  chmodSync(dataDir, 0o1777)
  chmodSync(join(dataDir, 'ledger.db'), 0o644)
  expect(prepareFiles(dataDir)).toEqual(['ledger.db'])
  expect(modeOf(dataDir)).toBe(0o777)
})
