// Imports that share a thread: turns, budget and interruption.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { mergeRows } from '#actions/collections/draft-rows.ts'
import { createSharedImports } from '#actions/collections/shared-imports.ts'
import type { FileImport, FileImportOutcome } from '#rules/collections/file-import.ts'
import { ACCEPTED_BY_DEFAULT } from '#rules/matching/certainty.ts'
import type { FileBytes } from '#rules/primitives/file-bytes.ts'
import { openDatabase } from '#store/db.ts'
import { CATALOG_FILE } from '#store/files/data-folder.ts'
import { openCatalogOn } from '#store/open-catalog.ts'
import { createTestApp } from '../../support/test-app.ts'

const testApp = await createTestApp()
const { deps } = testApp
const account_id = await testApp.accountId('business')
const never = new AbortController().signal
let collections = 0

async function createCollection(): Promise<string> {
  const id = `col_shared_${collections++}`
  const list = { id, account_id, kind: 'owned', name: 'Box' } as const
  await deps.ledger.lists.create(list, 1_000, new Date())
  return id
}

const encode = (text: string) => new TextEncoder().encode(text)

/** Returns a table of this many rows with a card each. */
const tableOf = (rows: number) =>
  encode(
    `Name,Set Name,Note\n${Array.from({ length: rows }, (_, row) => `Cindle,Tidepool Parade,row ${row}`).join('\n')}`,
  )

const inputOf = (
  collection_id: string,
  file: FileBytes,
  network = 'home',
  account = account_id,
) => ({
  account_id: account,
  tier: 'business' as const,
  is_unlimited: false,
  network,
  collection_id,
  file,
  file_name: undefined,
  game: undefined,
  prefer: 'regular' as const,
  again: false,
  accept: ACCEPTED_BY_DEFAULT,
  is_draft: false,
})

const countItems = async (id: string) =>
  (await deps.ledger.lists.get({ id, account_id }))?.items ?? 0

const reportOf = (outcome: FileImportOutcome) => ('report' in outcome ? outcome.report : outcome)

test('a short file ends while long ones of other accounts are imported', async () => {
  const imports = createSharedImports()
  const ids = await Promise.all([1, 2, 3, 4].map(createCollection))
  const [short = '', ...others] = ids
  const long = others.map((id, index) =>
    imports.run(deps, inputOf(id, tableOf(1_000), 'farm', 1_000 + index), never),
  )
  const first = await imports.run(deps, inputOf(short, tableOf(100)), never)
  expect(reportOf(first)).toMatchObject({ rows: 100, imported: 100 })
  // The network of the three accounts had half of the turns.
  const meanwhile = await Promise.all(others.map(countItems))
  expect(meanwhile.reduce((sum, items) => sum + items, 0)).toBeLessThanOrEqual(6 * 50)
  for (const outcome of await Promise.all(long)) {
    expect(reportOf(outcome)).toMatchObject({ rows: 1_000, imported: 1_000 })
  }
})

test('accounts of a network take turns', async () => {
  const imports = createSharedImports()
  const ids = await Promise.all([1, 2].map(createCollection))
  const [first = '', second = ''] = ids
  const long = imports.run(deps, inputOf(first, tableOf(1_000), 'home', 1), never)
  await imports.run(deps, inputOf(second, tableOf(250), 'home', 2), never)
  expect(await countItems(first)).toBeLessThanOrEqual(350)
  await long
})

test('a run without processor time left ends like an interruption, and another one continues', async () => {
  let usedMs = 0
  const { collectionImports } = deps.ledger
  const addBatch: typeof collectionImports.addBatch = (...batch) => {
    usedMs += 2_000
    return collectionImports.addBatch(...batch)
  }
  const ledger = { ...deps.ledger, collectionImports: { ...collectionImports, addBatch } }
  const { catalog, now } = deps
  const slow = createSharedImports(() => usedMs)
  const runSlowly = (input: FileImport) => slow.run({ catalog, now, ledger }, input, never)
  const id = await createCollection()
  const file = tableOf(500)
  const refused = { refusal: { code: 'UNAVAILABLE', message: expect.any(String), retryAfter: 1 } }
  // 2 s for each part of 50 rows, of 5 s and 2 ms a row.
  expect(await runSlowly(inputOf(id, file))).toMatchObject(refused)
  expect(await countItems(id)).toBe(150)
  expect(await runSlowly(inputOf(id, file))).toMatchObject(refused)
  expect(await countItems(id)).toBe(300)
  const rest = await createSharedImports().run(deps, inputOf(id, file), never)
  expect(reportOf(rest)).toMatchObject({ rows: 500, imported: 500, is_repeated: false })
  expect(await countItems(id)).toBe(500)
})

