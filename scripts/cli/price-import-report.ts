import type { PriceImportReport } from '#actions/pricing/import-prices.ts'
import type { LeftOutReason, LeftOutRow } from '#actions/pricing/match-price-list.ts'
import { count, formatTable } from './text.ts'

type ReasonText = { text: string; isMistake?: true }

/** Reasons as text. Some are mistakes of the list itself. */
const REASONS: Readonly<Record<LeftOutReason, ReasonText>> = {
  no_match: { text: 'no such card' },
  product_id_not_found: { text: 'no card with this id and name' },
  game_not_found: { text: 'unknown game' },
  set_not_found: { text: 'unknown set' },
  not_in_set: { text: 'the set does not have the card' },
  number_not_found: { text: 'no such number' },
  printing_not_found: { text: 'the card does not have the printing' },
  words_ignored: { text: 'words behind the name have no meaning' },
  ambiguous: { text: 'several cards fit: add the set and the number' },
  uncertain: { text: 'only a similar name was found' },
  name_too_short: { text: 'no such card' },
  not_a_card: { text: 'not a card' },
  other_source: { text: 'of another source' },
  no_price: { text: 'no price' },
  invalid_price: { text: 'the price cannot be read', isMistake: true },
  invalid_currency: { text: 'unknown or contradictory currency', isMistake: true },
  unknown_condition: { text: 'unknown condition', isMistake: true },
  unknown_grade: { text: 'unknown grade', isMistake: true },
  duplicate: { text: 'an earlier row has the same price', isMistake: true },
  no_name: { text: 'no card is named', isMistake: true },
  on_watchlist: { text: 'not owned' },
  in_list: { text: 'not owned' },
  in_deck: { text: 'not owned' },
  proxy: { text: 'not a card' },
  no_copies: { text: 'the quantity is 0' },
  invalid_quantity: { text: 'the quantity cannot be read', isMistake: true },
  line_too_long: { text: 'the row is too long', isMistake: true },
}

/** Returns true if a row has a mistake of the list itself. */
export function hasMistakes({ left_out }: PriceImportReport): boolean {
  return left_out.some(({ reason }) => REASONS[reason].isMistake)
}

/** Formats the result for people: the skipped rows by reason, then the number of imported prices. */
export function formatPriceImport(report: PriceImportReport, seconds: string): string {
  const { source, rows, prices, changed, left_out } = report
  const news = changed === null ? 'nothing was changed' : `${count(changed, 'price')} changed`
  const summary = `${count(prices, 'price')} of ${source} from ${count(rows, 'row')}: ${news}, in ${seconds}`
  if (left_out.length === 0) return summary
  const groups = [...Map.groupBy(left_out, ({ reason }) => REASONS[reason].text)]
  const cells = groups
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([text, same]) => [same.length, text, formatLines(same)])
  const head = ['rows', 'skipped because', 'lines']
  return `${formatTable(head, cells)}\n${summary}`
}

const LINES_SHOWN = 8

function formatLines(left: readonly LeftOutRow[]): string {
  const shown = left.slice(0, LINES_SHOWN).map(({ line }) => line)
  return [...shown, ...(left.length > LINES_SHOWN ? ['…'] : [])].join(', ')
}
