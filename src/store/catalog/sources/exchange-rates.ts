import {
  type DayRates,
  type ExchangeRate,
  findFirstDay,
  findRate,
  type RateSeries,
  toRateSeries,
} from '#rules/pricing/exchange-rates.ts'
import type { Db } from '../../db.ts'
import type { PublicationStore } from '../publication.ts'
import type { ExchangeRateRow } from '../schema/pricing.ts'

/** Reference rates of the catalog, in memory: some thousand days of thirty currencies. */
export type ExchangeRateStore = {
  /** Returns the rate between two currencies on a day; undefined without one in the last seven days. */
  find(currencies: { from: string; to: string; day: number }): ExchangeRate | undefined
  /** Returns the first day on which two currencies have a rate; undefined without one. */
  getFirstDay(currencies: { from: string; to: string }): number | undefined
  /** Lists the currencies of the newest day with the euro, in alphabetical order; empty without rates. */
  listCurrencies(): string[]
  /** Returns the newest day; undefined without rates. */
  getNewestDay(): number | undefined
}

/** Statements that read reference rates. */
export function openExchangeRateReader(db: Db) {
  const list = db.prepare<[number, number], ExchangeRateRow>(
    'SELECT day, per_euro FROM exchange_rates WHERE day BETWEEN ? AND ? ORDER BY day',
  )
  const newest = db.prepare<[], number | null>('SELECT max(day) FROM exchange_rates').pluck()
  return {
    list: (from: number, until: number) => list.all(from, until).map(parseRow),
    getNewestDay: () => newest.get() ?? undefined,
  }
}

export function openExchangeRateStore(
  db: Db,
  publication: Pick<PublicationStore, 'onChange'>,
): ExchangeRateStore {
  const reader = openExchangeRateReader(db)
  let loaded: ReadonlyMap<string, RateSeries> | undefined
  publication.onChange(() => {
    loaded = undefined
  })

  function load(): ReadonlyMap<string, RateSeries> {
    loaded ??= toRateSeries(reader.list(0, Number.MAX_SAFE_INTEGER))
    return loaded
  }

  return {
    find: (currencies) => findRate(load(), currencies),
    getFirstDay: (currencies) => findFirstDay(load(), currencies),
    listCurrencies() {
      const series = load()
      const newest = series.get('EUR')?.days.at(-1)
      return [...series]
        .filter(([, { days }]) => days.at(-1) === newest)
        .map(([currency]) => currency)
        .sort()
    },
    getNewestDay: () => load().get('EUR')?.days.at(-1),
  }
}

function parseRow({ day, per_euro }: ExchangeRateRow): DayRates {
  // The publisher has written checked rates, so the shape is known.
  return { day, perEuro: JSON.parse(per_euro) as DayRates['perEuro'] }
}
