import { afterEach, expect, test } from 'bun:test'
import { join, resolve } from 'node:path'
import { openDatabase } from '#store/db.ts'
import { createLedgerFile } from '../support/test-app.ts'

const ROOT = resolve(import.meta.dir, '../..')

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function identify(folder: string) {
  const photo = join(ROOT, 'data/sample/photos/clean.jpg')
  const child = Bun.spawn([process.execPath, '--no-env-file', 'scripts/identify.ts', photo], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, stdout, stderr }
}

test('identify says that no image is indexed, and reads the photo nevertheless', async () => {
  const { folder, close } = await createLedgerFile()
  closers.push(close)
  const db = openDatabase(join(folder, 'catalog.db'))
  db.exec('DELETE FROM card_pictures')
  db.close()
  const { code, stdout, stderr } = await identify(folder)
  expect(JSON.parse(stdout)).toMatchObject({ read: { kind: 'raw' } })
  expect(stderr).toContain('Run "bun run index" first.')
  expect(code).toBe(0)
})
