import { describe, expect, test } from 'bun:test'
import { dayOf, formatDate, parseDate } from '#rules/primitives/days.ts'
import { toDollars } from '#rules/primitives/money.ts'
import { openSourcePublisher } from '#store/catalog/sources/source-publisher.ts'
import type { CollectionSummary } from '../../../src/client/endpoints.ts'
import { createHeldCollection } from '../../contract/holdings.ts'
import { callsOf } from '../../support/collections/collection-calls.ts'
import {
  addPriceList,
  addPriceSources,
  GRADED_CARD,
  LISTED_CARD,
  listTestRates,
  RATE_DAY,
} from '../../support/pricing/price-sources.ts'
import { pick, randomFrom, SEED } from '../../support/random.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, FROZEN_TIME } from '../../support/test-app.ts'

const testApp = await createTestApp()

/** Bought on a day of a year, before the first prices. */
const boughtIn = (year: number) => ({ acquired_on: `${year}-12-24` })

/** First day with prices in the sample. */
const FIRST_PRICES = parseDate('2026-08-18') ?? 0

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

  test('say the same in lists and by the link about what is not in them or unreliable', async () => {
    const own = await createTestApp({ onDisk: true })
    const { create, add, get, share, summary } = callsOf(own)
    own.publish(`UPDATE prices SET market_price = NULL, low_price = NULL WHERE card_id = 900402;
      UPDATE prices SET low_price = 9000, median_price = 9000, market_price = 1000
       WHERE card_id = 900403`)
    own.deps.catalog.publication.refresh()
    const id = await create()
    const before = await own.client.get<{ unpriced: null; notes: [] }[]>('/v1/collections', {
      as: 'pro',
    })
    expect(before.body.data).toMatchObject([{ value: null, unpriced: null, notes: [] }])
    await add(id, [
      { card_id: 900401, grade: 'PSA 9' },
      { card_id: 900402, quantity: 3 },
      { card_id: 900403, quantity: 2 },
    ])
    const { unpriced, notes, value } = await summary(id)
    expect([unpriced, notes.map(({ note, items }) => `${note} ${items}`).toSorted()]).toEqual([
      1,
      ['grade_not_priced 1', 'low_confidence 1', 'price_unknown 1'],
    ])
    expect(notes).toContainEqual({ note: 'low_confidence', items: 1, value: 20 })
    const { body: listed } = await own.client.get<object[]>('/v1/collections', { as: 'pro' })
    expect(listed.data).toMatchObject([{ value, unpriced, notes }])
    expect((await get(id, '')).body.data).toMatchObject({ value, unpriced, notes })
    const { token } = (await share(id)).body.data
    const shared = await own.client.get<object>(`/v1/shared/${token}?currency=USD`)
    expect(shared.body.data).toMatchObject({ value, unpriced, notes })
  })

  test('list as movers only changes that are movers, confirmed, and not of low confidence', async () => {
    const own = await createTestApp({ onDisk: true })
    const { create, add, summary } = callsOf(own)
    const facts = (values: object) =>
      Object.entries({ median_price: null, base_24h: 1_000, base_30d: 1_000, ...values })
        .map(([column, value]) => `${column} = ${value}`)
        .join(', ')
    const cases: [card: number, values: object][] = [
      // The listings have followed.
      [900401, { market_price: 2_000, low_price: 1_900, base_7d: 1_000 }],
      [900402, { market_price: 500, low_price: 450, median_price: 550, base_7d: 1_000 }],
      // A single sale.
      [900403, { market_price: 2_000, low_price: 900, base_7d: 1_000 }],
      [900404, { market_price: 500, low_price: 450, median_price: 950, base_7d: 1_000 }],
      // A price of low confidence.
      [900405, { market_price: 2_000, low_price: 1_900, base_7d: 400 }],
      // More than tenfold, below a dollar, and without a price a week ago.
      [900406, { market_price: 20_000, low_price: 19_000, base_24h: 20_000, base_7d: 1_000 }],
      [900407, { market_price: 90, low_price: 90, base_24h: 120, base_7d: 120 }],
      [900408, { market_price: 2_000, low_price: 1_900, base_7d: null }],
    ]
    own.publish(
      cases
        .map(([card, values]) => `UPDATE prices SET ${facts(values)} WHERE card_id = ${card};`)
        .join(''),
    )
    own.deps.catalog.publication.refresh()
    const id = await create()
    await add(
      id,
      cases.map(([card_id]) => ({ card_id })),
    )
    const { best, worst } = await summary(id)
    expect(best).toMatchObject([{ card_id: 900401, market_price: 20, price_7d_ago: 10 }])
    expect(worst).toMatchObject([{ card_id: 900402, change: -5, change_percent: -50 }])
    expect([best.length, worst.length]).toEqual([1, 1])
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
    expect(await summary(id)).toMatchObject({
      value: 0,
      cost: 0,
      gain: 0,
      unpriced: 1,
      unpriced_cost: 25,
      notes: [{ note: 'card_not_found', items: 1, value: 0 }],
    })
    expect((await get<object[]>(id, '/history?range=all')).body.data).toEqual([])
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
    const { create, add, get, history } = callsOf(own, 'business')
    const random = randomFrom(SEED)
    const today = dayOf(new Date(FROZEN_TIME))
    const { catalog } = own.deps
    const cards = own.catalogDb
      .prepare<[], { card_id: number; printing: string; market_price: number | null }>(
        `SELECT card_id, name AS printing, market_price FROM prices
           JOIN printings ON id = printing_id
          WHERE changed_at > 0 AND (market_price IS NOT NULL OR (card_id + printing_id) % 2 = 1)
          ORDER BY card_id, printing_id`,
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
      const items = holdings.slice(start, start + 100).map(({ market_price: _, ...holding }) => ({
        ...holding,
        acquired_on: holding.acquired_on === null ? null : formatDate(holding.acquired_on),
        price_paid: toDollars(holding.price_paid),
      }))
      expect((await add(id, items)).status).toBe(201)
    }
    const { data } = await history(id)
    const priced = holdings.flatMap(({ market_price, acquired_on, ...holding }) => {
      if (market_price === null) return []
      const series = catalog.history
        .listByCard(holding.card_id, 0)
        .find(({ printing }) => printing === holding.printing)
      const points = series?.points.filter((point) => point.market_price !== null) ?? []
      return [{ ...holding, market_price, start: acquired_on ?? today, points }]
    })
    /** Sums up a day. Without a history, a price counts as known since the first price of the sample. */
    const sumUp = (day: number) => {
      const sums = { value: 0, carried: 0, cost: 0, held: 0, known: 0 }
      for (const { start, quantity, price_paid, market_price, points } of priced) {
        if (start > day) continue
        const last = points.findLast((point) => point.day <= day)
        const isKnown = last !== undefined || (points.length === 0 && day >= FIRST_PRICES)
        const price = (last ?? points[0])?.market_price ?? market_price
        sums.value += quantity * price
        sums.carried += isKnown ? 0 : quantity * price
        sums.cost += quantity * (price_paid ?? 0)
        sums.held += quantity * market_price
        const isLow = (points[0]?.market_price ?? 200) < 200 && day >= FIRST_PRICES
        sums.known += isKnown || isLow ? quantity * market_price : 0
      }
      return sums
    }
    const first = parseDate(data[0]?.date ?? '') ?? 0
    for (let day = today - 500; day <= first; day++) {
      const { held, known } = sumUp(day)
      expect([day, held > 0 && known >= 0.9 * held]).toEqual([day, day === first])
    }
    const inEuros = (await history(id, '&currency=EUR')).data
    const converted = new Map(inEuros.map((day) => [day.date, day]))
    expect(data).toHaveLength(today - first + 1)
    for (const { date, ...sums } of data) {
      const day = parseDate(date) ?? 0
      const { value, carried, cost } = sumUp(day)
      const inMoney = (amount: (cents: number) => number) => {
        return { value: amount(value), carried_value: amount(carried), cost: amount(cost) }
      }
      expect([date, sums]).toEqual([date, inMoney((cents) => cents / 100)])
      const euros = findEuros(day)
      expect([date, converted.get(date)]).toEqual([date, euros && { date, ...inMoney(euros) }])
    }
    expect(inEuros).toHaveLength(data.length)
    expect(data.length).toBeGreaterThan(50)
    for (const currency of ['USD', 'EUR']) {
      const query = `?currency=${currency}`
      const { body } = await get<CollectionSummary>(id, `/summary${query}`)
      const newest = (await history(id, query.replace('?', '&'))).data.at(-1)
      const { value, cost, gain, without_cost_value } = body.data
      expect([newest?.value, newest?.cost]).toEqual([value, cost])
      expect(value - without_cost_value - cost).toBeCloseTo(gain, 6)
    }
  })

  // Added up from the price files of the sample by another program.
  test.each<{ items: object[]; days: (string | number)[][]; sum: number[]; total: object }>([
    {
      items: [
        { ...boughtIn(2024), card_id: 900003, printing: 'Holofoil', price_paid: 20 },
        { ...boughtIn(2023), card_id: 900101, printing: 'Normal', quantity: 40 },
        { ...boughtIn(2025), card_id: 900213, printing: 'Normal', quantity: 2, price_paid: 1.5 },
      ],
      days: [
        ['2026-08-18', 31.34, 0, 23],
        ['2026-10-02', 30.32, 0, 23],
        ['2026-11-14', 30.19, 0, 23],
        ['2026-11-15', 146.75, 0, 23],
      ],
      sum: [90, 2846.02, 0, 2070],
      total: {
        unpriced: 0,
        without_cost: 1,
        without_cost_value: 4.8,
        gain: 118.95,
        gain_percent: 517.2,
        change_date: '2026-11-15',
        change: 116.56,
        change_percent: 386.1,
      },
    },
    {
      items: [
        { card_id: 900121, printing: 'Holofoil', price_paid: 99, acquired_on: '2026-09-01' },
        { card_id: 900122, printing: 'Holofoil', price_paid: 30, acquired_on: '2026-09-30' },
        {
          card_id: 900203,
          printing: 'Foil',
          quantity: 4,
          price_paid: 0.75,
          acquired_on: '2026-10-01',
        },
      ],
      days: [
        ['2026-09-24', 149.47, 0, 99],
        ['2026-09-30', 188.81, 34.01, 129],
        ['2026-10-01', 194.46, 38.05, 132],
        ['2026-10-08', 195.58, 4.04, 132],
        ['2026-10-20', 196.18, 4.04, 132],
        ['2026-10-21', 196.14, 0, 132],
        ['2026-11-14', 278.68, 0, 132],
        ['2026-11-15', 275.98, 0, 132],
      ],
      sum: [53, 12263.89, 352.88, 6795],
      total: { unpriced: 0, without_cost: 0, gain: 143.98, change: -2.7, change_percent: -1 },
    },
    {
      items: [
        { card_id: 900218, printing: 'Foil', price_paid: 80, acquired_on: '2026-09-01' },
        {
          card_id: 900401,
          printing: 'Normal',
          quantity: 3,
          price_paid: 5,
          acquired_on: '2026-10-31',
        },
        { card_id: 900208, printing: 'Normal', acquired_on: '2026-08-20' },
        { card_id: 900014, printing: '1st Edition', quantity: 2, acquired_on: '2026-09-01' },
      ],
      days: [
        ['2026-08-20', 2.92, 0, 0],
        ['2026-10-03', 3.08, 0, 0],
        ['2026-10-31', 18.65, 0, 15],
        ['2026-11-14', 18.77, 0, 15],
        ['2026-11-15', 20.11, 0, 15],
      ],
      sum: [88, 522.79, 0, 240],
      total: { unpriced: 2, unpriced_cost: 80, without_cost: 1, gain: 0.36, change: 1.34 },
    },
  ])('of collection %# equal those of a spreadsheet, day by day', async (collection) => {
    const { create, add, summary, history } = callsOf(testApp)
    const id = await create()
    expect((await add(id, collection.items)).status).toBe(201)
    const { data } = await history(id)
    const rows = data.map(({ date, value, carried_value, cost }) => {
      return [date, value, carried_value, cost] as const
    })
    const dates = new Set(collection.days.map(([date]) => date))
    expect(rows.filter(([date]) => dates.has(date))).toEqual(collection.days as never)
    const sumOf = (column: 1 | 2 | 3) =>
      rows.reduce((sum, row) => sum + Math.round(row[column] * 100), 0) / 100
    expect([rows.length, sumOf(1), sumOf(2), sumOf(3)]).toEqual(collection.sum)
    const [, value, , cost] = rows.at(-1) ?? []
    expect(await summary(id)).toMatchObject({ value, cost, ...collection.total })
    expect((await callsOf(testApp).remove(id, '')).status).toBe(200)
  })

  test('are those of the printing, condition and grade that is owned, and say how much is not', async () => {
    const own = await createTestApp()
    addPriceList(own)
    const { create, add, summary, history } = callsOf(own)
    const id = await create()
    const copies = { card_id: LISTED_CARD, printing: 'Holofoil' }
    const { body } = await add(id, [
      copies,
      { ...copies, condition: 'lightly_played' },
      { ...copies, grade: 'PSA 9' },
      { ...copies, grade: 'PSA 8' },
      { ...copies, grade: 'PSA 7', quantity: 2, price_paid: 500 },
      { ...copies, printing: '1st Edition Holofoil', grade: 'PSA 10' },
    ])
    expect(body.data.map(({ market_price, notes }) => [market_price, ...notes])).toEqual([
      [11.68],
      [18.4],
      [350],
      [170, 'grader_not_priced'],
      [11.68, 'grade_not_priced'],
      [49.08, 'grade_not_priced'],
    ])
    const value = 622.52
    expect(await summary(id)).toMatchObject({
      value,
      cost: 1_000,
      gain: -976.64,
      notes: [
        { note: 'grader_not_priced', items: 1, value: 170 },
        { note: 'grade_not_priced', items: 2, value: 72.44 },
      ],
    })
    expect((await history(id)).data).toMatchObject([{ date: '2026-11-15', value, cost: 1_000 }])
  })

  test('of a grade that only has a price in euros are converted, each day with its rate', async () => {
    const own = await createTestApp()
    addPriceSources(own)
    const { create, add, summary, history } = callsOf(own)
    const id = await create()
    const copies = { card_id: GRADED_CARD, printing: 'Normal', acquired_on: '2026-11-01' }
    const { body } = await add(id, [
      { ...copies, grade: 'PSA 10' },
      { ...copies, condition: 'damaged' },
      { ...copies, condition: 'heavily_played', quantity: 2 },
    ])
    expect(body.data.map(({ market_price, notes }) => [market_price, ...notes])).toEqual([
      [4.65, 'price_converted'],
      // A single sale, and nobody sells for less than 4.24 euros.
      [0.33, 'price_converted', 'low_confidence'],
      [5.12, 'condition_not_priced'],
    ])
    expect((await summary(id)).notes).toContainEqual({
      note: 'price_converted',
      items: 2,
      value: 4.98,
    })
    const graded = await create()
    await add(graded, [{ ...copies, grade: 'PSA 10' }])
    const { data } = await history(graded)
    // Published on November 5, 13 and 15; the rates are 1.085 and 1.093, which is also that of the 15th.
    const values = data.map(({ date, value }) => `${date} ${value}`)
    expect([values.length, values[0], values[7], values[8], values[10]]).toEqual([
      11,
      '2026-11-05 4.61',
      '2026-11-12 4.61',
      '2026-11-13 4.65',
      '2026-11-15 4.65',
    ])
  })

  test('of low confidence count, and are named for each item and in the sum', async () => {
    const { create, add, summary } = callsOf(testApp)
    const id = await create()
    // "Overdue" is at fifty times its price of the day before.
    const { body } = await add(id, [
      { card_id: 900213, printing: 'Normal', quantity: 2 },
      { card_id: 900213, printing: 'Normal', grade: 'PSA 10' },
      { card_id: 900401, printing: 'Normal' },
      // Without a price, nothing is doubtful.
      { card_id: 900403, printing: 'Normal' },
    ])
    expect(body.data.map(({ notes }) => notes).slice(0, 3)).toEqual([
      ['low_confidence'],
      ['grade_not_priced', 'low_confidence'],
      [],
    ])
    expect((await summary(id)).notes).toContainEqual({
      note: 'low_confidence',
      items: 2,
      value: 178.41,
    })
  })

  test('over time are only of the items that a collection has now', async () => {
    const { create, add, summary, history, remove, items } = callsOf(testApp)
    const id = await create()
    await add(id, [{ card_id: 900401, price_paid: 4, acquired_on: '2026-08-20' }])
    expect((await history(id)).data).toHaveLength(88)
    for (const item of await items(id)) await remove(id, `/items/${item.id}`)
    expect(await history(id)).toMatchObject({ data: [], meta: { held_since: null } })
    expect(await summary(id)).toMatchObject({
      items: 0,
      value: 0,
      cost: 0,
      gain: 0,
      gain_percent: null,
      change_date: null,
      change: null,
      change_percent: null,
    })
    await add(id, [{ card_id: 900401 }])
    const { data, meta } = await history(id)
    expect(data).toEqual([{ date: '2026-11-15', value: 5.12, carried_value: 0, cost: 0 }])
    expect(meta.held_since).toBe('2026-11-15')
    expect(await summary(id)).toMatchObject({ value: 5.12, change: null })
  })

  test('in a currency that lacks rates leave out days, and end with the value of today', async () => {
    const own = await createTestApp()
    const rates = listTestRates().filter(({ day }) => day < RATE_DAY - 30 || day > RATE_DAY - 3)
    openSourcePublisher(own.catalogDb).putRates(rates, new Date(FROZEN_TIME))
    own.deps.catalog.publication.refresh()
    const { get, history } = callsOf(own)
    const { id } = await createHeldCollection(own, 'pro')
    const { data } = await history(id, '&currency=EUR')
    // Held since October 20. The last rate before the gap is of October 13, and the next one of November 11.
    expect(data.map(({ date }) => date)).toEqual([
      '2026-10-20',
      '2026-11-11',
      '2026-11-12',
      '2026-11-13',
      '2026-11-14',
      '2026-11-15',
    ])
    const { body } = await get<CollectionSummary>(id, '/summary?currency=EUR')
    expect([data.at(-1)?.value, data.at(-1)?.cost]).toEqual([body.data.value, body.data.cost])
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

  test('of what was paid have the rate of its day, and stay as they are in their own', async () => {
    const own = await createTestApp()
    addPriceSources(own)
    const { create, add, get, history, items, share } = callsOf(own)
    const id = await create()
    const bought = { card_id: 900401, printing: 'Cold Foil', paid_currency: 'EUR' }
    await add(id, [
      { ...bought, price_paid: 4, quantity: 2, acquired_on: '2026-10-20' },
      { ...bought, price_paid: 3 },
      { ...bought, price_paid: 1, paid_currency: 'USD' },
      // Before the first rate, and of a currency without rates.
      { ...bought, price_paid: 9, acquired_on: '1995-01-01' },
      { ...bought, price_paid: 900, paid_currency: 'TWD' },
    ])
    const dollars = (date: string, cents: number) => {
      const rate = listTestRates().findLast(({ day }) => day <= (parseDate(date) ?? 0))
      return Math.round(cents * (rate?.perEuro.USD ?? 0))
    }
    const first = dollars('2026-10-20', 800)
    const second = dollars('2026-11-15', 300)
    const cost = first + second + 100
    const { body } = await get<CollectionSummary>(id, '/summary')
    const [one] = await items(id, '?sort=added_asc')
    const price = Math.round((one?.market_price ?? 0) * 100)
    expect(body.data).toMatchObject({
      value: (6 * price) / 100,
      without_cost: 2,
      cost: cost / 100,
      gain: (4 * price - cost) / 100,
      notes: [{ note: 'price_paid_not_converted', items: 2, value: (2 * price) / 100 }],
    })
    const gain = (paid: number, copies: number) => (copies * price - paid) / 100
    expect(await items(id, '?sort=added_asc')).toMatchObject([
      { price_paid: 4, paid_currency: 'EUR', gain: gain(first, 2), notes: [] },
      { price_paid: 3, paid_currency: 'EUR', gain: gain(second, 1), notes: [] },
      { price_paid: 1, paid_currency: 'USD', gain: gain(100, 1), notes: [] },
      { price_paid: 9, paid_currency: 'EUR', gain: null, notes: ['price_paid_not_converted'] },
      { price_paid: 900, paid_currency: 'TWD', gain: null, notes: ['price_paid_not_converted'] },
    ])
    const euros = findEuros(dayOf(new Date(FROZEN_TIME))) ?? Number
    const inEuros = (await get<CollectionSummary>(id, '/summary?currency=EUR')).body.data
    expect(inEuros.cost).toBeCloseTo(11 + euros(100), 6)
    const { data } = await history(id, '&currency=EUR')
    expect(data.find(({ date }) => date === '2026-10-20')?.cost).toBe(8)
    expect(data.at(-1)).toMatchObject({ value: inEuros.value, cost: inEuros.cost })
    expect((await items(id, '?sort=added_asc&currency=EUR'))[0]).toMatchObject({
      price_paid: 4,
      gain: Math.round((euros(2 * price) - 8) * 100) / 100,
    })
    const { token } = (await share(id)).body.data
    const shared = await own.client.get<{ items: object[] }>(`/v1/shared/${token}`)
    expect(shared.body.data).toMatchObject({ notes: [] })
    expect(shared.text).not.toContain('paid')
  })

  test('of what was paid for items without a price stay as they are, too', async () => {
    const own = await createTestApp()
    addPriceSources(own)
    const { create, add, get } = callsOf(own)
    const id = await create()
    const unpriced = { card_id: 900218, printing: 'Foil', paid_currency: 'EUR' }
    await add(id, [{ ...unpriced, price_paid: 80, acquired_on: '2026-10-20' }])
    const { data } = (await get<CollectionSummary>(id, '/summary?currency=EUR')).body
    expect(data).toMatchObject({ unpriced: 1, unpriced_cost: 80, cost: 0 })
  })

  test('of what was paid for many cheap copies are rounded once, not for each copy', async () => {
    const own = await createTestApp()
    addPriceSources(own)
    const { create, add, get, history, items } = callsOf(own)
    const id = await create()
    const yen = { paid_currency: 'JPY', price_paid: 2, acquired_on: '2026-10-20' }
    await add(id, [{ card_id: 900401, printing: 'Cold Foil', quantity: 1_000, ...yen }])
    const { USD = 0, JPY = 0 } =
      listTestRates().findLast(({ day }) => day <= (parseDate(yen.acquired_on) ?? 0))?.perEuro ?? {}
    const cost = Math.round((1_000 * 200 * USD) / JPY) / 100
    // Two yen are a little more than a cent.
    expect(cost).toBeGreaterThan(12)
    const { data } = (await get<CollectionSummary>(id, '/summary')).body
    expect(data.cost).toBe(cost)
    const [one] = await items(id)
    expect(one?.gain).toBeCloseTo((one?.value ?? 0) - cost, 6)
    expect((await history(id)).data.at(-1)?.cost).toBe(cost)
  })

  test('of what was paid come from files, with their currency, and go into them', async () => {
    const { create, import: send, get, items } = callsOf(testApp)
    const id = await create()
    const rows = [
      'Quantity,Name,Set,Purchase price,Purchase price currency,Added',
      '1,Cindle,TPP,4,EUR,2026-10-20',
      '1,Cindle,TPP,900,TWD,2026-10-20',
      '1,Cindle,TPP,$5,,2026-10-20',
    ]
    const report = await send(id, rows.join('\n'))
    expect(report.problems.filter(({ reason }) => /price|currency/.test(reason))).toEqual([])
    const paidIn = async (one: string) =>
      (await items(one, '?sort=added_asc')).map((item) => [item.price_paid, item.paid_currency])
    const paid = [
      [4, 'EUR'],
      [900, 'TWD'],
      [5, 'USD'],
    ]
    expect(await paidIn(id)).toEqual(paid)
    const copy = await create()
    await send(copy, (await get(id, '/export?format=full')).text)
    expect(await paidIn(copy)).toEqual(paid)
  })

  test('of what was paid are refused in an unknown currency, and can be changed', async () => {
    const { create, add, change } = callsOf(testApp)
    const id = await create()
    const paid = (paid_currency: unknown) =>
      add(id, [{ card_id: 900401, price_paid: 4, paid_currency }])
    for (const code of ['XYZ', 'eur', '€', 'EURO', '', null, 5]) {
      expectRefusal(await paid(code), 400, 'VALIDATION_ERROR')
    }
    const [item] = (await paid('GBP')).body.data
    const changed = await change(id, item?.id ?? '', { paid_currency: 'JPY' })
    expect(changed.body.data).toMatchObject({ price_paid: 4, paid_currency: 'JPY' })
  })

  test('of what was paid can be weak', async () => {
    const { create, add, get, history } = callsOf(await createTestApp())
    const id = await create()
    const won = (price_paid: number) =>
      add(id, [{ card_id: 900401, price_paid, paid_currency: 'KRW' }])
    expect((await won(10_000_000)).body.data).toMatchObject([{ price_paid: 10_000_000 }])
    expectRefusal(await won(10_000_001), 400, 'VALIDATION_ERROR')
    // More than fits into a database.
    const most = { card_id: 900401, quantity: 100_000, price_paid: 10_000_000 }
    expect((await add(id, Array(99).fill(most))).status).toBe(201)
    expect((await get<CollectionSummary>(id, '/summary')).body.data.cost).toBe(99e12)
    expect((await history(id)).data.at(-1)?.cost).toBe(Number.MAX_SAFE_INTEGER / 100)
  })

  test('of what was paid are kept as long as there is a price', async () => {
    const { create, add, change } = callsOf(testApp)
    const id = await create()
    const added = (await add(id, [{ card_id: 900401, paid_currency: 'EUR' }])).body.data
    expect(added).toMatchObject([{ price_paid: null, paid_currency: 'USD' }])
    const paidAfter = async (changes: object) => {
      const { price_paid, paid_currency } = (await change(id, added[0]?.id ?? '', changes)).body
        .data
      return [price_paid, paid_currency]
    }
    expect(await paidAfter({ paid_currency: 'EUR' })).toEqual([null, 'USD'])
    expect(await paidAfter({ price_paid: 5, paid_currency: 'EUR' })).toEqual([5, 'EUR'])
    expect(await paidAfter({ price_paid: 6 })).toEqual([6, 'EUR'])
    expect(await paidAfter({ price_paid: null })).toEqual([null, 'USD'])
    expect(await paidAfter({ price_paid: 7 })).toEqual([7, 'USD'])
    expect(await paidAfter({ price_paid: null, paid_currency: 'GBP' })).toEqual([null, 'USD'])
  })
})

/** Returns the conversion of US cents on a day, in integer arithmetic; undefined without a rate within a week. */
function findEuros(day: number): ((cents: number) => number) | undefined {
  const rates = listTestRates().findLast((one) => one.day <= day)
  if (rates === undefined || day - rates.day > 7) return undefined
  const dollars = BigInt(Math.round((rates.perEuro.USD ?? 0) * 10_000))
  return (cents) => Number((BigInt(cents) * 20_000n + dollars) / (2n * dollars)) / 100
}
