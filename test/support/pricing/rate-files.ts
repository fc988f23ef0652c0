// Files in the formats of the European Central Bank, with random rates.

import { zipSync } from 'fflate'
import { formatDate, parseDate } from '#rules/primitives/days.ts'
import { randomFrom } from '../random.ts'

/** Rates of a day as written, the newest day first. */
export type WrittenRates = { date: string; rates: [currency: string, rate: string][] }

/** An initial rate of each currency, with the bank's number of digits. */
const FIRST_RATES = {
  USD: '1.1367',
  JPY: '180.57',
  CZK: '24.399',
  DKK: '7.4756',
  GBP: '0.85986',
  HUF: '366.15',
  PLN: '4.3823',
  RON: '5.2779',
  SEK: '11.2645',
  CHF: '0.9409',
  ISK: '138.00',
  NOK: '10.7895',
  TRY: '55.5332',
  AUD: '1.7423',
  BRL: '6.1394',
  CAD: '1.6021',
  CNY: '8.1046',
  HKD: '8.8432',
  IDR: '20274.71',
  ILS: '3.4213',
  INR: '104.2310',
  KRW: '1662.40',
  MXN: '21.2044',
  MYR: '4.6112',
  NZD: '1.9804',
  PHP: '69.841',
  SGD: '1.4699',
  THB: '37.022',
  ZAR: '19.8841',
}

/** Draws rates that change by up to 1 % from one working day to the next. */
export function drawRates(seed: number, { until, days }: { until: string; days: number }) {
  const random = randomFrom(seed)
  const rates = new Map<string, string>(Object.entries(FIRST_RATES))
  const drawn: WrittenRates[] = []
  for (let day = parseDate(until) ?? 0; drawn.length < days; day--) {
    if ([0, 6].includes((day + 4) % 7)) continue
    drawn.push({ date: formatDate(day), rates: [...rates] })
    for (const [currency, rate] of rates) {
      const digits = rate.split('.')[1]?.length ?? 0
      rates.set(currency, (Number(rate) * (0.99 + 0.02 * random())).toFixed(digits))
    }
  }
  return drawn
}

/** Renders `eurofxref-daily.xml` for one day, otherwise `eurofxref-hist-90d.xml`. */
export function toRatesXml(days: readonly WrittenRates[]): string {
  const quote = days.length === 1 ? "'" : '"'
  const cubes = days.map(({ date, rates }) => {
    const lines = rates.map(
      ([currency, rate]) =>
        `\t\t\t<Cube currency=${quote}${currency}${quote} rate=${quote}${rate}${quote}/>\n`,
    )
    return `\t\t<Cube time=${quote}${date}${quote}>\n${lines.join('')}\t\t</Cube>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
${cubes.join('')}\t</Cube>
</gesmes:Envelope>
`
}

/** Renders `eurofxref-hist.csv`, with N/A for currencies without a rate. */
export function toRatesCsv(days: readonly WrittenRates[]): string {
  const currencies = [...new Set(days.flatMap(({ rates }) => rates.map(([currency]) => currency)))]
  const lines = days.map(({ date, rates }) => {
    const known = new Map(rates)
    return [date, ...currencies.map((currency) => known.get(currency) ?? 'N/A')]
  })
  return [['Date', ...currencies], ...lines].map((cells) => `${cells.join(',')},\n`).join('')
}

/** Renders `eurofxref.csv`: one day, with its date in words. */
export function toDailyCsv({ date, rates }: WrittenRates): string {
  const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  const cells = [words.format(new Date(date)), ...rates.map(([, rate]) => rate)]
  const header = ['Date', ...rates.map(([currency]) => currency)]
  return `${header.join(', ')}, \n${cells.join(', ')}, \n`
}

/** Creates a ZIP archive with one compressed file, like `eurofxref-hist.zip`. */
export function zip(text: string, name = 'eurofxref-hist.csv'): Uint8Array {
  return zipSync({ [name]: Buffer.from(text) })
}
