import { beforeEach, describe, expect, test } from 'bun:test'
import { importRates } from '#actions/pricing/import-rates.ts'
import { convertCents } from '#rules/pricing/exchange-rates.ts'
import { parseDate } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { openExchangeRateStore } from '#store/catalog/sources/exchange-rates.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { migrate } from '#store/migrate.ts'
import { openCatalogWriterOn } from '#store/open-catalog-writer.ts'
import {
  drawRates,
  toRatesCsv,
  toRatesXml,
  type WrittenRates,
  zip,
} from '../../support/pricing/rate-files.ts'
import { pick, randomFrom, SEED } from '../../support/random.ts'

const NOW = new Date('2026-11-25T16:00:00Z')
const DAYS = drawRates(SEED, { until: '2026-11-25', days: 65 })

const NO_ALERTS = {
  load: async () => {},
  list: () => [],
  findKnownMessages: () => new Set<string>(),
}

let db: Db

beforeEach(() => {
  db = openDatabase(':memory:')
  migrate(db, CATALOG_MIGRATIONS)
})

function load(file: string | Uint8Array, options: { force?: boolean } = {}) {
  const catalogWriter = openCatalogWriterOn(db, NO_ALERTS)
  const bytes = typeof file === 'string' ? Buffer.from(file) : file
  return importRates({ catalogWriter, now: () => NOW }, bytes, options)
}

const stored = () => db.prepare('SELECT * FROM exchange_rates ORDER BY day').all()
const rates = () => openExchangeRateStore(db, { onChange: () => {} })
const find = (from: string, to: string, date: string) =>
  rates().find({ from, to, day: parseDate(date) ?? 0 })

/** Returns the days, with a changed rate of a currency on one of them. */
function change(days: readonly WrittenRates[], index: number, currency: string, factor: number) {
  return days.map((day, at) => ({
    ...day,
    rates: day.rates.map(([code, rate]): [string, string] => [
      code,
      at === index && code === currency ? (Number(rate) * factor).toFixed(4) : rate,
    ]),
  }))
}

describe('an import of rates', () => {
  test('stores each day once', async () => {
    const last_day = '2026-11-25'
    const first_day = DAYS.at(-1)?.date ?? ''
    const report = { days: 65, changed: 65, first_day, last_day, currencies: 29 }
    expect(await load(toRatesXml(DAYS))).toEqual(report)
    const before = stored()
    expect(await load(toRatesXml(DAYS))).toMatchObject({ changed: 0 })
    expect(await load(zip(toRatesCsv(DAYS)))).toMatchObject({ days: 65, changed: 0 })
    expect(stored()).toEqual(before)
  })

  test('keeps the days and currencies that a later file does not have', async () => {
    await load(toRatesXml(DAYS.slice(1)))
    expect(await load(toRatesXml(DAYS.slice(0, 1)))).toMatchObject({ days: 1, changed: 1 })
    expect(stored()).toHaveLength(65)
    const before = stored()
    const few = DAYS.map((day) => ({ ...day, rates: day.rates.slice(0, 3) }))
    expect(await load(toRatesXml(few))).toMatchObject({ changed: 0 })
    expect(stored()).toEqual(before)
  })

  test('takes over a small correction', async () => {
    await load(toRatesXml(DAYS))
    expect(await load(toRatesXml(change(DAYS, 3, 'GBP', 1.004)))).toMatchObject({ changed: 1 })
  })

  test.each([
    ['a rate that jumps within the file', change(DAYS, 20, 'PLN', 10)],
    ['a rate that jumps against the stored days', change(DAYS.slice(0, 1), 0, 'JPY', 0.4)],
    ['another rate for a stored day', change(DAYS, 7, 'CHF', 1.02)],
    ['a day in the future', drawRates(SEED, { until: '2026-11-26', days: 1 })],
  ])('refuses %s, and changes nothing', async (_, days) => {
    await load(toRatesXml(DAYS.slice(1)))
    const before = stored()
    await expect(load(toRatesXml(days))).rejects.toThrow(ServiceError)
    expect(stored()).toEqual(before)
  })

  test('by force accepts rates that are not plausible, but nothing else', async () => {
    await load(toRatesXml(DAYS))
    expect((await load(toRatesXml(change(DAYS, 20, 'PLN', 10)), { force: true })).changed).toBe(1)
    await expect(load('<html>', { force: true })).rejects.toThrow(ServiceError)
  })

  test('accepts a currency that comes back years later at another rate', async () => {
    const old = drawRates(SEED, { until: '2008-12-09', days: 1 })
    expect(await load(toRatesXml([...DAYS, ...change(old, 0, 'ISK', 20)]))).toMatchObject({
      days: 66,
    })
  })

  test.each([
    ['a damaged archive', zip(toRatesCsv(DAYS)).slice(0, -30)],
    ['bytes that are no text', new Uint8Array([0x3c, 0xff, 0xfe, 0xfd])],
  ])('refuses %s', async (_, bytes) => {
    await expect(load(bytes)).rejects.toThrow('The exchange rates cannot be used')
  })
})

describe('conversions by imported rates', () => {
  test('equal plain arithmetic to the cent, 1,000 times', async () => {
    await load(toRatesXml(DAYS))
    const random = randomFrom(SEED)
    const converted = Array.from({ length: 1_000 }, () => {
      const { date, rates: written } = pick(random, DAYS)
      const texts = new Map([...written, ['EUR', '1']])
      const [from, to] = [pick(random, [...texts.keys()]), pick(random, [...texts.keys()])]
      const cents = Math.floor(random() ** 3 * 1_000_000)
      const rate = find(from, to, date)
      return {
        actual: rate && convertCents(cents, rate),
        expected: multiply(cents, texts.get(to) ?? '', texts.get(from) ?? ''),
      }
    })
    expect(converted.map(({ actual }) => actual)).toEqual(converted.map(({ expected }) => expected))
  })

  test.each([
    [50, '1.13', '1', 57],
    [50, '1.01', '1', 51],
    [145, '1.1', '1', 160],
    [1, '1', '2', 1],
  ])('round %i cents at %s / %s up from a half', async (cents, to, from, expected) => {
    expect(multiply(cents, to, from)).toBe(expected)
    expect(convertCents(cents, { rate: Number(to) / Number(from) })).toBe(expected)
  })

  test('take the rates of Friday at the weekend', async () => {
    await load(toRatesXml(DAYS))
    const friday = DAYS.find(({ date }) => date === '2026-11-20')?.rates[0]?.[1]
    expect(find('EUR', 'USD', '2026-11-22')?.rate).toBe(Number(friday))
  })
})

/** Multiplies by a quotient of two decimal numbers in integer arithmetic, and rounds halves up. */
function multiply(cents: number, to: string, from: string): number {
  const whole = (text: string) => BigInt(Math.round(Number(text) * 1e6))
  const [numerator, denominator] = [BigInt(cents) * whole(to), whole(from)]
  return Number((2n * numerator + denominator) / (2n * denominator))
}
