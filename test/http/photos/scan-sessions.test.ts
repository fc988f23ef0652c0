// Scan sessions over HTTP. The photo reader is simulated.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import { remainingScans } from '#rules/photos/scans.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { ApiResponse } from '../../../src/client/client.ts'
import {
  type FakeReader,
  fakeReader,
  OBSERVATION,
  PHOTO,
} from '../../support/photos/reader-fixtures.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import type { TestRequestOptions } from '../../support/test-client.ts'

type Added = ApiResponse<'POST', '/v1/scan-sessions/{id}/photos/{photo}'>
type Session = ApiResponse<'GET', '/v1/scan-sessions/{id}'>['data']
type Item = ApiResponse<'GET', '/v1/scan-sessions/{id}/items'>['data'][number]

/** Outcome of a card. */
type Seen = 'matched' | 'ambiguous' | 'retake' | 'not_found' | 'fails'

const SEEN: Record<Exclude<Seen, 'fails'>, Partial<PhotoObservation>> = {
  matched: {},
  ambiguous: {
    neighbors: [
      { card_id: 900401, cosine: 0.96, distance: 60 },
      { card_id: 900402, cosine: 0.95, distance: 70 },
    ],
  },
  retake: { kind: 'back' },
  not_found: { neighbors: [] },
}

/** Outcome of the next photo of one card. */
let next: Seen
/** Happens while a photo is read. */
let meanwhile: () => Promise<unknown> = async () => {}

const reader: FakeReader = fakeReader(async ({ photo }) => {
  await meanwhile()
  const seen = photo.length === 2 ? (KINDS[photo[0] ?? 0] ?? 'fails') : next
  if (seen === 'fails') {
    throw new ServiceError('IDENTIFY_UNAVAILABLE', 'Try again.', { retryAfter: 1 })
  }
  return { ...OBSERVATION, ...SEEN[seen] }
})
const KINDS: Seen[] = ['matched', 'ambiguous', 'retake', 'not_found', 'fails']

let testApp: TestApp
let account_id: number
let session: string

beforeAll(async () => {
  testApp = await createTestApp({ reader })
  const account = await testApp.deps.ledger.accounts.getByEmail('pro@guests.example')
  account_id = account?.id ?? 0
  const grant = { account_id, n: 500, ref: crypto.randomUUID() }
  await testApp.deps.ledger.scans.grant(grant, { now: testApp.deps.now(), address: undefined })
})
afterAll(() => testApp.close())

beforeEach(async () => {
  const created = await ask<Session>('POST', '/v1/scan-sessions', { json: { name: 'Box' } })
  session = created.body.data.id
})

const ask = <Data>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  request: TestRequestOptions = {},
) => testApp.client.ask<Data>(method, path, { as: 'pro', ...request })

async function send(key: string, query = '', of = session) {
  const { status, body } = await ask('POST', `/v1/scan-sessions/${of}/photos/${key}${query}`, {
    body: PHOTO.jpeg,
    headers: { 'content-type': 'image/jpeg' },
  })
  const { data, meta, error } = body as unknown as Added & { error?: { code: string } }
  return { status, data, meta, error, item: data?.items[0] as Item }
}

const at = (path = '') => `/v1/scan-sessions/${session}${path}`
const scansLeft = async () =>
  remainingScans(await testApp.deps.ledger.accounts.getScans(account_id))
const totals = async () => (await ask<Session>('GET', at())).body.data
const patch = (item: Item, json: object) => ask<Item>('PATCH', at(`/items/${item.id}`), { json })

function lay(...cards: Seen[]): void {
  reader.page = cards.map((seen, index) => Uint8Array.of(KINDS.indexOf(seen), index))
}

