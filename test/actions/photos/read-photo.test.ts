import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { findCandidates, readPhoto } from '#actions/photos/read-photo.ts'
import type { PhotoReading } from '#rules/photos/photo-reading.ts'
import type { PrintedLine } from '#rules/photos/text-line.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { openSourcePublisher } from '#store/catalog/sources/source-publisher.ts'
import {
  candidateCard,
  GOOD_QUALITY,
  photoReading,
  printedLine,
} from '../../support/photos/candidate-fixtures.ts'
import { fakeReader } from '../../support/photos/reader-fixtures.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

// Matching by printed text with the sample catalog, none of whose pictures is indexed here.

let testApp: TestApp
const reader = fakeReader()
beforeAll(async () => {
  testApp = await createTestApp({ reader })
})
afterAll(() => testApp.close())

const FOOT = { left: 0.05, top: 0.95, right: 0.3, bottom: 0.97 }
const numberLine = (text: string, facts: Partial<PrintedLine> = {}) =>
  printedLine(text, { kind: 'number', box: FOOT, heightPx: 18, ...facts })

/** Reads a photo with these lines of text. */
const read = (lines: PrintedLine[], game?: string, facts: Partial<PhotoReading> = {}) =>
  readLines(lines, facts, false, game)

async function readLines(
  lines: PrintedLine[],
  facts: Partial<PhotoReading>,
  prices: boolean,
  game?: string,
) {
  reader.script(() => photoReading({ lines, ...facts }))
  const { catalog } = testApp.deps
  const photo = new Uint8Array(1)
  const sender = { network: 'n', payer: 'p' }
  const input = { id: 'x', photo, sender, prices, game: catalog.games.getBySlugOrId(game ?? '') }
  return await readPhoto({ catalog, reader }, input)
}

describe('a photo with text only', () => {
  test('is the card whose name and number were read', async () => {
    const {
      status,
      read: reading,
      candidates,
    } = await read([printedLine('Cindle'), numberLine('001/024')])
    expect(status).toBe('matched')
    expect(reading).toMatchObject({ name: 'Cindle', number: '001/024', game: 'wickerwild' })
    expect(candidates[0]).toMatchObject({ card_id: 900_001, match: { number: 'exact', name: 1 } })
  })

  const unfound = { kind: undefined, items: 0, quality: undefined }

  test('shows the card whose name was read, although no card was found', async () => {
    const lines = [printedLine('Cindle'), numberLine('001/024')]
    expect(await read(lines, undefined, unfound)).toMatchObject({
      status: 'matched',
      read: { kind: 'raw', cards: 1, name: 'Cindle' },
      candidates: [{ card_id: 900_001 }],
    })
  })

  test('shows none if no card was found, and the text is not the name of one', async () => {
    const lines = [printedLine('Zzyzx'), numberLine('001/024')]
    const { status, message, read: reading, candidates } = await read(lines, undefined, unfound)
    expect({ status, kind: reading.kind, name: reading.name, candidates }).toEqual({
      status: 'retake',
      kind: '',
      name: '',
      candidates: [],
    })
    expect(message).toStartWith('No card was found.')
  })

  test.each([
    ['names', [printedLine('Cindle'), printedLine('CINDLEMANE')]],
    ['numbers', [printedLine('Cindle'), numberLine('001/024'), numberLine('002/024')]],
  ])('shows none if no card was found, and it states several %s', async (_, lines) => {
    expect(await read(lines, undefined, unfound)).toMatchObject({
      status: 'retake',
      read: { kind: '', cards: 0 },
      candidates: [],
    })
  })

  test('shows one if another name is smaller, as that of an attack, or repeated', async () => {
    const lines = [
      printedLine('Cindle', { heightPx: 40 }),
      printedLine('CINDLE', { heightPx: 40 }),
      printedLine('Cindlemane', { heightPx: 28 }),
      numberLine('001/024'),
      printedLine('10/10', { kind: 'other', box: FOOT }),
    ]
    expect(await read(lines, undefined, unfound)).toMatchObject({
      status: 'matched',
      candidates: [{ card_id: 900_001 }],
    })
  })

  test('is searched in the game that the caller names', async () => {
    const lines = [printedLine('Cindle'), numberLine('001/024')]
    expect((await read(lines, 'wickerwild')).status).toBe('matched')
    expect((await read(lines, 'perihelion-drift')).status).toBe('not_found')
  })

  test('has no game of the catalog if its copyright line names another', async () => {
    const lines = [printedLine('Zzyzx'), printedLine('©2023 Konami', { kind: 'other', box: FOOT })]
    expect(await read(lines)).toMatchObject({ status: 'unsupported', candidates: [] })
  })
})

