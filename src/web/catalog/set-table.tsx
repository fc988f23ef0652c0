import { Link } from 'wouter'
import type { PricedCard, PriceOrigin } from '#client/endpoints.ts'
import * as texts from '#texts/catalog/sets.ts'
import * as periods from '#texts/pricing/periods.ts'
import type { OwnedCards } from '../collections/owned/owned-cards.ts'
import { OwnedControl } from '../collections/owned/owned-control.tsx'
import { PriceChange } from '../components/price-change.tsx'
import { SortHeader } from '../components/sort-header.tsx'
import { CardMarketPrice, findShownPrice } from './card-tile.tsx'
import type { SetParams } from './set-params.ts'

type Sort = SetParams['sort']

export type TableCard = Pick<
  PricedCard,
  'id' | 'name' | 'number' | 'rarity' | 'printing' | 'market_price' | 'prices'
> &
  PriceOrigin

type SetTableProps = {
  cards: readonly TableCard[]
  sort: Sort
  onSort: (sort: Sort) => void
  owned: OwnedCards | undefined
}

/** Orders of a column: the first click, and the next ones. */
const COLUMNS: readonly [name: string, className: string, ...sorts: Sort[]][] = [
  [texts.no, 'wide-only', ''],
  [texts.name, '', 'name'],
  [texts.rarity, 'wide-only'],
  [texts.printing, 'wide-only'],
  [texts.price, 'number', 'price_desc', 'price_asc'],
  [periods.days7, 'number wide-only', 'change_desc', 'change_asc'],
]

/** Lists the cards of a set with their prices, and the copies that the account owns. */
export function SetTable({ cards, sort, onSort, owned }: SetTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
    <section className="table-frame set-table" aria-label={texts.cardsOfTheSet} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {COLUMNS.map(([name, className, ...sorts]) => (
              <SortHeader
                key={name}
                name={name}
                className={className}
                sorts={sorts}
                sort={sort}
                isUp={!sort.endsWith('_desc')}
                onSort={onSort}
              />
            ))}
            {owned !== undefined && (
              <th scope="col" className="number">
                {texts.owned}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {cards.map((card) => (
            <SetRow key={card.id} card={card} owned={owned} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function SetRow({ card, owned }: { card: TableCard; owned: OwnedCards | undefined }) {
  const { id, name, number, rarity, printing } = card
  const shown = findShownPrice(card)
  return (
    <tr>
      <td className="wide-only soft">{number}</td>
      <th scope="row">
        <Link href={`/cards/${id}`}>{name}</Link>
        <span className="narrow-only small soft">
          {[number, printing].filter(Boolean).join(' · ')}
        </span>
      </th>
      <td className="wide-only soft">{rarity}</td>
      <td className="wide-only soft">{printing}</td>
      <td className="number">
        <strong>
          <CardMarketPrice card={card} />
        </strong>
        <span className="narrow-only small">
          <PriceChange points={shown?.price_change_7d} />
        </span>
      </td>
      <td className="number wide-only">
        <PriceChange points={shown?.price_change_7d} />
      </td>
      {owned !== undefined && (
        <td className="number owned-cell">
          <OwnedControl card={card} copies={owned.get(id)} />
        </td>
      )}
    </tr>
  )
}