test('a draft without processor time left is read on where its last run stopped', async () => {
  let parts = 0
  const { sources, ...others } = deps.catalog
  const holdings: typeof sources.holdings = {
    ...sources.holdings,
    getByIds(ids) {
      parts++
      return sources.holdings.getByIds(ids)
    },
  }
  const catalog = { ...others, sources: { ...sources, holdings } }
  const rows = Array.from({ length: 630 }, (_, row) =>
    row % 3 === 0 ? `Nobody,,row ${row}` : `Cindle,Tidepool Parade,row ${row}`,
  )
  const id = await createCollection()
  const file = encode(['Name,Set Name,Note', ...rows].join('\n'))
  const input = { ...inputOf(id, file), is_draft: true }
  // 1.5 s for each part of 50 rows, of 5 s and 2 ms a row: four parts.
  const runSlowly = () =>
    createSharedImports(() => 1_500 * parts).run({ ...deps, catalog }, input, never)
  const refused = { refusal: { code: 'UNAVAILABLE', message: expect.any(String), retryAfter: 1 } }
  for (const read of [4, 8]) {
    expect(await runSlowly()).toMatchObject(refused)
    expect(parts).toBe(read)
  }
  const report = reportOf(await createSharedImports().run({ ...deps, catalog }, input, never))
  expect(report).toMatchObject({ rows: 630, imported: 0 })
  expect(parts).toBe(13)

  const import_id = 'import_id' in report ? String(report.import_id) : ''
  const key = { collection_id: id, import_id }
  const draft = await deps.ledger.importDrafts.getKey(key)
  const [states, totals] = [JSON.parse(draft?.states ?? ''), JSON.parse(draft?.totals ?? '')]
  const stored = await Array.fromAsync(mergeRows(deps, { ...key, states, totals }))
  expect(stored.map(({ at, source }) => [at, source.join()])).toEqual([...rows.entries()])
  expect(stored.filter(({ kind }) => kind === 'not_found')).toHaveLength(210)
})

test('an import whose sender has gone ends, while it runs and while it waits for its turn', async () => {
  const imports = createSharedImports()
  const [first, second] = [await createCollection(), await createCollection()]
  const controller = new AbortController()
  const gone = [first, second].map((id, index) =>
    imports.run(deps, inputOf(id, tableOf(2_000), `network ${index}`), controller.signal),
  )
  while ((await countItems(first)) === 0) await Bun.sleep(0)
  controller.abort()
  for (const outcome of await Promise.all(gone)) {
    expect(outcome).toMatchObject({ refusal: { code: 'UNAVAILABLE' } })
  }
  const stored = await countItems(first)
  expect(stored).toBeLessThan(2_000)
  const rest = await imports.run(deps, inputOf(first, tableOf(2_000)), never)
  expect(reportOf(rest)).toMatchObject({ rows: 2_000, imported: 2_000 })
  expect(await countItems(first)).toBe(2_000)
})

test.each([
  ['table', 'Name,Set Name\n', 'Cindle,Tidepool Parade\n'],
  ['list', '', '2 Cindle (TPP) 001/020\r\n\r\n'],
])('a %s is read from the disk in pieces', async (_, header, row) => {
  const bytes = encode(header + row.repeat(20_000))
  const pieces: number[] = []
  const file: FileBytes = {
    length: bytes.length,
    subarray(start, end) {
      const piece = bytes.subarray(start, end)
      pieces.push(piece.length)
      return piece
    },
  }
  const id = await createCollection()
  const controller = new AbortController()
  const run = createSharedImports().run(deps, inputOf(id, file), controller.signal)
  while ((await countItems(id)) === 0) await Bun.sleep(0)
  controller.abort()
  await run
  expect(Math.max(...pieces)).toBeLessThanOrEqual(262_144)
})

