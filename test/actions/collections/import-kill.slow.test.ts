// Imports, drafts and undos by processes that are killed: no item is lost, duplicated or left.

import { afterAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresEngine } from '#store/ledger/engine/postgres-engine.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { openPostgresLedger } from '#store/ledger/postgres-ledger.ts'
import { migratePostgres } from '#store/ledger/postgres-migrations.ts'
import { openLedger } from '#store/open-ledger.ts'
import { killRepeatedly, sizedFor } from '../../support/chaos.ts'
import { enterAccount } from '../../support/ledger/engines.ts'
import { HAS_POSTGRES, startPostgres } from '../../support/ledger/postgres-server.ts'
import { startProcess } from '../../support/process.ts'
import { randomFrom, SEED } from '../../support/random.ts'
import { createLedgerFile } from '../../support/test-app.ts'

const ROWS = sizedFor(1_500, 20_000)
const KILLS = sizedFor(4, 30)

const ROOT = mkdtempSync(join(tmpdir(), 'cardstock-import-'))
afterAll(() => rmSync(ROOT, { recursive: true, force: true }))

/** A ledger that several processes share, with an account. */
type World = { ledger: Ledger; url: string | null; account_id: number; close(): Promise<void> }

const WORLDS: [name: string, open: (dataDir: string) => Promise<World>][] = [
  [
    'SQLite',
    async (dataDir) => {
      const ledger = openLedger(dataDir)
      const account = await ledger.accounts.getByEmail('business@guests.example')
      const account_id = account?.id ?? 0
      return { ledger, url: null, account_id, close: async () => void (await ledger.close()) }
    },
  ],
  ...(HAS_POSTGRES
    ? [
        [
          'PostgreSQL',
          async (dataDir: string) => {
            const server = await startPostgres()
            const engine = openPostgresEngine({ url: server.url, connections: 4 })
            await migratePostgres(engine)
            const ledger = openPostgresLedger(engine, dataDir)
            return {
              ledger,
              url: server.url,
              account_id: (await enterAccount(engine)).id,
              async close() {
                await ledger.close()
                await server.close()
              },
            }
          },
        ] as [string, (dataDir: string) => Promise<World>],
      ]
    : []),
]

/** Opens a world in a new data folder, with a collection of its account. */
async function enter(name: string, open: (typeof WORLDS)[number][1]) {
  const dataDir = join(ROOT, name)
  const template = await createLedgerFile()
  cpSync(template.folder, dataDir, { recursive: true })
  template.close()
  const world = await open(dataDir)
  const { ledger, url, account_id } = world
  const collection = { id: 'col_1', account_id, kind: 'owned', name: 'Box' } as const
  await ledger.lists.create(collection, 1, new Date())
  const file = join(dataDir, 'file.csv')
  const input = { dataDir, url, account_id, collection_id: collection.id, file }
  const start = (more: object = {}) =>
    startProcess('test/support/collections/import-process.ts', {
      args: [JSON.stringify({ ...input, ...more })],
    })
  const countItems = async () => (await ledger.lists.get(collection))?.items ?? 0
  const listNotes = async () => {
    const notes: (string | null)[] = []
    for (let after = ''; ; ) {
      const page = await ledger.listItems.listAfter(collection.id, after, 1_000)
      notes.push(...page.map(({ note }) => note))
      const end = page.at(-1)
      if (end === undefined) return notes
      after = end.id
    }
  }
  return { ...world, file, start, countItems, listNotes }
}

