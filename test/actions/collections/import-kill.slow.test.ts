// Concurrent imports of one file by processes that are killed: no item is lost or duplicated.

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

describe.each(WORLDS)('an import on %s', (name, open) => {
  test('stores each row once, however often its processes are killed', async () => {
    const dataDir = join(ROOT, name)
    const template = await createLedgerFile()
    cpSync(template.folder, dataDir, { recursive: true })
    template.close()
    const { ledger, url, account_id, close } = await open(dataDir)
    const collection_id = 'col_1'
    const collection = { id: collection_id, account_id, kind: 'owned', name: 'Box' } as const
    await ledger.lists.create(collection, 1, new Date())

    // Each row has a unique note by which it is found. Every tenth row names no card.
    const rows = Array.from({ length: ROWS }, (_, row) =>
      row % 10 === 9 ? `1,Nobody ${row},,row ${row}` : `2,Cindle,Tidepool Parade,row ${row}`,
    )
    const file = join(dataDir, 'file.csv')
    writeFileSync(file, ['Quantity,Name,Set Name,Note', ...rows].join('\n'))
    const input = JSON.stringify({ dataDir, url, account_id, collection_id, file })
    const start = () =>
      startProcess('test/support/collections/import-process.ts', { args: [input] })
    const countDone = async () => (await ledger.lists.get(collection))?.items ?? 0

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
        while ((await countDone()) < target && !hasEnded()) await Bun.sleep(1 + random() * 10)
      },
      check() {},
    })
    const last = start()
    expect(await last.exited).toBe(0)
    const report = JSON.parse(last.stdout())
    const skipped = Math.floor(ROWS / 10)
    expect(report).toMatchObject({ rows: ROWS, imported: ROWS - skipped, skipped })

    const notes: (string | null)[] = []
    for (let after = ''; ; ) {
      const page = await ledger.listItems.listAfter(collection_id, after, 1_000)
      notes.push(...page.map(({ note }) => note))
      const end = page.at(-1)
      if (end === undefined) break
      after = end.id
    }
    const expected = rows.flatMap((_, row) => (row % 10 === 9 ? [] : `row ${row}`))
    expect(notes.toSorted()).toEqual(expected.toSorted())
    expect(await countDone()).toBe(expected.length)
    await close()
  }, 240_000)
})
