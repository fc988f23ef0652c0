import type { ReactNode } from 'react'
import type { Price, PricedCard, PriceOrigin } from '#client/endpoints.ts'
import * as periods from '#texts/pricing/periods.ts'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { PriceChange } from '../components/price-change.tsx'
import { Tile } from '../components/tile.tsx'
import { MarketPrice } from '../pricing/market-price.tsx'
import { ORIGIN_MEMBERS } from '../pricing/price-origin.ts'

/** Members of a card that a tile shows. */
const TILE_MEMBERS = [
  'id',
  'name',
  'number',
  'rarity',
  'image_url',
  'game_slug',
  'printing',
  'market_price',
  ...ORIGIN_MEMBERS,
  'prices',
] as const

/** Limits a list of the API to the members that tiles show. */
export const TILE_FIELDS = TILE_MEMBERS.join(',')

type CardTileProps = {
  card: Pick<PricedCard, (typeof TILE_MEMBERS)[number]>
  /** Name or code of its set. */
  set: string | undefined
  /** Further controls over the image. */
  over?: ReactNode
  className?: string | undefined
}

/** Card in a list: image, name and the price of its base printing. */
export function CardTile({ card, set, over, className }: CardTileProps) {
  return (
    <Tile
      href={`/cards/${card.id}`}
      name={card.name}
      art={<CardImage src={cardImageUrl(card)} face={{ ...card, set_name: set }} size="small" />}
      over={over}
      className={className}
    >
      <p className="small soft">{[card.number, card.rarity].filter(Boolean).join(' · ')}</p>
      <CardPrice card={card}>
        <WeekChange card={card} />
      </CardPrice>
    </Tile>
  )
}

type ListedCard = Pick<PricedCard, 'printing' | 'market_price' | 'prices'> & PriceOrigin

type CardPriceProps = { card: ListedCard; children?: ReactNode }

/** Price of a card in a list, with its printing. */
export function CardPrice({ card, children }: CardPriceProps) {
  return (
    <>
      <p className="tile-price">
        <CardMarketPrice card={card} />
        {children}
      </p>
      <p className="small soft">{card.printing ?? '\u00a0'}</p>
    </>
  )
}

/** Market price of a card in a list, with the mark of the printing that it is of. */
export function CardMarketPrice({ card }: { card: ListedCard }) {
  return <MarketPrice price={card} rating={findShownPrice(card)} />
}

type WeekChangeProps = { card: Pick<PricedCard, 'printing' | 'prices'> }

/** Returns the price of the printing that stands for a card in a list. */
export function findShownPrice({ prices, printing }: WeekChangeProps['card']): Price | undefined {
  return prices.find((price) => price.printing === printing)
}

/** Change of a listed price in a week, if it is known. */
export function WeekChange({ card }: WeekChangeProps) {
  const shown = findShownPrice(card)
  if (typeof shown?.price_change_7d !== 'number') return null
  return (
    <span className="small">
      <PriceChange points={shown.price_change_7d} over={periods.days7} />
    </span>
  )
}
