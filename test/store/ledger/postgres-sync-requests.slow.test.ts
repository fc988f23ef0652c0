import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openSyncRequestStore } from '#store/ledger/fleet/postgres-sync-requests.ts'
import { openPostgres, type TestDatabase } from '../../support/ledger/engines.ts'
import { HAS_POSTGRES } from '../../support/ledger/postgres-server.ts'

const START = 1_800_000_000_000
const at = (ms: number) => new Date(START + ms)

describe.skipIf(!HAS_POSTGRES)('syncs that operators request', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openPostgres({ clock: 'caller' })
  })
  afterAll(() => database?.close())

  test('wait one at a time, and are received once', async () => {
    const { add, take } = openSyncRequestStore(database.engine)
    expect(await take(at(0))).toBeUndefined()
    const wanted = { game: 'pokemon', force: true }
    const added = await Promise.all([add(wanted, at(1)), add(wanted, at(1)), add(wanted, at(2))])
    expect(added.filter((isAdded) => isAdded)).toHaveLength(1)
    const taken = await Promise.all([take(at(3)), take(at(3))])
    expect(taken.filter((request) => request !== undefined)).toEqual([wanted])
    expect(await add({ game: null, force: false }, at(4))).toBe(true)
    expect(await take(at(5))).toEqual({ game: null, force: false })
  })

  test('are forgotten after an hour', async () => {
    const { add, take } = openSyncRequestStore(database.engine)
    const wanted = { game: null, force: false }
    await add(wanted, at(0))
    expect(await take(at(3_600_001))).toBeUndefined()
    await add(wanted, at(0))
    expect(await add({ ...wanted, force: true }, at(3_600_001))).toBe(true)
    expect(await take(at(3_600_002))).toEqual({ ...wanted, force: true })
  })
})