describe.each(WORLDS)('an import on %s', (name, open) => {
  test('stores each row once, however often its processes are killed', async () => {
    const { file, start, countItems, listNotes, close } = await enter(name, open)
    // Each row has a unique note by which it is found. Every tenth row names no card.
    const rows = Array.from({ length: ROWS }, (_, row) =>
      row % 10 === 9 ? `1,Nobody ${row},,row ${row}` : `2,Cindle,Tidepool Parade,row ${row}`,
    )
    writeFileSync(file, ['Quantity,Name,Set Name,Note', ...rows].join('\n'))
    const random = randomFrom(SEED)
    await killRepeatedly({
      isOver: (turn) => turn === KILLS,
      start() {
        const pair = [start(), start()]
        return {
          hasEnded: () => pair.some((one) => one.hasEnded()),
          kill: async () => (await Promise.all(pair.map((one) => one.kill()))).every(Boolean),
        }
      },
      async moment({ hasEnded }, turn) {
        const target = Math.floor((ROWS * 0.8 * (turn + 1)) / KILLS)
        while ((await countItems()) < target && !hasEnded()) await Bun.sleep(1 + random() * 10)
      },
      check() {},
    })
    const last = start()
    expect(await last.exited).toBe(0)
    const report = JSON.parse(last.stdout())
    const skipped = Math.floor(ROWS / 10)
    expect(report).toMatchObject({ rows: ROWS, imported: ROWS - skipped, skipped })

    const expected = rows.flatMap((_, row) => (row % 10 === 9 ? [] : `row ${row}`))
    expect((await listNotes()).toSorted()).toEqual(expected.toSorted())
    expect(await countItems()).toBe(expected.length)
    await close()
  }, 240_000)

  test('of a draft is stored once and undone completely, however often its processes are killed', async () => {
    const { ledger, account_id, file, start, countItems, listNotes, close } = await enter(
      `${name} draft`,
      open,
    )
    const rows = Array.from({ length: ROWS }, (_, row) =>
      row % 10 === 9 ? `1,Nobody ${row},,row ${row}` : `2,Cindle,Tidepool Parade,row ${row}`,
    )
    writeFileSync(file, ['Quantity,Name,Set Name,Note', ...rows].join('\n'))
    const random = randomFrom(SEED)
    const killAt = (
      begin: () => ReturnType<typeof start>,
      done: (turn: number) => Promise<boolean>,
    ) =>
      killRepeatedly({
        isOver: (turn) => turn === KILLS,
        start() {
          const one = begin()
          return { hasEnded: () => one.hasEnded(), kill: () => one.kill() }
        },
        async moment({ hasEnded }, turn) {
          while (!(await done(turn)) && !hasEnded()) await Bun.sleep(1 + random() * 10)
        },
        check() {},
      })
    const share = (turn: number) => Math.floor((ROWS * 0.8 * (turn + 1)) / KILLS)

    // A draft that was not read to its end cannot be seen, and the next one ends it.
    const partial = start({ is_draft: true })
    await Bun.sleep(50 + random() * 300)
    await partial.kill()
    const reader = start({ is_draft: true })
    expect(await reader.exited).toBe(0)
    const { import_id, ...report } = JSON.parse(reader.stdout())
    expect(report).toMatchObject({ rows: ROWS, imported: 0 })
    const key = { collection_id: 'col_1', import_id }
    const accepted = ROWS - Math.floor(ROWS / 10)
    const started = { revision: 1, rows: accepted, max: 1_000_000 }
    expect(await ledger.importRecords.start(key, started, new Date())).toBe('started')

    const storing = { stored: { import_id, step: 'import' } }
    await killAt(
      () => start(storing),
      async (turn) => (await countItems()) >= share(turn),
    )
    expect(await start(storing).exited).toBe(0)
    const expected = rows.flatMap((_, row) => (row % 10 === 9 ? [] : `row ${row}`))
    // In the order of the file.
    expect(await listNotes()).toEqual(expected)
    const record = await ledger.importRecords.get({ id: import_id, account_id }, new Date())
    expect(record).toMatchObject({ imported: accepted, done: ROWS })
    expect(record?.completed_at).not.toBeNull()

    expect(await ledger.importRecords.undo(key, 2, new Date())).toBe(true)
    const undoing = { stored: { import_id, step: 'undo' } }
    await killAt(
      () => start(undoing),
      async (turn) => (await countItems()) <= accepted - share(turn),
    )
    expect(await start(undoing).exited).toBe(0)
    expect(await countItems()).toBe(0)
    expect(await listNotes()).toEqual([])
    const undone = await ledger.importRecords.get({ id: import_id, account_id }, new Date())
    expect(undone?.removed).toBe(accepted)
    await close()
  }, 240_000)
})
