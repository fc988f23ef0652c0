import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '#store/db.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { runProcess } from '../support/process.ts'
import { createLedgerFile } from '../support/test-app.ts'

test('identify says that no image is indexed, and reads the photo nevertheless', async () => {
  const { folder, close } = await createLedgerFile()
  closeAfterUse(close)
  const db = openDatabase(join(folder, 'catalog.db'))
  db.exec('DELETE FROM card_pictures')
  db.close()
  const { code, stdout, stderr } = await runProcess('scripts/identify.ts', {
    args: ['data/sample/photos/clean.jpg'],
    env: { DATA_DIR: folder },
  })
  expect(JSON.parse(stdout)).toMatchObject({ read: { kind: 'raw' } })
  expect(stderr).toContain('Run "bun run index" first.')
  expect(code).toBe(0)
})
