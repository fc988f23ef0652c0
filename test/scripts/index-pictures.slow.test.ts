// `bun run index` as a person uses it.
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { acquireLock } from '#store/files/lock.ts'
import { prepareFiles } from '#store/prepare-files.ts'

const SCRIPT = resolve(import.meta.dir, '../../scripts/index-pictures.ts')
const DATA_DIR = mkdtempSync(join(tmpdir(), 'cardstock-index-'))
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }))

function run(...args: string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    [process.execPath, '--no-env-file', SCRIPT, ...args],
    { env: { ...process.env, DATA_DIR } },
  )
  return { exitCode, stdout: `${stdout}`, stderr: `${stderr}` }
}

test('skips a folder that the server is indexing', () => {
  prepareFiles(DATA_DIR)
  const unlock = acquireLock(DATA_DIR, 'pictures')
  const { exitCode, stderr } = run()
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/Another process is indexing/)])
  unlock?.()
})