test('a part of a name finds all cards of the whole name, also beyond the limits of other searches', () => {
  const own = candidateCard(1, { name: 'Quarry Heron EX', number: '17/200' })
  const variant = candidateCard(2, { name: 'Quarry Heron EX (Tide Pattern)', number: '017' })
  const { candidates: real } = testApp.deps.catalog
  const candidates: typeof real = {
    ...real,
    findByNumbers: () => [1],
    findByNames: () => [1],
    findNamed: (name) => (name === own.name ? [1, 2] : []),
    getByIds: (ids) => [own, variant].filter(({ id }) => ids.includes(id)),
  }
  const lines = [printedLine('Quarry Heron', { confidence: 0.999 }), numberLine('17/200')]
  const { reading, cards } = findCandidates({ candidates }, photoReading({ lines }), undefined)
  expect(reading.print).toMatchObject({ name: 'Quarry Heron', number: '17/200' })
  expect(cards.map(({ id }) => id)).toEqual([1, 2])
})

test('a card that looks like a slab is raw if no label is read, and a slab without corners stays one', async () => {
  const lines = [printedLine('Cindle'), numberLine('001/024')]
  const { read: reading, warnings } = await read(lines, undefined, { kind: 'graded slab' })
  expect([reading.kind, warnings]).toEqual(['raw', []])
  const unplaced = { ...GOOD_QUALITY, cornerConfidence: 0 }
  const whole = await read(lines, undefined, { kind: 'graded slab', quality: unplaced })
  expect(whole.read.kind).toBe('graded slab')
})

describe('the prices of a slab', () => {
  const label = (text: string) =>
    printedLine(text, { box: { left: 0.05, top: -0.16, right: 0.9, bottom: -0.14 }, heightPx: 24 })

  /** Reads a slab of card 900001 with these lines on its label, and requests prices. */
  async function readSlab(...lines: string[]) {
    const text = [printedLine('Cindle'), numberLine('001/024'), ...lines.map(label)]
    const { read, candidates, warnings } = await readLines(text, { kind: 'graded slab' }, true)
    const [top] = candidates
    return {
      grade: read.grade,
      warnings,
      prices: top !== undefined && 'prices' in top && top.prices,
    }
  }

  /** Publishes prices of the card, and the rate of the euro. */
  function publish(prices: readonly (readonly [string, string | null, number])[]) {
    const publisher = openSourcePublisher(testApp.catalogDb)
    const now = new Date('2026-11-13T12:00:00Z')
    publisher.putRates([{ day: dayOf(now), perEuro: { USD: 1.25 } }], now)
    publisher.publish({
      source: 'my-shop',
      game_id: 0,
      publishedAt: now,
      now,
      prices: prices.map(([currency, grade, market_price]) => ({
        card_id: 900_001,
        printing: 'Normal',
        currency,
        condition: null,
        grade,
        market_price,
        low_price: null,
        median_price: null,
        sale_count: null,
      })),
    })
    testApp.deps.catalog.publication.refresh()
  }
  const RAW = 'This is a graded card. Prices are for the raw card.'

  test('are those of its grade, with the members of their key', async () => {
    publish([
      ['USD', 'PSA 10', 25_000],
      ['USD', 'PSA 9', 9_000],
      ['USD', null, 100],
    ])
    expect(await readSlab('PSA', 'GEM MT 10')).toEqual({
      grade: 'PSA 10',
      warnings: ['This is a graded card. Prices are for PSA 10.'],
      prices: [
        {
          card_id: 900_001,
          printing: 'Normal',
          market_price: 250,
          low_price: null,
          median_price: null,
          lowest_with_shipping: null,
          buylist_price: null,
          price_change_24h: null,
          price_change_7d: null,
          price_change_30d: null,
          last_updated_at: '2026-11-13T12:00:00.000Z',
          source: 'my-shop',
          currency: 'USD',
          condition: null,
          grade: 'PSA 10',
        },
      ],
    })
  })

  test('are converted into dollars', async () => {
    publish([['EUR', 'PSA 10', 10_000]])
    const { prices } = await readSlab('PSA', 'GEM MT 10')
    expect(prices).toMatchObject([{ market_price: 125, currency: 'USD', grade: 'PSA 10' }])
  })

  test('are those of any grader if its own has none', async () => {
    publish([['USD', 'Grade 10', 20_000]])
    const { prices, warnings } = await readSlab('PSA', 'GEM MT 10')
    expect(prices).toMatchObject([{ market_price: 200, grade: 'Grade 10' }])
    expect(warnings).toEqual([
      'This is a graded card. Prices are for the grade of PSA 10, by any grader.',
    ])
  })

  test.each([
    ['without a price of its grade', ['PSA', 'GEM MT 10'], 'PSA 10', 'BGS 9.5', 'USD'],
    ['with an unreadable grade', ['PSA'], '', 'PSA 10', 'USD'],
    ['without a rate of the currency', ['PSA', 'GEM MT 10'], 'PSA 10', 'PSA 10', 'CHF'],
  ])('%s are those of the raw card, with a warning', async (_, lines, grade, listed, currency) => {
    publish([[currency, listed, 20_000]])
    const slab = await readSlab(...lines)
    expect(slab).toMatchObject({ grade, warnings: [RAW] })
    expect(slab.prices).toEqual(
      JSON.parse(testApp.deps.catalog.prices.getByCard(900_001)?.json ?? '[]'),
    )
  })
})
