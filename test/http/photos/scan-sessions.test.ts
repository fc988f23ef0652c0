// Scan sessions over HTTP. The photo reader is simulated.
import { beforeEach, describe, expect, test } from 'bun:test'
import { grantScans } from '#actions/photos/maintain-scans.ts'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import { remainingScans, SCAN_HOLD_MS } from '#rules/photos/scans.ts'
import { SCAN_SESSIONS_MAX, SESSION_ITEMS_MAX } from '#rules/photos/session-item.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { ApiResponse } from '../../../src/client/client.ts'
import {
  type FakeReader,
  fakeReader,
  OBSERVATION,
  PHOTO,
} from '../../support/photos/reader-fixtures.ts'
import { addPriceSources } from '../../support/pricing/price-sources.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, emailOf } from '../../support/test-app.ts'
import type { TestRequestOptions } from '../../support/test-client.ts'

type Added = ApiResponse<'POST', '/v1/scan-sessions/{id}/photos/{photo}'>
type Session = ApiResponse<'GET', '/v1/scan-sessions/{id}'>['data']
type Item = ApiResponse<'GET', '/v1/scan-sessions/{id}/items'>['data'][number]

type Resolved = {
  rows: { quantity: number; match: { card: { id: number } } }[]
  unmatched: object[]
}

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
  retake: { kind: 'back', neighbors: [] },
  not_found: { neighbors: [] },
}

/** Outcome of the next photo of one card. */
let next: Seen
/** Called while a photo is read. */
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

const testApp = await createTestApp({ reader })
addPriceSources(testApp)
const account_id = await testApp.accountId('pro')
await grantScans(testApp.deps, { email: emailOf('pro'), scans: 500 })

let session: string
beforeEach(async () => {
  const created = await call<Session>('POST', '/v1/scan-sessions', { json: { name: 'Box' } })
  session = created.body.data.id
})

const call = <Data>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  request: TestRequestOptions = {},
) => testApp.client.request<Data>(method, path, { as: 'pro', ...request })

const JPEG = { body: PHOTO.jpeg, headers: { 'content-type': 'image/jpeg' } }

async function send(key: string, query = '', of = session) {
  const { status, body } = await call('POST', `/v1/scan-sessions/${of}/photos/${key}${query}`, JPEG)
  const { data, meta, error } = body as unknown as Added & { error?: { code: string } }
  return { status, data, meta, error, item: data?.items[0] as Item }
}

const at = (path = '') => `/v1/scan-sessions/${session}${path}`
const scansLeft = async () =>
  remainingScans(await testApp.deps.ledger.accounts.getScans(account_id))
const totals = async () => (await call<Session>('GET', at())).body.data
const patch = (item: Item, json: object) => call<Item>('PATCH', at(`/items/${item.id}`), { json })

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
    expect(meta).toEqual({
      scans_charged: 1,
      scans_credited: 0,
      scans_remaining: before - 1,
      is_repeated: false,
    })
    expect(data.photo).toMatchObject({ key: 'first', width: null, scans_charged: 1 })
    expect(data.session).toMatchObject({
      item_count: 1,
      copies: 1,
      photo_count: 1,
      scans_charged: 1,
      open: is_reviewed ? 0 : 1,
    })
    expect(await scansLeft()).toBe(before - 1)
  })

  test('that is sent again returns the stored result, and costs nothing', async () => {
    next = 'matched'
    const { data, item } = await send('lost')
    const corrected = await patch(item, { quantity: 3 })
    const before = await scansLeft()
    next = 'fails'
    const again = await send('lost')
    expect(again.status).toBe(200)
    expect(again.data.photo).toEqual(data.photo)
    expect(again.data.items).toEqual([corrected.body.data])
    expect(again.meta).toEqual({
      scans_charged: 0,
      scans_credited: 0,
      scans_remaining: before,
      is_repeated: true,
    })
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
    expect(meta).toEqual({
      scans_charged: 3,
      scans_credited: 0,
      scans_remaining: before - 3,
      is_repeated: false,
    })
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
    const created = await call<Session>('POST', '/v1/scan-sessions', { as: 'free', json: {} })
    const path = `/v1/scan-sessions/${created.body.data.id}/photos`
    const request = { as: 'free', ...JPEG } as const
    for (let photo = 0; photo < 25; photo++) await call('POST', `${path}/${photo}`, request)
    expect((await call('POST', `${path}/25`, request)).status).toBe(402)
    const known = await call('POST', `${path}/0`, request)
    expect([known.status, known.body.meta]).toMatchObject([200, { is_repeated: true }])
  })

  test('of a session that is deleted while it is read costs nothing', async () => {
    next = 'matched'
    const before = await scansLeft()
    meanwhile = () => call('DELETE', at())
    const { status } = await send('gone')
    meanwhile = async () => {}
    expect(status).toBe(404)
    expect(await scansLeft()).toBe(before)
  })
})

