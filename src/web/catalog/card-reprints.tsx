import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Card, PricedCard } from '#client/endpoints.ts'
import { type Column, Table } from '../components/table.tsx'
import { CardMarketPrice } from '../components/tile.tsx'
import { plural } from '../format.ts'
import { ORIGIN_MEMBERS } from '../pricing/price-origin.ts'
import { apiQuery } from '../query-client.ts'

/** Lists the cards of the same name, newest set first. Hidden if there is nothing to list. */
export function CardReprints({ card, currency }: { card: Card; currency: string }) {
  const { id, name, game_slug } = card
  const query = { per_page: ROWS, fields: FIELDS, include: 'confidence', currency }
  const result = useQuery(apiQuery('/v1/cards/{id}/reprints', { path: { id }, query }))
  const reprints = result.data
  if (reprints === undefined || reprints.meta.total === 0) return null
  const more = reprints.meta.total - reprints.data.length
  return (
    <section className="panel stack tight reprints" aria-labelledby="reprints">
      <h2 id="reprints">Same card in other sets</h2>
      <Table columns={COLUMNS} rows={reprints.data} keyOf={(one) => one.id} />
      {more > 0 && (
        <Link href={`/search?${new URLSearchParams({ q: name, game: game_slug, sort: 'newest' })}`}>
          {plural(more, 'more card')}
        </Link>
      )}
    </section>
  )
}

const ROWS = 8
const MEMBERS = [
  'id',
  'set_name',
  'number',
  'rarity',
  'printing',
  'market_price',
  ...ORIGIN_MEMBERS,
  'prices',
] as const
const FIELDS = MEMBERS.join(',')

const COLUMNS: readonly Column<Pick<PricedCard, (typeof MEMBERS)[number]>>[] = [
  ['Set', ({ id, set_name }) => <Link href={`/cards/${id}`}>{set_name}</Link>],
  ['Number', ({ number }) => number, 'soft wide-only'],
  ['Rarity', ({ rarity }) => rarity, 'soft wide-only'],
  ['Printing', ({ printing }) => printing, 'soft wide-only'],
  [
    'Market',
    (card) => (
      <strong>
        <CardMarketPrice card={card} />
      </strong>
    ),
    'number',
  ],
]
