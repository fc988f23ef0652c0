import { describe, expect, spyOn, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { isFoil } from '#rules/catalog/printing-words.ts'
import { COLLECTION_FORMATS } from '#rules/collections/export-columns.ts'
import { dayOf, formatDate, parseDate } from '#rules/primitives/days.ts'
import { toDollars } from '#rules/primitives/money.ts'
import type {
  CollectionImportReport,
  CollectionItem,
  CollectionSummary,
} from '../../../src/client/endpoints.ts'
import { createHeldCollection } from '../../contract/holdings.ts'
import { startTurnClock } from '../../support/event-loop-turns.ts'
import { addPriceSources, listTestRates, RATE_DAY } from '../../support/pricing/price-sources.ts'
import { pick, randomFrom, SEED } from '../../support/random.ts'
import { expectRefusal } from '../../support/refusal.ts'
import {
  createTestApp,
  emailOf,
  FROZEN_TIME,
  SAMPLE,
  type TestAccount,
  type TestApp,
} from '../../support/test-app.ts'
import type { TestResponse } from '../../support/test-client.ts'

const testApp = await createTestApp()

const CSV = readFileSync(`${SAMPLE}/collection.csv`, 'utf8')

/** Error of a refused change. */
type Refusal = { code: string; message: string; current?: { revision: number; quantity: number } }

/** Returns the calls for an account. */
function callsOf(app: TestApp, as: TestAccount = 'pro') {
  const at = (id: string, path = '') => `/v1/collections/${id}${path}`
  const send = <Data>(method: string, path: string, json?: unknown) =>
    app.client.request(method, path, {
      as,
      ...(json !== undefined && { json }),
    }) as Promise<TestResponse<Data>>
  return {
    async create(kind = 'owned'): Promise<string> {
      const { status, body } = await send<{ id: string }>('POST', '/v1/collections', {
        name: 'Binder',
        kind,
      })
      expect(status).toBe(201)
      return body.data.id
    },
    add: (id: string, items: object[]) =>
      send<CollectionItem[]>('POST', at(id, '/items'), { items }),
    items: async (id: string, query = '?per_page=100') =>
      (await send<CollectionItem[]>('GET', at(id, `/items${query}`))).body.data,
    summary: async (id: string) =>
      (await send<CollectionSummary>('GET', at(id, '/summary'))).body.data,
    get: <Data>(id: string, path: string) => send<Data>('GET', at(id, path)),
    change: (id: string, item: string, json: object) =>
      send<CollectionItem>('PATCH', at(id, `/items/${item}`), json),
    remove: (id: string, path: string) => send<object>('DELETE', at(id, path)),
    share: (id: string) => send<{ token: string; url: string }>('POST', at(id, '/share')),
    async import(id: string, body: string, query = ''): Promise<CollectionImportReport> {
      const headers = { 'content-type': 'text/csv' }
      const reply = await app.client.request<CollectionImportReport>(
        'POST',
        at(id, `/import${query}`),
        {
          as,
          body,
          headers,
        },
      )
      expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
      return reply.body.data
    },
  }
}

describe('an import', () => {
  test('imports a file once, and again only if that is requested', async () => {
    const { create, import: send, items, summary } = callsOf(testApp)
    const id = await create()
    const first = await send(id, CSV)
    expect(first).toMatchObject({ rows: 9, imported: 9, skipped: 0, is_repeated: false })
    expect(await send(id, CSV)).toEqual({ ...first, is_repeated: true })
    expect(await items(id)).toHaveLength(9)
    expect(await send(id, CSV, '?again=true')).toEqual(first)
    expect(await items(id)).toHaveLength(18)
    expect((await summary(id)).items).toBe(18)
  })

  test('imports the rows that it understands, and lists the others by number', async () => {
    const { create, import: send, items } = callsOf(testApp)
    const id = await create()
    const rows = [
      'Quantity,Name,Condition,Language,Price Paid,Currency,Date,Place',
      '2,Cindle,LP,Japanese,"1,234.50",USD,2026-10-01,Box 1',
      '-3,Cindle,NM,,,,,',
      '99999999,Cindle,NM,,,,,',
      '500000,Cindle,NM,,,,,',
      '1,Nobody at all,NM,,,,,',
      '1,,NM,,,,,',
      '1,Tide Clerk,shiny,Klingon,-5,USD,2999-01-01,',
      '1,Tide Clerk,NM,en,5,EUR,,',
      '1,Tide Clrek,NM,en,,,,',
    ]
    const report = await send(id, rows.join('\n'))
    expect(report).toMatchObject({ rows: 9, imported: 4, skipped: 5, problem_count: 11 })
    expect(
      report.problems.map(({ row, reason, is_imported }) => [row, reason, is_imported]),
    ).toEqual([
      [2, 'invalid_quantity', false],
      [3, 'invalid_quantity', false],
      [4, 'invalid_quantity', false],
      [5, 'no_match', false],
      [6, 'no_name', false],
      [7, 'invalid_condition', true],
      [7, 'invalid_language', true],
      [7, 'invalid_price', true],
      [7, 'invalid_date', true],
      [8, 'currency_not_supported', true],
      [9, 'similar_name', true],
    ])
    expect(report.problems.at(-1)).toMatchObject({ name: 'Tide Clrek', card_name: 'Tide Clerk' })
    const [first] = await items(id, '?sort=added_asc')
    expect(first).toMatchObject({
      quantity: 2,
      condition: 'lightly_played',
      language: 'ja',
      price_paid: 1_234.5,
      acquired_on: '2026-10-01',
      place: 'Box 1',
    })
  })

  test('takes a pasted list', async () => {
    const { create, import: send, items } = callsOf(testApp)
    const id = await create('wish')
    const list = '4 Cindle (TPP) 001/020\n\nSideboard\n2x Tide Clerk\n'
    expect(await send(id, list, '?game=wickerwild')).toMatchObject({ rows: 2, imported: 1 })
    expect(await items(id)).toMatchObject([{ card_id: 900101, quantity: 4 }])
  })

  test('stops at the limit of the tier, and continues there after an upgrade', async () => {
    const own = await createTestApp()
    const { create, import: send, get } = callsOf(own, 'free')
    const id = await create()
    const row = (number: number) => `${1 + (number % 7)},Cindle,Tidepool Parade,001/020`
    const rows = Array.from({ length: 730 }, (_, number) => row(number))
    const file = ['Quantity,Name,Set Name,Card Number', ...rows].join('\n')
    const full = await send(id, file)
    expect(full).toMatchObject({ rows: 500, imported: 500, is_full: true, is_repeated: false })
    expect(await send(id, file)).toMatchObject({ rows: 500, imported: 500, is_full: true })
    const address = 'test'
    await own.deps.ledger.accounts.updateTier(emailOf('free'), 'pro', { now: new Date(), address })
    expect(await send(id, file)).toMatchObject({ rows: 730, imported: 730, is_full: false })
    const { body } = await get<CollectionItem[]>(id, '/items?sort=added_asc&per_page=100&page=8')
    expect(body.meta.total).toBe(730)
    const expected = rows.slice(700).map((one) => Number(one.split(',', 1)[0]))
    expect(body.data.map(({ quantity }) => quantity)).toEqual(expected)
  })

  test('of an unreadable file is 400 and adds nothing', async () => {
    const { create, items } = callsOf(testApp)
    const id = await create()
    const headers = { 'content-type': 'text/csv' }
    for (const body of ['Quantity,Amount\n1,2\n', '\0\0\0PK', 'Name\n', 'Name,Set\n"open\n']) {
      const { status, body: reply } = await testApp.client.request(
        'POST',
        `/v1/collections/${id}/import`,
        { as: 'pro', body, headers },
      )
      expect([body, status, reply.error.code]).toEqual([body, 400, 'VALIDATION_ERROR'])
    }
    expect(await items(id)).toEqual([])
  })
})

describe('an export', () => {
  test.each(COLLECTION_FORMATS)(
    'as %s is read again by an import and by resolve/csv',
    async (format) => {
      const { create, import: send, items, get, add } = callsOf(testApp)
      const id = await create()
      await send(id, CSV)
      await add(id, [
        {
          card_id: 900401,
          printing: 'Cold Foil',
          condition: 'damaged',
          grade: 'PSA 9',
          note: '=1+1',
          place: '＝1+1',
        },
      ])
      const { text: file, headers } = await get(id, `/export?format=${format}`)
      expect(headers.get('content-disposition')).toContain(`collection-${format}.csv`)
      const copy = await create()
      const game = format === 'full' ? '' : '?'
      const report = await send(copy, file, game)
      expect(report).toMatchObject({ rows: 10, imported: 10, skipped: 0 })
      const [before, after] = await Promise.all([items(id), items(copy)])
      // The other formats distinguish only foils from other printings.
      const isExact = ['full', 'tcgplayer', 'dragon_shield'].includes(format)
      const identify = ({ card_id, quantity, printing }: CollectionItem) => {
        return [card_id, quantity, isExact ? printing : isFoil(printing ?? '')]
      }
      expect(after.map(identify)).toEqual(before.map(identify))
      const own = ({
        id: _,
        created_at,
        updated_at,
        ...item
      }: CollectionItem & Record<string, unknown>) => item
      if (format === 'full')
        expect(after.map((item) => own({ ...item }))).toEqual(
          before.map((item) => own({ ...item })),
        )
      const resolved = await testApp.client.request('POST', '/v1/bulk/resolve/csv', {
        as: 'pro',
        body: file,
        headers: { 'content-type': 'text/csv' },
      })
      expect([resolved.status, resolved.body.meta.total_matched]).toEqual([200, 10])
    },
  )
})

describe('two tabs', () => {
  test('that change an item: the second one gets 409 with the item as it is', async () => {
    const { change, remove, get } = callsOf(testApp)
    const { id, item_id } = await createHeldCollection(testApp, 'pro')
    const first = await change(id, item_id, { revision: 1, quantity: 5 })
    expect([first.status, first.body.data.revision]).toEqual([200, 2])
    for (const reply of [
      await change(id, item_id, { revision: 1, quantity: 9 }),
      await remove(id, `/items/${item_id}?revision=1`),
    ]) {
      const error = reply.body.error as Refusal
      expect([reply.status, error.code]).toEqual([409, 'REVISION_CONFLICT'])
      expect(error.current).toEqual(first.body.data as never)
    }
    expect((await change(id, item_id, { revision: 2, quantity: 9 })).body.data.quantity).toBe(9)
    expect((await remove(id, `/items/${item_id}?revision=3`)).status).toBe(200)
    expect((await remove(id, `/items/${item_id}`)).status).toBe(404)
    expect((await get<CollectionItem[]>(id, '/items')).body.meta.total).toBe(0)
  })
})

test('pages of items that many read at once take a turn of the event loop each', async () => {
  const { add, items } = callsOf(testApp)
  const { id, token } = await createHeldCollection(testApp, 'pro')
  await add(
    id,
    Array.from({ length: 99 }, () => ({ card_id: 900402 })),
  )
  const { listItems } = testApp.deps.ledger
  const { list } = listItems
  const turns: number[] = []
  const clock = startTurnClock()
  const spy = spyOn(listItems, 'list').mockImplementation((...page) => {
    turns.push(clock.turn())
    return list(...page)
  })
  const readers = Array.from({ length: 20 }, (_, index) =>
    index % 2 === 0 ? items(id) : testApp.client.get<object>(`/v1/shared/${token}?per_page=100`),
  )
  await Promise.all(readers)
  clock.stop()
  spy.mockRestore()
  expect(turns).toHaveLength(20)
  expect(new Set(turns).size).toBe(20)
})

describe('a link', () => {
  const read = (token: string) => testApp.client.get<object>(`/v1/shared/${token}`)

  test('shows everybody the cards, and nothing that its owner paid or noted', async () => {
    const { add } = callsOf(testApp)
    const { id, token } = await createHeldCollection(testApp, 'pro')
    const secret = {
      price_paid: 77.77,
      target_price: 66.66,
      note: 'secret note',
      place: 'secret box',
    }
    await add(id, [{ card_id: 900402, acquired_on: '2026-07-07', ...secret }])
    const { status, text, headers } = await read(token)
    expect([status, headers.get('cache-control')]).toEqual([200, expect.stringMatching(/no-store/)])
    expect(text).toContain('"card_id":900402')
    for (const hidden of ['secret', '77.77', '66.66', '2026-07-07', 'price_paid', 'gain', id]) {
      expect([hidden, text.includes(hidden)]).toEqual([hidden, false])
    }
  })

  test('is 404 if it is guessed, ended, replaced, or its collection is deleted', async () => {
    const { share, remove } = callsOf(testApp)
    const { id, token } = await createHeldCollection(testApp, 'pro')
    expect(Buffer.from(token, 'base64url')).toHaveLength(16)
    const guessed = await read('A'.repeat(22))
    expect([guessed.status, guessed.body.error.code]).toEqual([404, 'NOT_FOUND'])
    const next = (await share(id)).body.data
    expect(next.url).toBe(`https://cards.example/shared/${next.token}`)
    expect((await read(token)).status).toBe(404)
    expect((await read(next.token)).status).toBe(200)
    expect((await remove(id, '/share')).status).toBe(200)
    expect((await read(next.token)).status).toBe(404)
    expect((await remove(id, '/share')).status).toBe(404)
    const last = (await share(id)).body.data
    expect((await remove(id, '')).status).toBe(200)
    const gone = await read(last.token)
    expect([gone.status, gone.body]).toEqual([404, guessed.body])
  })

  test('is read 120 times a minute by each network, with real and guessed tokens', async () => {
    const own = await createTestApp({ env: { TRUST_PROXY: '1' } })
    const { token } = await createHeldCollection(own, 'pro')
    const readFrom = (address: string, path = token) =>
      own.client.get(`/v1/shared/${path}`, { headers: { 'x-forwarded-for': address } })
    for (let count = 0; count < 120; count++) {
      const path = count % 2 === 0 ? token : 'A'.repeat(22)
      expect((await readFrom('192.0.2.7', path)).status).toBe(count % 2 === 0 ? 200 : 404)
    }
    const { status, body, headers } = await readFrom('192.0.2.7')
    expect([status, body.error.code]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
    expect(Number(headers.get('retry-after'))).toBe(1)
    expect((await readFrom('198.51.100.7')).status).toBe(200)
    own.close()
  })
})

describe('limits', () => {
  test('are one collection of 500 items and one wish list on Free', async () => {
    const own = await createTestApp()
    const { create, add } = callsOf(own, 'free')
    const id = await create()
    await create('wish')
    for (const kind of ['owned', 'wish']) {
      const json = { name: 'More', kind }
      const { status, body } = await own.client.request('POST', '/v1/collections', {
        as: 'free',
        json,
      })
      expect([status, body.error.code]).toEqual([409, 'TOO_MANY_COLLECTIONS'])
    }
    const many = Array.from({ length: 100 }, () => ({ card_id: 900402 }))
    for (let more = 0; more < 5; more++) expect((await add(id, many)).status).toBe(201)
    expectRefusal(await add(id, [{ card_id: 900402 }]), 409, 'COLLECTION_FULL')
    const list = await own.client.get('/v1/collections', { as: 'free' })
    expect(list.body.meta).toMatchObject({ collections_max: 1, items_max: 500 })
  })

  test('do not exist on a private server', async () => {
    const own = await createTestApp({ env: { SERVICE_MODE: 'private' } })
    const { create } = callsOf(own, 'free')
    for (let more = 0; more < 3; more++) await create()
    const { body } = await own.client.get('/v1/collections', { as: 'free' })
    expect(body.meta).toMatchObject({ collections_max: null, items_max: null })
  })
})

describe('values', () => {
  test('add up, and follow each change of a small collection at once', async () => {
    const { create, add, summary, change, items } = callsOf(testApp)
    const id = await create()
    const added = await add(id, [
      { card_id: 900401, printing: 'Cold Foil', quantity: 2, price_paid: 10 },
      { card_id: 900402, quantity: 3 },
    ])
    const [foil, other] = added.body.data
    const before = await summary(id)
    expect(before).toMatchObject({ items: 2, copies: 5, cost: 20, is_current: true })
    expect(before.value).toBeCloseTo((foil?.value ?? 0) + (other?.value ?? 0), 2)
    expect(before.gain).toBeCloseTo(foil?.gain ?? 0, 2)
    await change(id, foil?.id ?? '', { quantity: 1, price_paid: null })
    const after = await summary(id)
    expect(after).toMatchObject({ copies: 4, cost: 0, gain: 0 })
    expect(after.value).toBeCloseTo((foil?.value ?? 0) / 2 + (other?.value ?? 0), 2)
    const [first, second] = await items(id, '?sort=value_desc')
    expect(first?.value).toBeGreaterThan(second?.value ?? Number.POSITIVE_INFINITY)
  })

  test('of a wish list say which targets are reached', async () => {
    const { create, add, summary, items } = callsOf(testApp)
    const id = await create('wish')
    await add(id, [
      { card_id: 900401, target_price: 5.12 },
      { card_id: 900401, target_price: 5.11 },
    ])
    expect((await items(id)).map((item) => item.target_reached)).toEqual([false, true])
    expect((await summary(id)).reached).toBe(1)
  })

  test('of a card that is gone from the catalog are unknown, and its item stays', async () => {
    const own = await createTestApp({ onDisk: true })
    const { summary, items, get } = callsOf(own)
    const { id } = await createHeldCollection(own, 'pro')
    await summary(id)
    own.publish(`DELETE FROM prices WHERE card_id = 900401;
      DELETE FROM price_texts WHERE card_id = 900401; DELETE FROM cards WHERE id = 900401`)
    own.deps.catalog.publication.refresh()
    expect(await items(id)).toMatchObject([
      { name: 'T.S.V. Marigold', value: null, notes: ['card_not_found'], price_paid: 12.5 },
    ])
    expect(await summary(id)).toMatchObject({ value: 0, cost: 25, gain: 0, unpriced: 1 })
    expect((await get(id, '/export')).text).toContain('T.S.V. Marigold')
  })

  test('of a large collection are those of the last valuation until the next one is done', async () => {
    const own = await createTestApp()
    const { create, add, summary } = callsOf(own)
    const id = await create()
    const many = Array.from({ length: 100 }, () => ({ card_id: 900401 }))
    for (let more = 0; more < 6; more++) await add(id, many)
    const requests: string[] = []
    expect(await summary(id)).toMatchObject({ items: 600, is_current: true })
    own.deps.triggers.valuations.attach(async (key) => void requests.push(key.id))
    await add(id, many)
    expect(await summary(id)).toMatchObject({ items: 600, is_current: false })
    expect(requests).toEqual([id])
  })

  test('over time equal a plain sum over the history of 1,000 random holdings', async () => {
    const own = await createTestApp()
    addPriceSources(own)
    const { create, add, get, summary } = callsOf(own, 'business')
    const random = randomFrom(SEED)
    const today = dayOf(new Date(FROZEN_TIME))
    const { catalog } = own.deps
    const cards = own.catalogDb
      .prepare<[], { card_id: number; printing: string; printing_id: number }>(
        `SELECT card_id, name AS printing, printing_id FROM prices JOIN printings ON id = printing_id
          WHERE changed_at > 0 ORDER BY card_id, printing_id`,
      )
      .all()
    const id = await create()
    const holdings = Array.from({ length: 1_000 }, () => ({
      ...pick(random, cards),
      quantity: 1 + Math.floor(random() * 9),
      acquired_on: random() < 0.1 ? null : today - Math.floor(random() * 500),
      price_paid: random() < 0.2 ? null : Math.floor(random() * 10_000),
    }))
    for (let start = 0; start < holdings.length; start += 100) {
      const items = holdings.slice(start, start + 100).map(({ printing_id: _, ...holding }) => ({
        ...holding,
        acquired_on: holding.acquired_on === null ? null : formatDate(holding.acquired_on),
        price_paid: toDollars(holding.price_paid),
      }))
      expect((await add(id, items)).status).toBe(201)
    }
    const { body } = await get<{ date: string; value: number; cost: number }[]>(
      id,
      '/history?range=all',
    )
    const histories = holdings.map(({ card_id, printing }) =>
      catalog.history.listByCard(card_id, 0).find((series) => series.printing === printing),
    )
    expect(body.data.length).toBeGreaterThan(300)
    const inEuros = await get<{ date: string; value: number; cost: number }[]>(
      id,
      '/history?range=all&currency=EUR',
    )
    const converted = new Map(inEuros.body.data.map((day) => [day.date, day]))
    let euroDays = 0
    for (const { date, value, cost } of body.data) {
      const day = parseDate(date) ?? 0
      let [cents, paid] = [0, 0]
      for (const [index, holding] of holdings.entries()) {
        if ((holding.acquired_on ?? today) > day) continue
        const points = histories[index]?.points.filter((point) => point.day <= day) ?? []
        cents += holding.quantity * (points.at(-1)?.market_price ?? 0)
        paid += holding.quantity * (holding.price_paid ?? 0)
      }
      expect([date, value, cost]).toEqual([date, cents / 100, paid / 100])
      const euros = findEuros(day)
      const expected = euros && { date, value: euros(cents), cost: euros(paid) }
      expect([date, converted.get(date)]).toEqual([date, expected])
      if (expected !== undefined) euroDays++
    }
    expect(euroDays).toBeGreaterThan(80)
    expect(inEuros.body.data).toHaveLength(euroDays)
    const { value } = await summary(id)
    const untracked = (body.meta as unknown as { untracked_value: number }).untracked_value
    expect((body.data.at(-1)?.value ?? 0) + untracked).toBeCloseTo(value, 2)
  })

  test('over time have the depth of the tier', async () => {
    const own = await createTestApp()
    const depths = await Promise.all(
      (['free', 'hobby', 'pro'] as const).map(async (as) => {
        const { id } = await createHeldCollection(own, as)
        const { body } = await callsOf(own, as).get<object[]>(id, '/history?range=month')
        return body.data.length
      }),
    )
    expect(depths).toEqual([1, 8, 27])
  })
})

/** Returns the conversion of US cents on a day, in integer arithmetic; undefined without a rate within a week. */
function findEuros(day: number): ((cents: number) => number) | undefined {
  const rates = listTestRates().findLast((one) => one.day <= day)
  if (rates === undefined || day - rates.day > 7) return undefined
  const dollars = BigInt(Math.round((rates.perEuro.USD ?? 0) * 10_000))
  return (cents) => Number((BigInt(cents) * 20_000n + dollars) / (2n * dollars)) / 100
}

test('all collections of an account are one file, which names them', async () => {
  const own = await createTestApp()
  const { create, add } = callsOf(own)
  const ids = [await create(), await create('wish')]
  for (const id of ids) await add(id, [{ card_id: 900401 }, { card_id: 900402, quantity: 3 }])
  await createHeldCollection(own, 'business')
  const { status, text } = await own.client.get('/v1/collections/export', { as: 'pro' })
  expect(status).toBe(200)
  const [header, ...rows] = text.trim().split('\r\n')
  expect(header).toStartWith('Collection,Kind,Quantity,Name,')
  const copies = rows.map((row) => row.split(',').slice(0, 3).join()).toSorted()
  expect(copies).toEqual(['Binder,owned,1', 'Binder,owned,3', 'Binder,wish,1', 'Binder,wish,3'])
})

describe('values in another currency', () => {
  test('are sums in US dollars, converted once; prices paid stay as they were entered', async () => {
    const own = await createTestApp()
    addPriceSources(own)
    const { get } = callsOf(own)
    const { id, token } = await createHeldCollection(own, 'pro')
    const euros = findEuros(dayOf(new Date(FROZEN_TIME))) ?? String
    const rated = { currency: 'EUR', rate_date: formatDate(RATE_DAY), rate: expect.any(Number) }
    expect((await get(id, '/summary?currency=EUR')).body.data).toMatchObject({
      ...rated,
      value: euros(1_024),
      cost: euros(2_500),
      gain: -Number(euros(1_476)),
    })
    expect((await get(id, '/items?currency=EUR')).body.data).toMatchObject([
      { ...rated, value: euros(1_024), market_price: euros(512), price_paid: 12.5 },
    ])
    const shared = await own.client.get(`/v1/shared/${token}?currency=EUR`)
    expect(shared.body.data).toMatchObject({ ...rated, value: euros(1_024) })
    expect((await get(id, '/completion?currency=EUR')).body.meta).toMatchObject(rated)
    expectRefusal(await get(id, '/summary?currency=XAU'), 400, 'VALIDATION_ERROR')
  })
})

test('completion counts different cards of each set', async () => {
  const { create, add, get } = callsOf(testApp)
  const id = await create()
  await add(id, [
    { card_id: 900401 },
    { card_id: 900401, printing: 'Cold Foil' },
    { card_id: 900402 },
  ])
  const { body } = await get<{ owned: number; total: number; percent: number }[]>(id, '/completion')
  expect(body.data).toMatchObject([{ set_id: 90031, owned: 2, total: 23, percent: 8.7 }])
})
