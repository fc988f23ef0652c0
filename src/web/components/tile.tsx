import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { PricedCard } from '#client/endpoints.ts'
import { ORIGIN_MEMBERS } from '../pricing/price-origin.ts'
import { CardImage, cardImageUrl } from './card-image.tsx'
import { CardPrice, WeekChange } from './card-price.tsx'

type TileProps = { href: string; name: string; art: ReactNode; children?: ReactNode; fan?: boolean }

/** Image, if there is one, with text that links to one page. */
export function Tile({ href, name, art, children, fan = false }: TileProps) {
  return (
    <li className="tile">
      {art !== null && <div className={fan ? 'tile-art fan' : 'tile-art'}>{art}</div>}
      <div className="tile-text">
        <Link href={href}>{name}</Link>
        {children}
      </div>
    </li>
  )
}

/** Members of a card that a tile shows. */
const TILE_MEMBERS = [
  'id',
  'name',
  'number',
  'rarity',
  'image_url',
  'printing',
  'market_price',
  ...ORIGIN_MEMBERS,
  'prices',
] as const

/** Limits a list of the API to the members that tiles show. */
export const TILE_FIELDS = TILE_MEMBERS.join(',')

type CardTileProps = { card: Pick<PricedCard, (typeof TILE_MEMBERS)[number]> }

/** Card in a list: image, name and the price of its base printing. */
export function CardTile({ card }: CardTileProps) {
  return (
    <Tile
      href={`/cards/${card.id}`}
      name={card.name}
      art={<CardImage src={cardImageUrl(card)} name={card.name} size="small" />}
    >
      <p className="small soft">{[card.number, card.rarity].filter(Boolean).join(' · ')}</p>
      <CardPrice card={card}>
        <WeekChange card={card} />
      </CardPrice>
    </Tile>
  )
}
