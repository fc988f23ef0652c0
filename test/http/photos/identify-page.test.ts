// Identifying the cards of one photo over HTTP. The photo reader is simulated.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { FREE_CARDS, freeCardLimits } from '#actions/photos/free-cards.ts'
import { identifyPage } from '#actions/photos/identify-page.ts'
import { grantScans } from '#actions/photos/maintain-scans.ts'
import { ClientLeft } from '#rules/photos/client-left.ts'
import { DamagedPhoto } from '#rules/photos/photo-quality.ts'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { IdentifiedPage, ScanUsage } from '../../../src/client/endpoints.ts'
import {
  type FakeReader,
  fakeReader,
  OBSERVATION,
  PHOTO,
} from '../../support/photos/reader-fixtures.ts'
import { expectProperty } from '../../support/properties.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, emailOf } from '../../support/test-app.ts'
import type { TestRequestOptions } from '../../support/test-client.ts'

/** Outcome of a card on a page. */
type Seen = 'matched' | 'ambiguous' | 'retake' | 'not_found' | 'fails'

const NEAR = { card_id: 900401, cosine: 0.96, distance: 60 }
const SEEN: Record<Exclude<Seen, 'fails'>, Partial<PhotoObservation>> = {
  matched: {},
  // Two similar cards.
  ambiguous: { neighbors: [NEAR, { card_id: 900402, cosine: 0.95, distance: 70 }] },
  retake: { kind: 'back', neighbors: [] },
  not_found: { neighbors: [] },
}

/** Called while a card is read. */
let meanwhile: () => Promise<unknown> = async () => {}

const reader: FakeReader = fakeReader(async ({ photo }) => {
  await meanwhile()
  // The first byte determines the outcome; the others are the card's name.
  const seen = KINDS[photo[0] ?? 0]
  if (seen === undefined || seen === 'fails') {
    throw new ServiceError('IDENTIFY_UNAVAILABLE', 'Try again.', { retryAfter: 1 })
  }
  return { ...OBSERVATION, ...SEEN[seen] }
})
const KINDS: Seen[] = ['matched', 'ambiguous', 'retake', 'not_found', 'fails']

const CHARGED = ['matched', 'ambiguous']

const testApp = await createTestApp({ reader, env: { TRUST_PROXY: '1' } })
const account_id = await testApp.accountId('free')
await testApp.client.get('/v1/identify/usage', { as: 'free' })

function lay(...cards: Seen[]): void {
  reader.page = cards.map((seen, index) => Uint8Array.of(KINDS.indexOf(seen), index))
}

const send = (path = '', request: TestRequestOptions = {}) =>
  testApp.client.request<IdentifiedPage>('POST', `/v1/identify/page${path}`, {
    as: 'free',
    body: PHOTO.jpeg,
    ...request,
    headers: { 'content-type': 'image/jpeg', ...request.headers },
  })

const scansLeft = async () => {
  const { balance, trial_at } = await testApp.deps.ledger.accounts.getScans(account_id)
  return balance + (trial_at === null ? 25 : 0)
}

/** Uses or grants scans until this many are left. */
async function leave(scans: number): Promise<void> {
  while ((await scansLeft()) > scans) {
    lay()
    await send()
  }
  const missing = scans - (await scansLeft())
  if (missing > 0) await grantScans(testApp.deps, { email: emailOf('free'), scans: missing })
}

/** Uses up free cards of an account, and of its network. */
async function useFreeCards(count: number, sender: { payer: string; address: string }) {
  const { deps } = testApp
  const limits = freeCardLimits(deps, sender)
  for (let card = 0; card < count; card++) await deps.ledger.attempts.consume(limits, deps.now())
}

test('the cards of a page that were read are counted while it is read', async () => {
  testApp.advance(24 * 3_600_000)
  await leave(9)
  lay('matched', 'fails', 'not_found')
  const steps: object[] = []
  const usage = () => testApp.client.get<ScanUsage>('/v1/identify/usage', { as: 'free' })
  meanwhile = async () => void steps.push((await usage()).body.data.page)
  await send()
  meanwhile = async () => {}
  expect(steps).toEqual([0, 1, 2].map((done) => ({ cards: 3, done })))
  expect((await usage()).body.data.page).toEqual({ cards: 0, done: 0 })
})

