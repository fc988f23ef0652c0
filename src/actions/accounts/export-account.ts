import type { Deps } from '#deps.ts'
import { formatDate } from '#rules/primitives/days.ts'
import type { PersonalRow } from '#store/ledger/personal/personal-data.ts'
import { decodePart } from '../collections/draft-rows.ts'
import { nextTurn } from '../cooperative-loop.ts'

/**
 * Renders all data of an account in the ledger as one JSON object, page by page: a list of rows for each table. It
 * contains neither secrets nor their hashes.
 */
export async function* exportAccount(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  accountId: number,
): AsyncGenerator<string> {
  yield `{"format":1,"exported_at":${JSON.stringify(now().toISOString())}`
  for (const table of ledger.personalData.tables) {
    yield `,\n${JSON.stringify(table)}:[`
    let separator = ''
    const limit = table === 'import_rows' ? 1 : PAGE_ROWS
    for await (const rows of ledger.personalData.read(table, accountId, limit)) {
      if (limit === 1) await nextTurn()
      yield separator + rows.map((row) => `\n${JSON.stringify(renderRow(row))}`).join(',')
      separator = ','
    }
    yield ']'
  }
  yield '}\n'
}

/** A page takes some milliseconds, and so does a part of a draft. */
const PAGE_ROWS = 200

function renderRow(row: PersonalRow): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, renderValue(name, value)]),
  )
}

/** Renders times and days as text, and stored JSON as it is. */
function renderValue(name: string, value: PersonalRow[string]): unknown {
  if (typeof value === 'number' && TIMES.test(name)) return new Date(value).toISOString()
  if (typeof value === 'number' && DAYS.test(name)) return formatDate(value)
  if (value instanceof Uint8Array) return decodePart(value)
  if (typeof value === 'string' && JSON_COLUMNS.has(name)) return JSON.parse(value)
  return value
}

const TIMES = /^at$|_at$|_until$|_since$|^period_end$/
const DAYS = /^day$|_on$/
const JSON_COLUMNS: ReadonlySet<string> = new Set([
  'data',
  'body',
  'problems',
  'summary',
  'columns',
  'header',
  'states',
  'totals',
  'changed',
])
