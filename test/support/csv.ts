import { parse } from 'csv-parse/sync'

/** Parses RFC 4180 strictly: CR LF after each record including the last, and doubled quotes within quotes. */
export function parseCsv(text: string): string[][] {
  if (text !== '' && !text.endsWith('\r\n')) throw new Error('the last record has no end')
  return parse(text, { record_delimiter: '\r\n', relax_column_count: true })
}