describe('cards without a scan', () => {
  const OWN = { 'x-forwarded-for': '192.0.2.1' }
  const payer = `account ${account_id}`

  test('are free a hundred times a day, then use one each', async () => {
    testApp.advance(24 * 3_600_000)
    await leave(20)
    await useFreeCards(98, { payer, address: '198.51.100.1' })
    lay('retake', 'matched', 'not_found', 'retake', 'not_found')
    const { body } = await send('', { headers: OWN })
    expect(body.data?.cards).toHaveLength(5)
    expect(body.meta).toMatchObject({ scans_charged: 3, scans_remaining: 17 })
    expect((await send('', { headers: OWN })).body.meta).toMatchObject({ scans_charged: 5 })
    testApp.advance(24 * 3_600_000)
    expect((await send('', { headers: OWN })).body.meta).toMatchObject({ scans_charged: 1 })
  })

  test('are free a hundred times a day in a network, whatever their account', async () => {
    testApp.advance(24 * 3_600_000)
    await leave(20)
    for (let other = 0; other < 4; other++) {
      await useFreeCards(25, { payer: `another account ${other}`, address: '192.0.2.1' })
    }
    lay('retake', 'not_found')
    expect((await send('', { headers: OWN })).body.meta).toMatchObject({ scans_charged: 2 })
    const elsewhere = { headers: { 'x-forwarded-for': '203.0.113.1' } }
    expect((await send('', elsewhere)).body.meta).toMatchObject({ scans_charged: 0 })
  })

  test('stop the page when the last scan is used', async () => {
    testApp.advance(24 * 3_600_000)
    await leave(2)
    await useFreeCards(100, { payer, address: '192.0.2.1' })
    lay('retake', 'not_found', 'retake', 'retake')
    const { body } = await send('', { headers: OWN })
    expect(body.data?.unread.map(({ reason }) => reason)).toEqual(['scans', 'scans'])
    expect(body.meta).toMatchObject({ scans_charged: 2, scans_remaining: 0 })
    testApp.advance(24 * 3_600_000)
  })

  test('are free on a private server', async () => {
    const own = await createTestApp({ reader, env: { SERVICE_MODE: 'private' } })
    const { deps } = own
    lay(...Array<Seen>(12).fill('not_found'))
    const headers = { 'content-type': 'image/jpeg' }
    for (let page = 0; page < 10; page++) {
      const sent = { as: 'free', body: PHOTO.jpeg, headers } as const
      const { body } = await own.client.request('POST', '/v1/identify/page', sent)
      expect(body.meta.scans_charged).toBe(0)
    }
    expect(await deps.ledger.scans.countByDay(dayOf(deps.now()))).toBe(0)
  })
})

