// Parses the files of reference rates of the European Central Bank. Their formats have not changed since 1999, so
// anything else is an error, and the whole file is refused.
import { formatDate, parseDate } from '../primitives/days.ts'
import { ServiceError } from '../primitives/errors.ts'
import type { DayRates } from './exchange-rates.ts'
import { isCurrencyCode } from './price-key.ts'
import { isWorkingDay } from './rate-schedule.ts'

/**
 * Parses `eurofxref-daily.xml`, `eurofxref-hist-90d.xml`, `eurofxref-hist.xml`, `eurofxref.csv` or
 * `eurofxref-hist.csv`.
 *
 * @returns the days in ascending order
 * @throws ServiceError VALIDATION_ERROR with the first problem
 */
export function parseRateFile(text: string): DayRates[] {
  const content = text.replace(/^\uFEFF/, '').trim()
  const days = content.startsWith('<') ? parseXml(content) : parseCsv(content)
  const sorted = days.map(parseDay).sort((a, b) => a.day - b.day)
  if (sorted.length === 0) throw rateFileError('it has no rates')
  const twice = sorted.find(({ day }, index) => day === sorted[index + 1]?.day)
  if (twice !== undefined) throw rateFileError(`${formatDate(twice.day)} occurs twice`)
  return sorted
}

/** Returns the error for a file that is not imported at all. @param problem clause without a period */
export function rateFileError(problem: string): ServiceError {
  const remedy = 'Use a file of the European Central Bank, such as eurofxref-hist-90d.xml.'
  const message = `The exchange rates cannot be used: ${problem}. Nothing was imported. ${remedy}`
  return new ServiceError('VALIDATION_ERROR', message)
}

/** A day as written, without unavailable rates. */
type WrittenDay = { date: string; rates: [currency: string, rate: string][] }

/** Everything around the days. The attributes of the envelope are names of XML namespaces. */
const ENVELOPE =
  /^<\?xml[^<>]*\?>\s*<gesmes:Envelope\s[^<>]*>\s*<gesmes:subject>[^<>]*<\/gesmes:subject>\s*<gesmes:Sender>\s*<gesmes:name>[^<>]*<\/gesmes:name>\s*<\/gesmes:Sender>\s*<Cube>([\s\S]*)<\/Cube>\s*<\/gesmes:Envelope>$/
const XML_DAY = /\s*<Cube time=(["'])([\d-]+)\1>((?:\s*<Cube [^<>]*\/>)+)\s*<\/Cube>\s*/y
const XML_RATE = /\s*<Cube currency=(["'])(\w+)\1 rate=(["'])([\w.]+)\3\s*\/>/y

function parseXml(content: string): WrittenDay[] {
  const days = ENVELOPE.exec(content)?.[1]
  if (days === undefined) {
    const isCutOff = content.includes('<gesmes:Envelope') && !content.includes('</gesmes:Envelope>')
    throw rateFileError(
      isCutOff ? 'the file is cut off' : 'the file is not in the format of the ECB',
    )
  }
  return matchAll(XML_DAY, days).map(([, , date = '', rates = '']) => ({
    date,
    rates: matchAll(XML_RATE, rates).map(([, , currency = '', , rate = '']) => [currency, rate]),
  }))
}

/** Returns consecutive matches. @throws ServiceError unless they cover the whole text */
function matchAll(pattern: RegExp, text: string): RegExpExecArray[] {
  const matches: RegExpExecArray[] = []
  const sticky = new RegExp(pattern)
  while (sticky.lastIndex < text.trimEnd().length) {
    const at = sticky.lastIndex
    const match = sticky.exec(text)
    if (match === null) throw rateFileError(`${quote(text.slice(at))} is not expected`)
    matches.push(match)
  }
  return matches
}

function parseCsv(content: string): WrittenDay[] {
  const [header = '', ...lines] = content.split(/\r\n|\n/)
  const [first, ...currencies] = splitLine(header)
  if (first !== 'Date') throw rateFileError('the file is not in the format of the ECB')
  return lines.map((line) => {
    const [date = '', ...cells] = splitLine(line)
    if (cells.length !== currencies.length) {
      const problem = `${quote(date)} has ${cells.length} rates of ${currencies.length}`
      throw rateFileError(`${problem}: the file may be cut off`)
    }
    const rates = currencies.map((currency, index): [string, string] => [
      currency,
      cells[index] ?? '',
    ])
    // The header and all rows end with a comma.
    const isRate = ([currency, rate]: [string, string]) =>
      rate !== 'N/A' && (currency !== '' || rate !== '')
    return { date, rates: rates.filter(isRate) }
  })
}

function splitLine(line: string): string[] {
  return line.split(',').map((cell) => cell.trim())
}

/** First day with the euro. */
const FIRST_DAY = parseDate('1999-01-04') ?? 0

function parseDay({ date, rates }: WrittenDay): DayRates {
  const day = parseDate(date) ?? parseLongDate(date)
  if (day === undefined) throw rateFileError(`${quote(date)} is not a date`)
  if (day < FIRST_DAY) throw rateFileError(`${date} is before the first rates of the euro`)
  if (!isWorkingDay(day)) {
    throw rateFileError(`${date} is on a weekend, when there are no rates: the year may be wrong`)
  }
  const perEuro: Record<string, number> = {}
  for (const [currency, text] of rates) {
    if (!isCurrencyCode(currency) || currency === 'EUR' || perEuro[currency] !== undefined) {
      throw rateFileError(`${date} has the currency ${quote(currency)}, or has it twice`)
    }
    perEuro[currency] = parseRate(text, `${currency} on ${date}`)
  }
  // Every day has the dollar, and the mirror's prices are in dollars.
  if (perEuro.USD === undefined) throw rateFileError(`${date} has no rate of USD`)
  return { day, perEuro }
}

/** Parses the date of `eurofxref.csv`: 25 November 2026. */
function parseLongDate(date: string): number | undefined {
  const [, day = '', name = '', year = ''] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(date) ?? []
  const month = MONTHS.indexOf(name) + 1
  return parseDate(`${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`)
}

const MONTHS =
  'January February March April May June July August September October November December'.split(' ')

/** A wide range: a euro was worth 0.4 Maltese lira and two million Turkish lira. */
const [RATE_MIN, RATE_MAX] = [0.001, 10_000_000]

function parseRate(text: string, what: string): number {
  const rate = /^\d{1,8}(?:\.\d{1,8})?$/.test(text) ? Number(text) : Number.NaN
  if (rate >= RATE_MIN && rate <= RATE_MAX) return rate
  throw rateFileError(`the rate of ${what} is ${quote(text)}`)
}

/** Quotes the beginning of a text in the file on one line. */
function quote(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return JSON.stringify(line.length > 40 ? `${line.slice(0, 40)}…` : line)
}
