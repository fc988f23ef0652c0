import { Link } from 'wouter'
import type { CardSet } from '#client/endpoints.ts'
import * as texts from '#texts/catalog/sets.ts'
import { type OwnedSets, ownedPart } from '../collections/owned/owned-sets.ts'
import { SortHeader } from '../components/sort-header.tsx'
import { count, dayText } from '../format.ts'
import { PriceText } from '../pricing/price-text.tsx'
import { groupByYear, isByDate, type SetListOrder, sortSets } from './set-groups.ts'

type SetListProps = {
  sets: readonly CardSet[]
  order: SetListOrder
  onSort: (order: SetListOrder) => void
  /** Undefined without an account. */
  owned: OwnedSets | undefined
}

/** Orders of a column: the first click, and the next ones. */
const COLUMNS: readonly [name: string, className: string, ...orders: SetListOrder[]][] = [
  [texts.set, '', 'name'],
  [texts.released, 'wide-only', '', 'date_asc'],
  [texts.cards, 'number wide-only', 'cards_desc', 'cards_asc'],
  [texts.value, 'number', 'value_desc', 'value_asc'],
]

/** Lists the sets of a game with their values; in an order by date, with an index of years. */
export function SetList({ sets, order, onSort, owned }: SetListProps) {
  const sorted = sortSets(sets, order)
  const years = isByDate(order) ? groupByYear(sorted) : []
  return (
    <div className="set-list">
      {years.length > 1 && <YearIndex years={years.map(([year]) => year)} />}
      <div className="table-frame">
        <table className="table">
          <thead>
            <tr>
              {COLUMNS.map(([name, className, ...sorts]) => (
                <SortHeader
                  key={name}
                  name={name}
                  className={className}
                  sorts={sorts}
                  sort={order}
                  isUp={order !== '' && !order.endsWith('_desc')}
                  onSort={onSort}
                />
              ))}
              {owned !== undefined && (
                <th scope="col" className="number wide-only">
                  {texts.owned}
                </th>
              )}
            </tr>
          </thead>
          {years.map(([year, ofYear]) => (
            <tbody key={year} id={anchorOf(year)}>
              <tr>
                <th scope="rowgroup" colSpan={COLUMNS.length + (owned === undefined ? 0 : 1)}>
                  {year}
                </th>
              </tr>
              <SetRows sets={ofYear} owned={owned} />
            </tbody>
          ))}
          {years.length === 0 && (
            <tbody>
              <SetRows sets={sorted} owned={owned} />
            </tbody>
          )}
        </table>
      </div>
    </div>
  )
}

/** Jumps to a year: a column beside the table, or a strip above it on phones. */
function YearIndex({ years }: { years: readonly string[] }) {
  return (
    <nav className="set-years small" aria-label={texts.years}>
      {years.map((year) => (
        <a key={year} href={`#${anchorOf(year)}`}>
          {year}
        </a>
      ))}
    </nav>
  )
}

function anchorOf(year: string): string {
  return `year-${year}`
}

function SetRows({ sets, owned }: Pick<SetListProps, 'sets' | 'owned'>) {
  return sets.map((set) => {
    const { id, name, abbreviation, release_date, card_count, value } = set
    const day = release_date && dayText(release_date)
    const part = owned && ownedPart(set, owned)
    const ownedText = part && part.cards > 0 && texts.ownedShare(part.share)
    return (
      <tr key={id}>
        <th scope="row">
          <Link href={`/sets/${id}`}>{name}</Link>
          {abbreviation !== null && <span className="wide-only small soft"> {abbreviation}</span>}
          <span className="narrow-only small soft">
            {[abbreviation, day, texts.cardCount(card_count), ownedText]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </th>
        <td className="wide-only soft">{day ?? '–'}</td>
        <td className="number wide-only">{count(card_count)}</td>
        <td className="number">
          <PriceText amount={value} origin={set} />
        </td>
        {owned !== undefined && (
          <td className="number wide-only">
            <OwnedPart part={part} />
          </td>
        )}
      </tr>
    )
  })
}

function OwnedPart({ part }: { part: ReturnType<typeof ownedPart> }) {
  if (part === undefined) return '–'
  const { cards, number, share } = part
  return (
    <span className={cards === 0 ? 'soft' : undefined}>
      {cards > 0 && <span className="small soft">{number} · </span>}
      {share}
    </span>
  )
}