describe('an item', () => {
  const first = async (seen: Seen) => {
    next = seen
    return (await send('first')).item
  }

  test('whose card is chosen is reviewed, and has the printing that the photo suggests', async () => {
    const item = await first('ambiguous')
    const { status, body } = await patch(item, { card_id: 900402, revision: 1 })
    expect(status).toBe(200)
    const suggested = item.candidates.find(({ card_id }) => card_id === 900402)
    expect(body.data).toMatchObject({
      card_id: 900402,
      name: suggested?.name,
      set_id: suggested?.set.id,
      is_reviewed: true,
      revision: 2,
      market_price: expect.any(Number),
    })
    expect(suggested?.suggested_printing ?? body.data.printing).toBe(body.data.printing)
    const { value } = body.data
    expect(await totals()).toMatchObject({ open: 0, value, unpriced: 0, notes: [] })
    expect((await patch(item, { grade: 'PSA 9', revision: 2 })).status).toBe(200)
    const notes = [{ note: 'grade_not_priced', items: 1, value }]
    expect(await totals()).toMatchObject({ value, unpriced: 0, notes })
  })

  test('whose card is chosen or confirmed stores the feedback of its identification', async () => {
    const item = await first('ambiguous')
    const feedback = async () => {
      const { body } = await call<{ feedback: { card_id: number } | null }>(
        'GET',
        `/v1/identify/${item.identification_id}`,
      )
      return body.data.feedback?.card_id
    }
    await patch(item, { quantity: 2 })
    expect(await feedback()).toBeUndefined()
    await patch(item, { is_reviewed: true })
    expect(await feedback()).toBe(900401)
    const copy = await call<Item>('POST', at(`/items/${item.id}/duplicate`), {})
    await patch(copy.body.data, { card_id: 900403 })
    expect(await feedback()).toBe(900401)
    await patch(item, { card_id: 900402, is_reviewed: false })
    expect(await feedback()).toBe(900402)
  })

  test('without a card gets one, and cannot be reviewed before', async () => {
    const item = await first('not_found')
    for (const json of [{ is_reviewed: true }, { printing: 'Normal' }]) {
      expectRefusal(await patch(item, json), 400, 'VALIDATION_ERROR')
    }
    expect((await patch(item, { card_id: 1 })).status).toBe(404)
    const { body } = await patch(item, { card_id: 900401, condition: 'damaged', language: 'ja' })
    expect(body.data).toMatchObject({
      card_id: 900401,
      condition: 'damaged',
      language: 'ja',
      is_reviewed: true,
      notes: ['price_converted', 'low_confidence'],
    })
  })

  test('of an older revision is neither changed nor deleted', async () => {
    const item = await first('matched')
    await patch(item, { quantity: 2 })
    for (const { status, body } of [
      await patch(item, { quantity: 5, revision: 1 }),
      await call('DELETE', at(`/items/${item.id}?revision=1`)),
    ]) {
      expect([status, body.error.code]).toEqual([409, 'REVISION_CONFLICT'])
      expect(body.error).toMatchObject({ current: { id: item.id, quantity: 2, revision: 2 } })
    }
  })

  test('is changed by many requests at once without losing one, unless they name a revision', async () => {
    const item = await first('ambiguous')
    const changes = [
      { card_id: 900402 },
      { quantity: 7 },
      { language: 'ja' },
      { grade: 'PSA 9' },
      { condition: 'damaged' },
    ]
    const replies = await Promise.all(changes.map((json) => patch(item, json)))
    expect(replies.map(({ status }) => status)).toEqual(changes.map(() => 200))
    const { body } = await call<Item[]>('GET', at('/items'))
    expect(body.data).toMatchObject([Object.assign({ revision: 6 }, ...changes)])
    const named = await Promise.all(changes.map((json) => patch(item, { ...json, revision: 6 })))
    expect(named.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  })

  test('is duplicated once for each id, with its members', async () => {
    const item = (await patch(await first('matched'), { quantity: 2, grade: 'PSA 10' })).body.data
    const json = { id: crypto.randomUUID() }
    const copies = await Promise.all(
      Array.from({ length: 3 }, () =>
        call<Item>('POST', at(`/items/${item.id}/duplicate`), { json }),
      ),
    )
    for (const { status, body } of copies) {
      expect(status).toBe(201)
      expect(body.data).toMatchObject({
        id: json.id,
        copied_from: item.id,
        quantity: 2,
        grade: 'PSA 10',
        photo: 'first',
        is_reviewed: true,
        revision: 1,
        card_id: item.card_id,
      })
    }
    expect(await totals()).toMatchObject({ item_count: 2, copies: 4, scans_charged: 1 })
    // The duplicate's own id.
    const other = at(`/items/${json.id}/duplicate`)
    expect((await call('POST', other, { json })).body.error.code).toBe('VALIDATION_ERROR')
  })

  test('is listed in the order of its photo, and by review', async () => {
    for (const seen of ['ambiguous', 'matched', 'not_found'] as const) {
      next = seen
      await send(seen)
    }
    const list = async (query: string) => {
      const { body } = await call<Item[]>('GET', at(`/items${query}`))
      return [body.data.map(({ photo }) => photo), body.meta.total]
    }
    expect(await list('')).toEqual([['ambiguous', 'matched', 'not_found'], 3])
    expect(await list('?review=open')).toEqual([['ambiguous', 'not_found'], 2])
    expect(await list('?review=done&per_page=1')).toEqual([['matched'], 1])
    expect(await list('?page=2&per_page=2')).toEqual([['not_found'], 3])
  })
})

describe('a scan session', () => {
  test('with an id of the client is created once, and its deleted id is not used again', async () => {
    const json = { id: crypto.randomUUID(), name: 'Mine' }
    const create = (as: 'pro' | 'hobby' = 'pro') =>
      call<Session>('POST', '/v1/scan-sessions', { json, as })
    expect((await create()).body.data).toMatchObject({ ...json, item_count: 0, value: 0 })
    await call('PATCH', `/v1/scan-sessions/${json.id}`, { json: { name: 'Renamed' } })
    expect((await create()).body.data).toMatchObject({ id: json.id, name: 'Renamed' })
    expect((await create('hobby')).status).toBe(404)
    await call('DELETE', `/v1/scan-sessions/${json.id}`)
    expect((await create()).status).toBe(404)
  })

  test('without a name has that of the day', async () => {
    const { body } = await call<Session>('POST', '/v1/scan-sessions', {})
    expect(body.data.name).toBe(`Scans of ${testApp.deps.now().toISOString().slice(0, 10)}`)
  })

  test('comes first in the list after a change', async () => {
    await call('POST', '/v1/scan-sessions', { json: { name: 'Later' } })
    testApp.advance(1_000)
    next = 'matched'
    await send('first')
    const { body } = await call<Session[]>('GET', '/v1/scan-sessions?per_page=1')
    expect(body.data).toMatchObject([{ id: session, item_count: 1 }])
    expect(body.meta.total).toBeGreaterThan(1)
  })

  test('adds its reviewed items to a collection, each once', async () => {
    lay('matched', 'ambiguous', 'matched', 'not_found')
    const { data } = await send('page', '?page=true')
    await patch(data.items[0] as Item, { quantity: 4, condition: 'damaged', language: 'de' })
    const made = await call<{ id: string }>('POST', '/v1/collections', { json: { name: 'Box' } })
    const json = { collection_id: made.body.data.id }
    const collect = async () => (await call('POST', at('/collect'), { json })).body.data
    expect(await collect()).toEqual({ added: 2, skipped: 0 })
    expect(await collect()).toEqual({ added: 0, skipped: 2 })
    const open = data.items.find(({ status }) => status === 'ambiguous') as Item
    await patch(open, { is_reviewed: true })
    expect(await collect()).toEqual({ added: 1, skipped: 2 })
    const path = `/v1/collections/${json.collection_id}/items?sort=added_asc`
    const { body } = await call<Item[]>('GET', path)
    expect(body.data).toMatchObject([
      { card_id: 900401, quantity: 4, condition: 'damaged', language: 'de' },
      { card_id: 900401, quantity: 1, condition: 'near_mint' },
      { card_id: 900401, quantity: 1, condition: 'near_mint' },
    ])
  })

  test('adds as many items as fit into a collection, and continues when there is room', async () => {
    const by = { as: 'free' } as const
    await grantScans(testApp.deps, { email: emailOf('free'), scans: 5 })
    const made = await call<{ id: string }>('POST', '/v1/collections', {
      ...by,
      json: { name: 'Box' },
    })
    const collection_id = made.body.data.id
    const path = `/v1/collections/${collection_id}/items`
    const full = { items: Array.from({ length: 100 }, () => ({ card_id: 900401 })) }
    for (let part = 0; part < 5; part++) await call('POST', path, { ...by, json: full })
    const own = await call<Session>('POST', '/v1/scan-sessions', { ...by, json: {} })
    next = 'matched'
    await call('POST', `/v1/scan-sessions/${own.body.data.id}/photos/1`, { ...by, ...JPEG })
    const collect = () =>
      call('POST', `/v1/scan-sessions/${own.body.data.id}/collect`, {
        ...by,
        json: { collection_id },
      })
    expectRefusal(await collect(), 409, 'COLLECTION_FULL')
    const { body } = await call<Item[]>('GET', path, by)
    await call('DELETE', `${path}/${body.data[0]?.id}`, by)
    expect((await collect()).body.data).toEqual({ added: 1, skipped: 0 })
  })
})

test('a full scan session takes no photo and no duplicate, but answers the photos that it has', async () => {
  lay('matched', 'matched', 'matched')
  const { data } = await send('page', '?page=true')
  const [item] = data.items as [Item]
  testApp
    .ledgerDb()
    .prepare('UPDATE lists SET items = ? WHERE id = ?')
    .run(SESSION_ITEMS_MAX - 1, session)
  // A photo is accepted as a whole.
  const before = await scansLeft()
  expect((await send('last', '?page=true')).data.session).toMatchObject({ item_count: 5_002 })
  const refused = await send('too-many')
  expect([refused.status, refused.error?.code]).toEqual([409, 'SCAN_SESSION_FULL'])
  expectRefusal(await call('POST', at(`/items/${item.id}/duplicate`), {}), 409, 'SCAN_SESSION_FULL')
  expect((await send('page', '?page=true')).meta).toMatchObject({ is_repeated: true })
  expect(await scansLeft()).toBe(before - 3)
})

test('an account has at most a hundred scan sessions', async () => {
  const create = () => call('POST', '/v1/scan-sessions', { as: 'starter', json: {} })
  const created = await Promise.all(Array.from({ length: SCAN_SESSIONS_MAX }, create))
  expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]))
  expectRefusal(await create(), 409, 'TOO_MANY_SCAN_SESSIONS')
})

