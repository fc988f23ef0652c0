import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { PricedCard, PriceOrigin } from '#client/endpoints.ts'
import { ORIGIN_MEMBERS } from '../pricing/price-origin.ts'
import { PriceText } from '../pricing/price-text.tsx'
import { CardImage, cardImageUrl } from './card-image.tsx'
import { PriceChange } from './price-change.tsx'

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

type CardPriceProps = {
  card: Pick<PricedCard, 'printing' | 'market_price'> & PriceOrigin
  children?: ReactNode
}

/** Price of a card in a list, with its printing. */
export function CardPrice({ card, children }: CardPriceProps) {
  return (
    <>
      <p className="tile-price">
        <PriceText amount={card.market_price} origin={card} />
        {children}
      </p>
      <p className="small soft">{card.printing ?? '\u00a0'}</p>
    </>
  )
}

type WeekChangeProps = { card: Pick<PricedCard, 'printing' | 'prices'> }

/** Change of a listed price in a week, if it is known. */
export function WeekChange({ card }: WeekChangeProps) {
  const shown = card.prices.find(({ printing }) => printing === card.printing)
  if (typeof shown?.price_change_7d !== 'number') return null
  return (
    <span className="small">
      <PriceChange points={shown.price_change_7d} over="7 d" />
    </span>
  )
}
