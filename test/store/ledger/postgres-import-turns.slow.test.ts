import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createImportTurns } from '#jobs/import-turns.ts'
import {
  IMPORT_TURN_MS,
  type ImportTurnStore,
  openImportTurnStore,
} from '#store/ledger/fleet/postgres-import-turns.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { openPostgres, type TestDatabase } from '../../support/ledger/engines.ts'
import { HAS_POSTGRES } from '../../support/ledger/postgres-server.ts'
import { createTestLog } from '../../support/test-app.ts'

const START = 1_800_000_000_000
const at = (ms: number) => new Date(START + ms)

describe.skipIf(!HAS_POSTGRES)('turns of imports', () => {
  let database: TestDatabase
  let turns: ImportTurnStore
  beforeAll(async () => {
    database = await openPostgres({ clock: 'caller' })
    turns = openImportTurnStore(database.engine)
  })
  afterAll(() => database?.close())

  const enter = (id: string, account_id: number, ms = 0, server = 'a:1') =>
    turns.enter({ id, account_id, server }, at(ms))

  test('are two of an account, however many enter at once', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `many ${index}`)
    const entered = await Promise.all(ids.map((id) => enter(id, 1)))
    expect(entered.filter(Boolean)).toHaveLength(2)
    expect(await turns.hasRoom(1, at(0))).toBe(false)
    const places = await Promise.all(ids.map((id) => turns.keep(id, at(1))))
    expect(places.sort()).toEqual(['first', ...Array(6).fill('lost'), 'waiting'])
    expect(await turns.hasRoom(2, at(0))).toBe(true)
    expect(await enter('of another account', 2)).toBe(true)
    expect(await turns.keep('of another account', at(1))).toBe('first')
  })

  test('come in the order of entry', async () => {
    await enter('one', 3)
    await enter('two', 3)
    expect(await turns.keep('two', at(1))).toBe('waiting')
    await turns.leave('one')
    expect(await turns.keep('two', at(1))).toBe('first')
    expect(await enter('three', 3, 1)).toBe(true)
    expect(await turns.keep('three', at(1))).toBe('waiting')
    expect(await turns.keep('two', at(1))).toBe('first')
  })

  test('are lost by a server that is silent, to the next one and to newcomers', async () => {
    await enter('silent', 4)
    await enter('next', 4)
    await turns.keep('next', at(IMPORT_TURN_MS - 1))
    expect(await turns.keep('next', at(IMPORT_TURN_MS))).toBe('first')
    expect(await turns.keep('silent', at(IMPORT_TURN_MS))).toBe('lost')
    expect(await enter('newcomer', 4, IMPORT_TURN_MS)).toBe(true)
    expect(await turns.keep('newcomer', at(IMPORT_TURN_MS))).toBe('waiting')
  })

  test('are left by all imports of a server that starts again', async () => {
    await enter('killed', 5, 0, 'b:1')
    await enter('other', 5, 0, 'c:1')
    await turns.leaveAll('b:1')
    expect(await turns.keep('other', at(1))).toBe('first')
    expect(await turns.keep('killed', at(1))).toBe('lost')
  })

  test('of a killed process leave room for the next import of its account', async () => {
    const open = (serverName: string) =>
      createImportTurns(
        {
          ledger: { shared: { importTurns: turns } } as Ledger,
          log: createTestLog([]),
          now: () => at(1),
          serverName,
        },
        () => new Error('two are at work'),
      )
    await enter('ran', 6, 0, 'd:1')
    await enter('waited', 6, 0, 'd:1')
    await expect(open('e:1')?.assertRoom(6)).rejects.toThrow('two are at work')
    await open('d:1')?.assertRoom(6)
  })
})
