import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { JOB_LEASE_MS, type JobLeaseStore, openJobLeaseStore } from '#store/ledger/job-leases.ts'
import { ENGINES, type TestEngines } from '../../support/ledger/engines.ts'

const START = 1_800_000_000_000
const at = (ms: number) => new Date(START + ms)

describe.each(ENGINES)('leases of jobs on %s', (_name, open) => {
  let ledger: TestEngines
  let stores: JobLeaseStore[]

  beforeAll(async () => {
    ledger = await open()
    stores = ledger.engines.map(openJobLeaseStore)
  })
  afterAll(() => ledger.close())

  const store = (index = 0): JobLeaseStore => stores[index] as JobLeaseStore
  const newJob = () => crypto.randomUUID()
  async function taken(job: string, holder: string, ms: number) {
    const lease = await store().take(job, holder, at(ms))
    if (lease === undefined) throw new Error(`${holder} did not get the lease`)
    return lease
  }

  test('go to one of the servers that request them at the same time', async () => {
    const job = newJob()
    const attempts = ['a', 'b', 'c', 'd', 'e', 'f'].map((holder, index) =>
      store(index % 3).take(job, holder, at(0)),
    )
    const leases = (await Promise.all(attempts)).filter((lease) => lease !== undefined)
    expect(leases).toHaveLength(1)
    expect(leases[0]).toMatchObject({ job, token: 1, was_interrupted: false })
  })

  test('stay with a server that renews them, and go over once they have expired', async () => {
    const job = newJob()
    const first = await taken(job, 'first', 0)
    expect(await taken(job, 'first', JOB_LEASE_MS - 1)).toEqual(first)
    expect(await store(1).take(job, 'second', at(JOB_LEASE_MS))).toBeUndefined()
    expect(await store(1).take(job, 'second', at(2 * JOB_LEASE_MS - 1))).toMatchObject({
      holder: 'second',
      token: 2,
    })
  })

  test('that another server has taken over start and end no run', async () => {
    const job = newJob()
    const old = await taken(job, 'old', 0)
    expect(await store().begin(old, at(1), at(1))).toBe(true)
    const next = await taken(job, 'next', JOB_LEASE_MS)
    expect(next.was_interrupted).toBe(true)
    expect(await store().begin(old, at(2), at(JOB_LEASE_MS))).toBe(false)
    await store().end(old, at(JOB_LEASE_MS))
    expect((await taken(job, 'next', JOB_LEASE_MS)).was_interrupted).toBe(true)
    expect(await store().begin(next, at(2), at(JOB_LEASE_MS))).toBe(true)
    await store().end(next, at(JOB_LEASE_MS))
    expect((await taken(job, 'next', JOB_LEASE_MS)).was_interrupted).toBe(false)
  })

  test('that have expired start no run, even if no other server has taken them over', async () => {
    const lease = await taken(newJob(), 'late', 0)
    expect(await store().begin(lease, at(JOB_LEASE_MS), at(JOB_LEASE_MS))).toBe(false)
  })

  test('begin each time in the timetable once, also after they go over', async () => {
    const job = newJob()
    const first = await taken(job, 'first', 0)
    expect(await store().begin(first, at(60_000), at(1))).toBe(true)
    await store().end(first, at(2))
    expect(await store().begin(first, at(60_000), at(3))).toBe(false)
    const second = await taken(job, 'second', JOB_LEASE_MS)
    expect(await store().begin(second, at(60_000), at(JOB_LEASE_MS))).toBe(false)
    expect(await store().begin(second, at(120_000), at(JOB_LEASE_MS))).toBe(true)
  })

  test('of a server that stops are free at once', async () => {
    const [job, other] = [newJob(), newJob()]
    const lease = await taken(job, 'stopping', 0)
    await taken(other, 'running', 0)
    await store().release('stopping')
    expect(await store().begin(lease, at(1), at(1))).toBe(false)
    expect(await store(1).take(job, 'next', at(1))).toMatchObject({ token: 2 })
    expect(await store(1).take(other, 'next', at(1))).toBeUndefined()
  })
})