describe('a page after a photo that should have shown one card', () => {
  /** Sends a photo of several cards, or of one, to the endpoint of single cards. */
  async function sendPhoto(items: number): Promise<string | undefined> {
    const pageReader = reader.read
    reader.read = async () => ({ ...OBSERVATION, items })
    const { body } = await testApp.client.request<{ status: string }>('POST', '/v1/identify', {
      as: 'free',
      body: PHOTO.jpeg,
      headers: { 'content-type': 'image/jpeg' },
    })
    reader.read = pageReader
    return body.data?.status
  }

  test('returns its scan, once', async () => {
    await leave(9)
    expect(await sendPhoto(3)).toBe('retake')
    lay('matched', 'ambiguous', 'not_found')
    const page = await send()
    expect(page.body.meta).toMatchObject({ scans_charged: 2, scans_credited: 1 })
    expect(await scansLeft()).toBe(7)
    expect((await send()).body.meta).toMatchObject({ scans_credited: 0, scans_remaining: 5 })
    expect(await testApp.deps.ledger.scans.listUnbalanced()).toEqual([])
  })

  test.each([
    ['another reason', 1, 0, ['matched', 'matched']],
    ['a page of one card', 3, 0, ['matched']],
    ['a page without a card', 3, 0, []],
    ['a page a quarter of an hour later', 3, 900_000, ['matched', 'matched']],
  ] as const)('keeps it for %s', async (_, items, laterMs, cards) => {
    testApp.advance(3_600_000)
    await leave(9)
    await sendPhoto(items)
    testApp.advance(laterMs)
    lay(...cards)
    expect((await send()).body.meta).toMatchObject({ scans_credited: 0 })
  })

  test('is read with that scan if no other is left', async () => {
    await leave(1)
    await sendPhoto(3)
    lay('matched', 'matched', 'not_found')
    const { status, body } = await send()
    expect(status).toBe(200)
    expect(body.data?.cards.map(({ status }) => status)).toEqual(['matched'])
    expect(body.data?.unread.map(({ reason }) => reason)).toEqual(['scans', 'scans'])
    expect(body.meta).toMatchObject({ scans_charged: 1, scans_credited: 1, scans_remaining: 0 })
    expectRefusal(await send(), 402, 'SCAN_BALANCE_EMPTY')
    expect(await testApp.deps.ledger.scans.listUnbalanced()).toEqual([])
  })

  test('keeps the scan if none of its cards is identified, as other pages do', async () => {
    await leave(1)
    await sendPhoto(3)
    lay('retake', 'not_found')
    expect((await send()).body.meta).toMatchObject({
      scans_charged: 0,
      scans_credited: 1,
      scans_remaining: 1,
    })
    await leave(0)
  })

  test.each([
    ['one card', ['matched']],
    ['no card', []],
  ] as const)(
    'without scans is refused if it shows %s, and may be taken again',
    async (_, cards) => {
      await leave(1)
      await sendPhoto(3)
      lay(...cards)
      const before = reader.requests.length
      expectRefusal(await send(), 402, 'SCAN_BALANCE_EMPTY')
      expect(reader.requests.length).toBe(before)
      lay('matched', 'matched')
      expect((await send()).body.meta).toMatchObject({ scans_credited: 1, scans_remaining: 0 })
    },
  )

  test('without scans is cut as often as a day has free cards', async () => {
    testApp.advance(24 * 3_600_000)
    await leave(1)
    await sendPhoto(3)
    await useFreeCards(99, { payer: `account ${account_id}`, address: '198.51.100.1' })
    const { cut } = reader
    let cuts = 0
    reader.cut = (photo, request) => {
      cuts++
      return cut.call(reader, photo, request)
    }
    lay('matched')
    for (let page = 0; page < 3; page++) expectRefusal(await send(), 402, 'SCAN_BALANCE_EMPTY')
    reader.cut = cut
    expect(cuts).toBe(1)
    testApp.advance(24 * 3_600_000)
  })

  test('without scans is refused before its upload after a quarter of an hour', async () => {
    await leave(1)
    await sendPhoto(3)
    testApp.advance(900_000)
    lay('matched', 'matched')
    expectRefusal(await send('', { body: 'no photo' }), 402, 'SCAN_BALANCE_EMPTY')
  })
})

describe('a page whose client leaves', () => {
  /** Sends a page whose client leaves when its `cards` were read; -1: while it is cut. */
  async function leaveAfter(cards: number): Promise<void> {
    const client = new AbortController()
    const { read } = reader
    let count = 0
    const own: FakeReader = {
      ...reader,
      async cut(photo, request) {
        if (cards >= 0) return reader.cut(photo, request)
        client.abort()
        throw new ClientLeft(true)
      },
      async read(photo, request) {
        if (count++ === cards) client.abort()
        return read(photo, request)
      },
    }
    await expect(
      identifyPage(
        { ...testApp.deps, reader: own },
        {
          account_id,
          address: '192.0.2.1',
          clientSignal: client.signal,
          photo: PHOTO.jpeg,
          game: undefined,
          prices: false,
          scansMax: 36,
          signal: new AbortController().signal,
        },
      ),
    ).rejects.toBeInstanceOf(ClientLeft)
  }

  test.each([-1, 0, 1, 3])(
    'after %i cards uses no scan, and reads no further card',
    async (cards) => {
      testApp.advance(24 * 3_600_000)
      await leave(9)
      lay('matched', 'not_found', 'ambiguous', 'matched', 'matched')
      const before = reader.requests.length
      await leaveAfter(cards)
      expect(reader.requests.length - before).toBe(cards + 1)
      expect(await scansLeft()).toBe(9)
      expect(await testApp.deps.ledger.scans.listUnbalanced()).toEqual([])
    },
  )

  test('uses the scans of what was read after the free cards of the day', async () => {
    testApp.advance(24 * 3_600_000)
    await leave(9)
    await useFreeCards(99, { payer: `account ${account_id}`, address: '192.0.2.1' })
    lay('matched', 'not_found', 'matched', 'matched')
    // The second card is the last free one; the others, and the one that is being read, use their scans.
    await leaveAfter(3)
    expect(await scansLeft()).toBe(6)
    await leaveAfter(-1)
    expect(await scansLeft()).toBe(5)
    expect(await testApp.deps.ledger.scans.listUnbalanced()).toEqual([])
    testApp.advance(24 * 3_600_000)
  })
})

