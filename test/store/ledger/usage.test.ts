import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { leaseOf } from '#rules/accounts/tiers.ts'
import { openUsageStore, type UsageStore } from '#store/ledger/usage.ts'
import { ENGINES, enterAccount, type TestEngines } from '../../support/ledger/engines.ts'
import { SEED } from '../../support/random.ts'

const DAY = 20_000

describe.each(ENGINES)('usage on %s', (_name, open) => {
  let ledger: TestEngines
  let stores: UsageStore[]

  beforeAll(async () => {
    ledger = await open()
    stores = ledger.engines.map(openUsageStore)
  })
  afterAll(() => ledger.close())

  const storeAt = (index: number): UsageStore => stores[index % stores.length] as UsageStore
  const newAccount = () => enterAccount(ledger.engines[0] as TestEngines['engines'][number])

  test('is leased by the rule, over several connections', async () => {
    const request = fc.record({
      limit: fc.integer({ min: 0, max: 2_000 }),
      wanted: fc.integer({ min: 1, max: 64 }),
      needed: fc.integer({ min: 1, max: 40 }),
    })
    const property = fc.asyncProperty(
      fc.array(request, { minLength: 1, maxLength: 12 }),
      async (requests) => {
        const { id } = await newAccount()
        let used = 0
        for (const [index, one] of requests.entries()) {
          const granted = leaseOf(Math.max(0, one.limit - used), one)
          used += granted
          expect(await storeAt(index).lease(id, DAY, one)).toEqual({ granted, used })
        }
        expect(await storeAt(0).getUsed(id, DAY)).toBe(used)
      },
    )
    await fc.assert(property, { seed: SEED, numRuns: 40 })
  })

  test('grants exactly the limit to concurrent connections', async () => {
    const { id } = await newAccount()
    const drain = async (store: UsageStore) => {
      let sum = 0
      for (;;) {
        const { granted } = await store.lease(id, DAY, { limit: 2_000, wanted: 64, needed: 1 })
        if (granted === 0) return sum
        sum += granted
      }
    }
    const sums = await Promise.all([...stores, ...stores].map(drain))
    expect(sums.reduce((total, sum) => total + sum)).toBe(2_000)
    expect(await storeAt(0).getUsed(id, DAY)).toBe(2_000)
  })

  test('is counted beyond the limit, and returned', async () => {
    const { id } = await newAccount()
    await storeAt(0).addUsed(id, DAY, 70)
    await storeAt(1).addUsed(id, DAY, 50)
    await storeAt(2).refund(id, DAY, 5)
    expect(await storeAt(0).getUsed(id, DAY)).toBe(115)
    expect(await storeAt(0).lease(id, DAY, { limit: 100, wanted: 9, needed: 1 })).toEqual({
      granted: 0,
      used: 115,
    })
    expect(await storeAt(0).getUsed(id, DAY + 1)).toBe(0)
  })

  test('of keys is added up by day and group, and listed by account', async () => {
    const { id, key } = await newAccount()
    const counted = (day: number, requests: number) => ({
      key_id: key,
      day,
      endpoint_group: 'search',
      requests,
      last_used_at: day,
    })
    await Promise.all(stores.map((store) => store.add([counted(DAY, 2), counted(DAY + 1, 3)])))
    const rows = await storeAt(0).listByAccount(id, DAY)
    expect(rows.map(({ day, requests }) => [day, requests])).toEqual([
      [DAY, 6],
      [DAY + 1, 9],
    ])
    expect(await storeAt(0).listByAccount(id, DAY + 1)).toHaveLength(1)
  })

  test('is added without the requests of a key that is gone', async () => {
    const { id, key } = await newAccount()
    const counted = { day: DAY, endpoint_group: 'cards', requests: 1, last_used_at: 0 }
    const batch = [key, 'unknown'].map((key_id) => ({ ...counted, key_id }))
    await storeAt(0).add(batch)
    const found = await storeAt(0).listByAccount(id, DAY)
    expect(found.map(({ key_id }) => key_id)).toEqual([key])
  })

  test('before a day is deleted, at most as many rows as wanted', async () => {
    const { id } = await newAccount()
    for (let day = 10; day < 15; day++) await storeAt(0).addUsed(id, day, 1)
    expect(await storeAt(0).deleteBefore(14, 3)).toBe(3)
    expect(await storeAt(0).deleteBefore(14, 3)).toBe(1)
    expect(await storeAt(0).getUsed(id, 14)).toBe(1)
  })
})
