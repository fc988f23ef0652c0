import { expect, test } from 'bun:test'
import { createPhotoReader } from '#vision/worker/reader.ts'
import { sizedFor } from '../../support/chaos.ts'
import { createTestApp, createTestLog } from '../../support/test-app.ts'

const ROUNDS = sizedFor(20, 100)
const WAITING = 32
const GRANTED = 10_000

/** A photo whose first bytes identify it; the rest tells its thread what to do. */
const photo = (instruction: string) => new TextEncoder().encode(`RIFF\0\0\0\0WEBP\0${instruction}`)

test(`a photo reader that crashes with ${WAITING} waiting, ${ROUNDS} times: every request is answered, and only failures are refunded`, async () => {
  const reader = createPhotoReader({
    workers: 1,
    log: createTestLog([]),
    pictures: { getVersion: () => 1, *listChangesSince() {}, getHashes: () => new Map() },
    entry: new URL('../../support/photos/scripted-worker.ts', import.meta.url),
    limits: { backoffMs: 1, backoffMaxMs: 10, queuePayerMax: WAITING },
  })
  const testApp = await createTestApp({ reader })
  try {
    const { deps, client } = testApp
    const { id: account_id } = (await deps.ledger.accounts.getByEmail('free@guests.example')) ?? {
      id: 0,
    }
    await deps.ledger.scans.grant(
      { account_id, n: GRANTED, ref: 'of this test' },
      { now: deps.now(), address: undefined },
    )
    const send = (instruction: string) =>
      client.request('POST', '/v1/identify', {
        as: 'free',
        body: photo(instruction),
        headers: { 'content-type': 'image/webp' },
      })
    await send('see 1')
    const answers = { 200: 1, 503: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const instructions = Array.from({ length: WAITING }, (_, index) => `see ${index}`)
      const replies = await Promise.all([`exit ${round}`, ...instructions].map(send))
      for (const { status } of replies) {
        expect([200, 503]).toContain(status)
        answers[status as 200 | 503]++
      }
    }
    expect(answers[503]).toBeGreaterThanOrEqual(ROUNDS)
    const usage = await client.get<{
      balance: number
      days: { refunded: number; scans: number }[]
    }>('/v1/identify/usage', { as: 'free' })
    expect(usage.body.data).toMatchObject({ balance: GRANTED + 25 - answers[200] })
    expect(usage.body.data?.days.at(-1)).toMatchObject({
      scans: answers[200],
      refunded: answers[503],
    })
    expect(await deps.ledger.scans.listUnbalanced()).toEqual([])
  } finally {
    await reader.close()
  }
})