test('each part of a file finds its cards in one version of the catalog', async () => {
  const onDisk = await createTestApp({ onDisk: true })
  const db = openDatabase(join(onDisk.deps.config.dataDir, CATALOG_FILE), { readonly: true })
  const { sources, ...others } = openCatalogOn(db, (stored) => stored)
  const isHeld: boolean[] = []
  const holdings: typeof sources.holdings = {
    ...sources.holdings,
    getByIds(ids) {
      isHeld.push(db.inTransaction)
      return sources.holdings.getByIds(ids)
    },
  }
  const catalog = { ...others, sources: { ...sources, holdings } }
  const id = await createCollection()
  const input = inputOf(id, tableOf(150))
  const outcome = await createSharedImports().run({ ...deps, catalog }, input, never)
  expect(reportOf(outcome)).toMatchObject({ rows: 150, imported: 150 })
  expect([isHeld, db.inTransaction]).toEqual([[true, true, true], false])
  db.close()
  onDisk.close()
})

test('a list without a card leaves its turn to others, and is refused at its end', async () => {
  const imports = createSharedImports()
  const [empty, other] = [await createCollection(), await createCollection()]
  const order: string[] = []
  const blank = imports
    .run(deps, inputOf(empty, encode('\n'.repeat(200_000)), 'a'), never)
    .finally(() => order.push('blank'))
  await imports.run(deps, inputOf(other, tableOf(50), 'b'), never).finally(() => order.push('card'))
  expect(await blank).toMatchObject({ refusal: { code: 'VALIDATION_ERROR' } })
  expect(order).toEqual(['card', 'blank'])
})

/** Returns a table of rows whose dates do not show the order of day and month. */
const datedTable = (rows: number) =>
  encode(`Name,Set Name,Date Bought\n${'Cindle,Tidepool Parade,05/04/2026\n'.repeat(rows)}`)

/** Counts the bytes that the parser of tables reads; others read larger pieces. */
function countParsed(bytes: Uint8Array) {
  let parsed = 0
  const file: FileBytes = {
    length: bytes.length,
    subarray(start, end) {
      const piece = bytes.subarray(start, end)
      if (piece.length <= 4_096) parsed += piece.length
      return piece
    },
  }
  return { file, parsed: () => parsed }
}

test('a turn reads the dates of a thousand rows', async () => {
  const { file, parsed } = countParsed(datedTable(20_000))
  const read: number[] = []
  // Asked before and after each turn.
  const imports = createSharedImports(() => {
    read.push(parsed())
    return 0
  })
  const id = await createCollection()
  const controller = new AbortController()
  const run = imports.run(deps, inputOf(id, file), controller.signal)
  while ((await countItems(id)) === 0) await Bun.sleep(0)
  controller.abort()
  await run
  const ofTurns = read.map((bytes, at) => bytes - (read[at - 1] ?? 0))
  // 34 bytes a row, and what the parser reads ahead.
  expect(Math.max(...ofTurns)).toBeLessThanOrEqual(34_000 + 32_768)
  expect(ofTurns.filter((bytes) => bytes > 20_000).length).toBeGreaterThanOrEqual(19)
})

test('a file whose dates have no order leaves its turn to others', async () => {
  const imports = createSharedImports()
  const [dated, other] = [await createCollection(), await createCollection()]
  const controller = new AbortController()
  const long = imports.run(deps, inputOf(dated, datedTable(20_000), 'a'), controller.signal)
  await imports.run(deps, inputOf(other, tableOf(50), 'b'), never)
  expect(await countItems(dated)).toBe(0)
  controller.abort()
  await long
})

test('reading dates counts for the processor time of a run, as its rows do', async () => {
  const { file, parsed } = countParsed(datedTable(20_000))
  // The dates take 5.4 s: more than a run without rows may use, and less than 5 s and 0.05 ms a row.
  const imports = createSharedImports(() => Math.min(1, parsed() / file.length) * 5_400)
  const id = await createCollection()
  const controller = new AbortController()
  const run = imports.run(deps, inputOf(id, file), controller.signal)
  const ended = run.then(() => true)
  while ((await countItems(id)) === 0) {
    if (await Promise.race([ended, Bun.sleep(0).then(() => false)])) break
  }
  controller.abort()
  expect(await countItems(id)).toBeGreaterThan(0)
  await run
})
