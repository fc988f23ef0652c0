import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repeatDeletions } from '#actions/accounts/delete-account.ts'
import { backUp } from '#actions/operations/back-up.ts'
import { restoreBackup } from '#actions/operations/restore-backup.ts'
import { openDatabase } from '#store/db.ts'
import { openDeletionList } from '#store/files/deletion-list.ts'
import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import {
  FULL_EMAIL,
  fullAccountRows,
  PERSONAL_BYTES,
  PERSONAL_TEXTS,
} from '../../support/accounts/full-account.ts'
import { createTempFolder } from '../../support/closers.ts'
import { draftCallsOf } from '../../support/collections/draft-calls.ts'
import { measureWorkCpuMs } from '../../support/event-loop-turns.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, emailOf, FROZEN_TIME, PASSWORD } from '../../support/test-app.ts'

// Export and deletion of an account over HTTP, and its data in backups.

/** Creates an app on disk whose account `free` has data of every kind. */
async function createFullApp() {
  const testApp = await createTestApp({ onDisk: true })
  const { dataDir } = testApp.deps.config
  const id = await testApp.accountId('free')
  const session = await testApp.createSession('free')
  const db = openDatabase(join(dataDir, 'ledger.db'))
  for (const sql of fullAccountRows(id, (hex) => `x'${hex}'`)) db.exec(sql)
  db.close()
  const remove = (json: object) => testApp.client.post('/v1/auth/delete', json, { session })
  return { testApp, dataDir, session, remove, id }
}

function backUpTo(dir: string, dataDir: string) {
  const { log } = console
  const silent = { debug: () => {}, info: () => {}, warn: log, error: log }
  return backUp({ dataDir, log: silent, now: () => new Date() }, { dir })
}

describe('deleting an account', () => {
  test('needs its e-mail address and its password', async () => {
    const { testApp, remove } = await createFullApp()
    for (const json of [
      { email: emailOf('pro'), password: PASSWORD },
      { email: FULL_EMAIL, password: 'wrong password' },
      { email: FULL_EMAIL },
    ]) {
      const { status, body } = await remove(json)
      expect([json, status, body.error.code]).toEqual([json, 401, 'INVALID_CREDENTIALS'])
    }
    expect(await testApp.deps.ledger.accounts.getByEmail(FULL_EMAIL)).toBeDefined()
  })

  test('ends keys, sessions and links with the next request, and frees the e-mail address', async () => {
    const { testApp, session, remove, id } = await createFullApp()
    expect((await testApp.client.get('/v1/sets', { as: 'free' })).status).toBe(200)
    const reply = await remove({ email: FULL_EMAIL.toUpperCase(), password: PASSWORD })
    expect([reply.status, reply.body.data]).toEqual([200, { id }])
    expect(reply.headers.getSetCookie().join()).toContain('session=; ')
    expect((await testApp.client.get('/v1/auth/me', { session })).status).toBe(401)
    expectRefusal(await testApp.client.get('/v1/sets', { as: 'free' }), 401, 'INVALID_API_KEY')
    const login = { email: FULL_EMAIL, password: PASSWORD }
    expect((await testApp.client.post('/v1/auth/login', login)).status).toBe(401)
    expect((await testApp.client.post('/v1/auth/register', login)).status).toBe(201)
    expect(testApp.log).toContainEqual({
      level: 'info',
      event: 'account deleted',
      facts: { account: id },
    })
  })

  test('without a password needs a login of the last 15 minutes', async () => {
    const { testApp, remove } = await createFullApp()
    testApp.ledgerDb().exec(`UPDATE accounts SET password_hash = '' WHERE email = '${FULL_EMAIL}'`)
    testApp.advance(15 * 60_000 + 1)
    expectRefusal(await remove({ email: FULL_EMAIL }), 403, 'RECENT_LOGIN_REQUIRED')
    testApp.advance(-1)
    expect((await remove({ email: FULL_EMAIL })).status).toBe(200)
  })

  test('leaves nothing in the file of the next backup, and a restore of an older one deletes it again', async () => {
    const { testApp, dataDir, remove, id } = await createFullApp()
    const backups = createTempFolder('cardstock-deleted-')
    const other = createTempFolder('cardstock-restored-')
    const before = await backUpTo(join(backups, 'old'), dataDir)
    expect(tracesIn(join(before.folder, 'ledger.db'))).not.toEqual([])

    await remove({ email: FULL_EMAIL, password: PASSWORD })
    const after = await backUpTo(join(backups, 'old'), dataDir)
    expect(tracesIn(join(after.folder, 'ledger.db'))).toEqual([])

    // Restored into the same folder, and into a new one, which knows the deletion from the list beside the backups.
    testApp.deps.catalog.close()
    await testApp.deps.ledger.close()
    for (const target of [dataDir, other]) {
      restoreBackup(target, { from: before.folder, force: true })
      prepareFiles(target)
      const ledger = openLedger(target)
      expect(await ledger.accounts.getByEmail(FULL_EMAIL)).toBeDefined()
      const deps = { ledger, files: { deletions: openDeletionList(target, undefined) } }
      const now = () => new Date(FROZEN_TIME)
      expect(await repeatDeletions({ ...deps, now })).toBe(1)
      expect(await repeatDeletions({ ...deps, now })).toBe(0)
      expect((await ledger.accounts.getById(id))?.email).toBe(`deleted account ${id}`)
      expect(await ledger.scans.listUnbalanced()).toEqual([])
      await ledger.close()
      const again = await backUpTo(join(backups, 'new'), target)
      expect(tracesIn(join(again.folder, 'ledger.db'))).toEqual([])
    }
  })
})