describe('a photo of a scan session', () => {
  test.each([
    ['matched', 900401, true],
    ['ambiguous', 900401, false],
    ['retake', null, false],
    ['not_found', null, false],
  ] as const)('that is %s becomes an item, for one scan', async (seen, card_id, is_reviewed) => {
    next = seen
    const before = await scansLeft()
    const { status, data, meta, item } = await send('first')
    expect(status).toBe(200)
    expect(item).toMatchObject({ status: seen, card_id, is_reviewed, row: null, outline: null })
    expect(meta).toEqual({ scans_charged: 1, scans_remaining: before - 1, is_repeated: false })
    expect(data.photo).toMatchObject({ key: 'first', width: null, scans_charged: 1 })
    expect(data.session).toMatchObject({
      ...{ item_count: 1, copies: 1, photo_count: 1, scans_charged: 1 },
      open: is_reviewed ? 0 : 1,
    })
    expect(await scansLeft()).toBe(before - 1)
  })

  test('that is sent again is answered as it is stored, and costs nothing', async () => {
    next = 'matched'
    const { data, item } = await send('lost')
    const corrected = await patch(item, { quantity: 3 })
    const before = await scansLeft()
    next = 'fails'
    const again = await send('lost')
    expect(again.status).toBe(200)
    expect(again.data.photo).toEqual(data.photo)
    expect(again.data.items).toEqual([corrected.body.data])
    expect(again.meta).toEqual({ scans_charged: 0, scans_remaining: before, is_repeated: true })
    expect(again.data.session).toMatchObject({ photo_count: 1, item_count: 1 })
  })

  test('that is sent many times at once is stored and charged once', async () => {
    next = 'matched'
    const before = await scansLeft()
    const sent = await Promise.all(Array.from({ length: 6 }, () => send('at-once')))
    expect(sent.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(sent.filter(({ meta }) => !meta.is_repeated)).toHaveLength(1)
    expect(new Set(sent.map(({ item }) => item.id)).size).toBe(1)
    expect(await scansLeft()).toBe(before - 1)
  })

  test('that fails is not stored, and can be sent again', async () => {
    next = 'fails'
    const before = await scansLeft()
    expect((await send('later')).error?.code).toBe('IDENTIFY_UNAVAILABLE')
    expect(await totals()).toMatchObject({ photo_count: 0, item_count: 0 })
    expect(await scansLeft()).toBe(before)
    next = 'matched'
    expect((await send('later')).meta).toMatchObject({ scans_charged: 1, is_repeated: false })
  })

  test('of many cards adds each card with its place, and charges those that are matched or ambiguous', async () => {
    lay('matched', 'retake', 'ambiguous', 'fails', 'matched')
    const before = await scansLeft()
    const { data, meta } = await send('page', '?page=true&max_scans=3')
    expect(data.items.map((item) => [item.row, item.column, item.status])).toEqual([
      [1, 1, 'matched'],
      [1, 2, 'retake'],
      [1, 3, 'ambiguous'],
      [2, 2, 'matched'],
    ])
    expect(data.items[0]?.outline).toHaveLength(4)
    expect(data.unread).toMatchObject([{ row: 2, column: 1, reason: 'reader' }])
    expect(data.photo).toMatchObject({ width: expect.any(Number), scans_charged: 3 })
    expect(meta).toEqual({ scans_charged: 3, scans_remaining: before - 3, is_repeated: false })
    const again = await send('page', '?page=true')
    expect(again.data).toEqual(data)
    expect(again.meta).toMatchObject({ scans_charged: 0, is_repeated: true })
  })

  test('without a card uses one scan, once', async () => {
    lay()
    const before = await scansLeft()
    expect((await send('empty', '?page=true')).meta).toMatchObject({ scans_charged: 1 })
    expect((await send('empty', '?page=true')).meta).toMatchObject({ scans_charged: 0 })
    expect(await scansLeft()).toBe(before - 1)
    expect(await totals()).toMatchObject({ photo_count: 1, item_count: 0, scans_charged: 1 })
  })

  test('is answered although no scans are left if the session has it', async () => {
    next = 'matched'
    const created = await ask<Session>('POST', '/v1/scan-sessions', { as: 'free', json: {} })
    const path = `/v1/scan-sessions/${created.body.data.id}/photos`
    const request = {
      as: 'free',
      body: PHOTO.jpeg,
      headers: { 'content-type': 'image/jpeg' },
    } as const
    for (let photo = 0; photo < 25; photo++) await ask('POST', `${path}/${photo}`, request)
    expect((await ask('POST', `${path}/25`, request)).status).toBe(402)
    const known = await ask('POST', `${path}/0`, request)
    expect([known.status, known.body.meta]).toMatchObject([200, { is_repeated: true }])
  })

  test('of a session that is deleted while it is read costs nothing', async () => {
    next = 'matched'
    const before = await scansLeft()
    meanwhile = () => ask('DELETE', at())
    const { status } = await send('gone')
    meanwhile = async () => {}
    expect(status).toBe(404)
    expect(await scansLeft()).toBe(before)
  })
})
