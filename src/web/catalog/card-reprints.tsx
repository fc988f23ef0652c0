import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Card, PricedCard } from '#client/endpoints.ts'
import * as texts from '#texts/catalog/card.ts'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { type Column, Table } from '../components/table.tsx'
import { ORIGIN_MEMBERS } from '../pricing/price-origin.ts'
import { apiQuery } from '../query-client.ts'
import { CardMarketPrice } from './card-tile.tsx'

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
      <h2 id="reprints">{texts.otherCardsNamed(name)}</h2>
      <p className="small soft">{texts.reprintsLead}</p>
      <Table columns={COLUMNS} rows={reprints.data} keyOf={(one) => one.id} />
      {more > 0 && (
        <Link href={`/search?${new URLSearchParams({ q: name, game: game_slug, sort: 'newest' })}`}>
          {texts.moreCardCount(more)}
        </Link>
      )}
    </section>
  )
}

const ROWS = 8
const MEMBERS = [
  'id',
  'name',
  'set_name',
  'game_slug',
  'image_url',
  'number',
  'rarity',
  'printing',
  'market_price',
  ...ORIGIN_MEMBERS,
  'prices',
] as const
const FIELDS = MEMBERS.join(',')

const COLUMNS: readonly Column<Pick<PricedCard, (typeof MEMBERS)[number]>>[] = [
  [
    texts.set,
    (card) => (
      <span className="reprint">
        <span className="reprint-art">
          <CardImage src={cardImageUrl(card)} face={card} size="tiny" />
        </span>
        <Link href={`/cards/${card.id}`}>{card.set_name}</Link>
      </span>
    ),
  ],
  [texts.number, ({ number }) => number, 'soft wide-only'],
  [texts.rarity, ({ rarity }) => rarity, 'soft wide-only'],
  [texts.printing, ({ printing }) => printing, 'soft wide-only'],
  [
    texts.market,
    (card) => (
      <strong>
        <CardMarketPrice card={card} />
      </strong>
    ),
    'number',
  ],
]
