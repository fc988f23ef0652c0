/** The page about numbers: its examples are numbers of the sample, and its headings are those that pages link to. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CollectionSummary, Mover, Price, SetSummary } from '#client/endpoints.ts'
import { createTestApp, type TestApp } from './support/test-app.ts'

const PAGE = readFileSync(join(import.meta.dir, '../docs/guides/pricing/numbers.md'), 'utf8')

/** Paragraphs by heading. */
const SECTIONS = new Map(
  PAGE.split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
)

const exampleOf = (heading: string) => {
  const [, example = ''] = /^\*\*Example\.\*\* (.+)$/m.exec(SECTIONS.get(heading) ?? '') ?? []
  return example
}

test.each([...SECTIONS])('%s has its rule, its reason and an example', (_, section) => {
  const labels = [...section.matchAll(/^\*\*(\w+)\.\*\* \S/gm)].map(([, label]) => label)
  expect(labels).toEqual(['Rule', 'Reason', 'Example'])
})

describe('the example of', () => {
  let client: TestApp['client']
  beforeAll(async () => {
    client = (await createTestApp()).client
  })
  const get = async <Data>(path: string) =>
    (await client.get<Data>(`/v1${path}`, { as: 'business' })).body.data
  async function priceOf(card: number, printing: string): Promise<Price> {
    const prices = await get<Price[]>(`/cards/${card}/prices?include=confidence`)
    return only(prices.filter((price) => price.printing === printing))
  }
  const only = <One>([one, ...others]: readonly One[]): One => {
    if (one === undefined || others.length > 0) throw new Error('not exactly one')
    return one
  }

  test('each price is that of the sample', async () => {
    const price = await priceOf(900003, 'Holofoil')
    expect(exampleOf('Market price')).toContain(`$${price.market_price}.`)
    expect(exampleOf('Low price')).toContain(`$${price.low_price}.`)
    expect(exampleOf('Median price')).toContain(`$${price.median_price},`)
    const market = price.market_price ?? 0
    expect((price.median_price ?? 0) / market).toBeCloseTo(1.25, 1)
    expect(exampleOf('Conversion')).toContain(`$${price.market_price}`)
    expect(exampleOf('Conversion')).toContain(`€${(market * 0.91491).toFixed(2)}`)
  })

  test('changes and movers is that of the sample', async () => {
    const first = only(await get<Mover[]>('/prices/top-movers?limit=1'))
    expect(exampleOf('Change')).toBe(
      `\`${first.name}\` (${first.card_id}) cost $${first.previous_price} the day before and costs $${first.market_price} today: +${first.price_change.toFixed(1)} %.`,
    )
    expect(exampleOf('Movers')).toContain(`\`${first.name}\` is the first riser`)
    const listed = await get<Mover[]>('/prices/top-movers?min_confidence=low&limit=50')
    expect(listed.some(({ name }) => name === 'Overdue')).toBe(false)
    const { confidence, confidence_reasons } = await priceOf(first.card_id, first.printing)
    expect([confidence, confidence_reasons]).toEqual(['medium', ['sudden_change']])
    expect(exampleOf('Confidence')).toContain(`\`${first.name}\` is *medium*`)
  })

  test('collections is that of the sample', async () => {
    const as = { as: 'business' } as const
    const created = await client.post<{ id: string }>('/v1/collections', { name: 'Box' }, as)
    const { id } = created.body.data
    const item = { card_id: 900003, printing: 'Holofoil', quantity: 2, price_paid: 20 }
    await client.post(`/v1/collections/${id}/items`, { items: [item] }, as)
    const { value, gain } = await get<CollectionSummary>(`/collections/${id}/summary`)
    expect(exampleOf('Value of a collection')).toContain(`$${value}: a gain of $${gain}.`)
  })

  test('base printings and sets is that of the sample', async () => {
    const holo = await priceOf(900106, 'Holofoil')
    const reverse = await priceOf(900106, 'Reverse Holofoil')
    expect((await get<Price[]>('/cards/900106/prices'))[0]?.printing).toBe('Holofoil')
    expect(exampleOf('Base printing')).toContain(`$${holo.market_price?.toFixed(2)}`)
    expect(exampleOf('Base printing')).toContain(`$${reverse.market_price}`)
    const { cards, value } = await get<SetSummary>('/sets/90012/summary')
    expect(exampleOf('Value of a set')).toContain(`The ${cards} cards`)
    expect(exampleOf('Value of a set')).toContain(`$${value}.`)
  })
})
