import { CsvError, parse } from 'csv-parse/sync'
import { detectDialect, detectEncoding } from '#rules/primitives/csv.ts'

/** A record of a CSV file, and the line on which it ends. */
export type CsvRecord = { cells: string[]; line: number }

/**
 * Parses an operator's CSV file in any common encoding and with any common delimiter. Skips empty records.
 *
 * @param toError creates the error to throw for a file that is not CSV
 */
export function parseCsvRecords(
  bytes: Uint8Array,
  toError: (problem: string) => Error,
): CsvRecord[] {
  const text = new TextDecoder(detectEncoding(bytes)).decode(bytes)
  const { delimiter, start } = detectDialect(text.slice(0, HEAD))
  try {
    // With the option `info`, each record comes with the number of its lines.
    const parsed = parse(text.slice(start), { ...TOLERANT, delimiter }) as unknown as InfoRecord[]
    return parsed.map(({ record, info }) => ({
      cells: record,
      line: info.lines + (start > 0 ? 1 : 0),
    }))
  } catch (error) {
    if (error instanceof CsvError) throw toError(`The file is not CSV (line ${error.lines}).`)
    throw error
  }
}

type InfoRecord = { record: string[]; info: { lines: number } }

const HEAD = 32_768

const TOLERANT = {
  info: true,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  trim: true,
} as const