describe('a page', () => {
  test('has each card with its place, and uses a scan for those that are matched or ambiguous', async () => {
    await leave(10)
    lay('matched', 'retake', 'ambiguous', 'not_found', 'matched')
    const { status, body, headers } = await send()
    expect(status).toBe(200)
    const { cards, unread, photo } = body.data ?? { cards: [], unread: [], photo: {} }
    expect(cards.map((card) => [card.row, card.column, card.status])).toEqual([
      [1, 1, 'matched'],
      [1, 2, 'retake'],
      [1, 3, 'ambiguous'],
      [2, 1, 'not_found'],
      [2, 2, 'matched'],
    ])
    expect([unread, photo]).toEqual([[], { width: 3000, height: 4000 }])
    expect(cards[4]?.outline[0]).toEqual({ x: 1000, y: 1300 })
    expect(body.meta).toMatchObject({ scans_charged: 3, scans_remaining: 7 })
    expect(headers.get('x-scans-remaining')).toBe('7')
    expect(await scansLeft()).toBe(7)
  })

  test('keeps each card as an identification, also one that uses no scan', async () => {
    lay('matched', 'retake')
    const { cards } = (await send()).body.data ?? { cards: [] }
    for (const { id, status } of cards) {
      const kept = await testApp.client.get<{ id: string; status: string }>(`/v1/identify/${id}`, {
        as: 'free',
      })
      expect(kept.body.data).toMatchObject({ id, status })
    }
    expect(cards).toHaveLength(2)
  })

  test('without a card uses one scan', async () => {
    await leave(3)
    lay()
    const { body } = await send()
    expect(body.data).toMatchObject({ cards: [], unread: [] })
    expect(body.meta).toMatchObject({ scans_charged: 1, scans_remaining: 2 })
  })

  test('whose cards all stay unidentified uses none', async () => {
    await leave(2)
    lay('retake', 'not_found')
    expect((await send()).body.meta).toMatchObject({ scans_charged: 0, scans_remaining: 2 })
  })

  test('reads as many cards as scans are left, and reports the others', async () => {
    await leave(2)
    lay('retake', 'matched', 'matched', 'matched', 'ambiguous')
    const { body } = await send()
    expect(body.data?.cards.map(({ status }) => status)).toEqual(['retake', 'matched', 'matched'])
    expect(body.data?.unread).toMatchObject([
      { row: 2, column: 1, reason: 'scans' },
      { row: 2, column: 2, reason: 'scans' },
    ])
    expect(await scansLeft()).toBe(0)
    expect((await send()).status).toBe(402)
  })

  test('has prices, and how reliable they are, if they are included', async () => {
    await leave(3)
    lay('matched')
    const pricesWith = async (query: string) => {
      const { cards } = (await send(query)).body.data ?? { cards: [] }
      return cards[0]?.candidates[0]?.prices?.map(({ confidence }) => typeof confidence)
    }
    expect(await pricesWith('')).toBeUndefined()
    expect(new Set(await pricesWith('?include=prices'))).toEqual(new Set(['undefined']))
    expect(new Set(await pricesWith('?include=confidence'))).toEqual(new Set(['string']))
  })

  test('uses at most max_scans', async () => {
    await leave(9)
    lay('matched', 'retake', 'ambiguous', 'matched')
    const { body } = await send('?max_scans=2')
    expect(body.data?.cards).toHaveLength(3)
    expect(body.data?.unread).toMatchObject([{ reason: 'max_scans' }])
    expect(body.meta).toMatchObject({ scans_charged: 2, scans_remaining: 7 })
    await leave(9)
    const asJson = await testApp.client.request<IdentifiedPage>('POST', '/v1/identify/page', {
      as: 'free',
      json: { image: PHOTO.jpeg.toBase64(), max_scans: 1 },
    })
    expect(asJson.body.meta).toMatchObject({ scans_charged: 1 })
  })

  test('returns the other cards if one fails', async () => {
    await leave(9)
    lay('matched', 'fails', 'matched')
    const { body } = await send()
    expect(body.data?.cards).toHaveLength(2)
    expect(body.data?.unread).toMatchObject([{ column: 2, reason: 'reader' }])
    expect(body.meta).toMatchObject({ scans_charged: 2, scans_remaining: 7 })
  })

  test('is 503 without a scan if every card fails, after two attempts', async () => {
    await leave(4)
    lay('fails', 'fails', 'matched')
    const before = reader.requests.length
    expectRefusal(await send(), 503, 'IDENTIFY_UNAVAILABLE')
    expect(reader.requests.length - before).toBe(2)
    expect(await scansLeft()).toBe(4)
  })

  test('whose time is up returns the cards that were read', async () => {
    await leave(5)
    lay('matched', 'matched', 'matched')
    const due = new AbortController()
    const own = { ...reader, cut: reader.cut.bind(reader) }
    const { data, settlement } = await identifyPage(
      {
        ...testApp.deps,
        reader: {
          ...own,
          async read(photo, request) {
            due.abort()
            return reader.read(photo, request)
          },
        },
      },
      {
        account_id,
        address: '192.0.2.1',
        photo: PHOTO.jpeg,
        game: undefined,
        prices: false,
        scansMax: 36,
        signal: due.signal,
      },
    )
    expect(data.unread.map(({ reason }) => reason)).toEqual(['time', 'time'])
    expect(settlement).toMatchObject({ charged: 1, remaining: 4 })
  })

  test('may have 16 MB, and is refused with more', async () => {
    await leave(1)
    lay('retake')
    const sized = (bytes: number) => {
      const photo = new Uint8Array(bytes)
      photo.set(PHOTO.jpeg)
      return photo
    }
    expect((await send('', { body: sized(16 * 1024 ** 2) })).status).toBe(200)
    expectRefusal(await send('', { body: sized(16 * 1024 ** 2 + 1) }), 400, 'INVALID_IMAGE')
    expect(await scansLeft()).toBe(1)
  })

  test('that is damaged uses no scan', async () => {
    await leave(2)
    const cut = reader.cut
    reader.cut = () => Promise.reject(new DamagedPhoto('The image is damaged.'))
    const { status } = await send()
    reader.cut = cut
    expect([status, await scansLeft()]).toEqual([400, 2])
  })

  test('of random cards uses the scans of its statuses, and leaves the ledger balanced', async () => {
    let freeCards = FREE_CARDS
    testApp.advance(24 * 3_600_000)
    const pages = fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 12 })
    await expectProperty(
      fc.asyncProperty(pages, fc.integer({ min: 1, max: 6 }), async (cards, scans) => {
        await leave(scans)
        lay(...cards)
        const { status, body } = await send()
        const { cards: read = [], unread = [] } = body.data ?? {}
        const identified = read.filter(({ status }) => CHARGED.includes(status)).length
        const others = read.length - identified
        const used = identified + Math.max(0, others - freeCards)
        freeCards = Math.max(0, freeCards - others)
        const left = await scansLeft()
        if (left !== scans - used) throw new Error(`${left} scans are left`)
        if (status === 200 && read.length + unread.length !== cards.length) {
          throw new Error('a card is missing')
        }
      }),
      { numRuns: 25 },
    )
    expect(await testApp.deps.ledger.scans.listUnbalanced()).toEqual([])
  })
})