/** Finds traces of the person in the bytes of a file, including deleted rows. */
function tracesIn(path: string): string[] {
  const bytes = readFileSync(path)
  const texts = PERSONAL_TEXTS.filter((mark) => bytes.includes(mark))
  return bytes.includes(PERSONAL_BYTES) ? [...texts, 'a digest'] : texts
}

describe('exporting an account', () => {
  test('gives a file with every table and the rows of this account only, without a secret', async () => {
    const { testApp, session } = await createFullApp()
    const reply = await testApp.client.get('/v1/auth/export', { session })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-disposition')).toContain('cardstock-account.json')
    const { format, exported_at, ...tables } = JSON.parse(reply.text)
    expect([format, exported_at]).toEqual([1, FROZEN_TIME])
    expect(Object.keys(tables)).toEqual([...testApp.deps.ledger.personalData.tables])
    for (const [table, rows] of Object.entries(tables)) {
      expect([table, Array.isArray(rows) && rows.length > 0]).toEqual([table, true])
    }
    expect(tables.accounts).toMatchObject([{ email: FULL_EMAIL, created_at: FROZEN_TIME }])
    expect(tables.list_items).toMatchObject([{ note: 'note hedwigs-mark', price_paid: 1200 }, {}])
    expect(tables.usage_daily).toMatchObject([{ day: '2026-11-15' }])
    expect(tables.identifications).toMatchObject([{ data: { note: 'hedwigs-mark' } }])
    expect(tables.import_drafts).toMatchObject([{ header: ['hedwigs-mark'], totals: {} }])
    expect(tables.import_rows).toMatchObject([{ content: [{ source: ['hedwigs-mark'] }] }])
    expect(tables.import_changes).toMatchObject([{ changed: ['hedwigs-mark'] }])
    expect(reply.text).not.toContain('password_hash')
    expect(reply.text).not.toContain('key_hash')
    expect(reply.text).not.toContain(emailOf('pro'))
  })

  test('pages through long tables', async () => {
    const { testApp, session } = await createFullApp()
    testApp.ledgerDb().exec(`CREATE TEMP TABLE more AS
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        SELECT list_items.* FROM list_items, n WHERE list_id = 'col_full';
      UPDATE more SET id = 'more_' || rowid, ordinal = rowid, quantity = rowid;
      INSERT INTO list_items SELECT * FROM more`)
    const { list_items } = JSON.parse(
      (await testApp.client.get('/v1/auth/export', { session })).text,
    )
    expect(new Set(list_items.map(({ id }: { id: string }) => id)).size).toBe(2_002)
  })

  test('gives all rows of the drafts, part by part', async () => {
    const testApp = await createTestApp()
    const { create, draft } = draftCallsOf(testApp, 'business')
    const lines = Array.from({ length: 450 }, (_, row) => `1,Cindle,TPP,001/020,Box ${row}`)
    await draft(await create(), ['Quantity,Name,Set,Number,Place', ...lines].join('\n'))
    const session = await testApp.createSession('business')
    const { text } = await testApp.client.get('/v1/auth/export', { session })
    const { import_rows } = JSON.parse(text) as {
      import_rows: { content: { source: string[] }[] }[]
    }
    expect(import_rows.map(({ content }) => content.length)).toEqual([200, 200, 50])
    const sources = import_rows.flatMap(({ content }) => content.map(({ source }) => source.join()))
    expect(sources).toEqual(lines)
  })

  test('reads the last rows of a long table in the time of the first ones', async () => {
    const { testApp, id } = await createFullApp()
    testApp.ledgerDb().exec(`INSERT INTO list_items
        (list_id, id, ordinal, card_id, name, game, set_id, set_name, condition, quantity, note, created_at, updated_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      SELECT 'col_full', printf('more_%06d', i), i, i, 'name', 'game', 1, 'set', 'near_mint', 1, hex(zeroblob(100)), 0, 0
        FROM n`)
    const pages = testApp.deps.ledger.personalData.read('list_items', id, 200)
    const tenthPages: number[] = []
    for (let tenth = 0; tenth < 10; tenth++) {
      tenthPages.push(
        await measureWorkCpuMs(async () => {
          for (let page = 0; page < 50; page++) expect((await pages.next()).value).toBeDefined()
        }),
      )
    }
    const [first = 0, ...others] = tenthPages
    expect(others.at(-1)).toBeLessThan(3 * first + 20)
  })
})