test('cards that were read are counted by their status, and repeated photos are not', async () => {
  const count = async () => {
    const { text } = await testApp.client.get('/metrics')
    return Number(/cardstock_identifications_total\{status="not_found"\} (\d+)/.exec(text)?.[1])
  }
  next = 'not_found'
  await send('counted')
  const before = await count()
  await send('counted')
  await send('another')
  expect(await count()).toBe(before + 1)
})

test('a scan session has its totals in another currency', async () => {
  next = 'matched'
  const { data } = await send('first', '?currency=EUR')
  const { body } = await call<Session>('GET', at('?currency=EUR'))
  expect(data.session).toEqual(body.data)
  expect(body.data).toMatchObject({ currency: 'EUR', rate: expect.any(Number) })
  const item = data.items[0]
  expect([item?.currency, item?.value]).toEqual(['EUR', body.data.value])
})

describe('the file of a scan session', () => {
  test.each(['full', 'tcgplayer'] as const)(
    'as %s has the reviewed items, and is read again by resolve/csv',
    async (format) => {
      lay('matched', 'ambiguous', 'matched', 'not_found')
      const { data } = await send('page', '?page=true')
      const [first, open, second] = data.items as [Item, Item, Item]
      await patch(first, { quantity: 4, condition: 'damaged', language: 'de', printing: 'Foil' })
      await patch(second, { card_id: 900402 })
      const { text, headers } = await call('GET', at(`/export?format=${format}`))
      expect(headers.get('content-disposition')).toContain(`scan-session-${format}.csv`)
      const resolved = await call<Resolved>('POST', '/v1/bulk/resolve/csv', {
        body: text,
        headers: { 'content-type': 'text/csv' },
      })
      const { rows, unmatched } = resolved.body.data
      expect([resolved.status, unmatched]).toEqual([200, []])
      expect(rows.map(({ match, quantity }) => [match.card.id, quantity])).toEqual([
        [900401, 4],
        [900402, 1],
      ])
      // An open item will be part of the next file.
      await patch(open, { is_reviewed: true })
      const { text: later } = await call('GET', at(`/export?format=${format}`))
      expect(later.trim().split('\r\n')).toHaveLength(4)
    },
  )
})

test('the file of a session for an app without its game is refused', async () => {
  next = 'matched'
  await send('first')
  const { status, body } = await call('GET', at('/export?format=moxfield'))
  expect([status, body.error.code, body.error.message]).toEqual([
    409,
    'FORMAT_UNAVAILABLE',
    'Moxfield has no game of these cards, but magic. Use the format full or tcgplayer.',
  ])
})

test('a page of a session is read with the scan of the photo before if no other is left', async () => {
  const { ledger, now } = testApp.deps
  const hold = { account_id, taken_at: now(), holdMs: SCAN_HOLD_MS }
  while ((await scansLeft()) > 1) await ledger.scans.reserve({ ...hold, id: crypto.randomUUID() })
  const { read } = reader
  reader.read = async () => ({ ...OBSERVATION, items: 3 })
  expect((await send('several')).item.status).toBe('retake')
  reader.read = read
  lay('matched', 'not_found')
  expect(await send('one')).toMatchObject({ status: 402 })
  expect((await send('page', '?page=true')).meta).toMatchObject({
    scans_charged: 1,
    scans_credited: 1,
    scans_remaining: 0,
  })
})
