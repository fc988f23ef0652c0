import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { openServerReportStore } from '#store/ledger/fleet/postgres-server-reports.ts'
import { openPostgres, type TestDatabase } from '../../support/ledger/engines.ts'
import { HAS_POSTGRES } from '../../support/ledger/postgres-server.ts'

const START = 1_800_000_000_000
const at = (ms: number) => new Date(START + ms)
const reportOf = (name: string) => ({ name, version: '1.0.0', started_at: START, state: '{}' })

describe.skipIf(!HAS_POSTGRES)('reports of servers', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openPostgres({ clock: 'caller' })
  })
  afterAll(() => database?.close())

  test('are the last of each server, with their age, until it stops or was killed a day ago', async () => {
    const reports = openServerReportStore(database.engine)
    const agesAt = async (ms: number) =>
      (await reports.list(at(ms))).map(({ name, age_ms }) => [name, age_ms])
    await reports.put(reportOf('b:1'), at(0))
    await reports.put(reportOf('a:1'), at(1_000))
    await reports.put({ ...reportOf('b:1'), state: '{"jobs":[]}' }, at(2_000))
    expect(await agesAt(5_000)).toEqual([
      ['a:1', 4_000],
      ['b:1', 3_000],
    ])
    expect((await reports.list(at(5_000)))[1]).toMatchObject({
      ...reportOf('b:1'),
      state: '{"jobs":[]}',
    })
    await reports.put(reportOf('c:1'), at(MS_PER_DAY + 1_001))
    expect(await agesAt(MS_PER_DAY + 2_000)).toEqual([
      ['b:1', MS_PER_DAY],
      ['c:1', 999],
    ])
    await reports.delete('b:1')
    expect(await agesAt(MS_PER_DAY + 2_000)).toEqual([['c:1', 999]])
  })
})
