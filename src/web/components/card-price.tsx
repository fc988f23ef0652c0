import type { ReactNode } from 'react'
import type { PricedCard, PriceOrigin } from '#client/endpoints.ts'
import { PriceText } from '../pricing/price-text.tsx'
import { PriceChange } from './price-change.tsx'

type CardPriceProps = {
  card: Pick<PricedCard, 'printing' | 'market_price'> & PriceOrigin
  children?: ReactNode
}

/** Price of a card in a list, with the printing that it is the price of. */
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
