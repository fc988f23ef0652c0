import type { ReactNode } from 'react'
import type { PricedCard } from '#client/endpoints.ts'
import { usd } from '../format.ts'

type CardPriceProps = { card: Pick<PricedCard, 'printing' | 'market_price'>; children?: ReactNode }

/** Price of a card in a list, with the printing that it is the price of. */
export function CardPrice({ card, children }: CardPriceProps) {
  return (
    <>
      <p className="tile-price">
        {usd(card.market_price)}
        {children}
      </p>
      <p className="small soft">{card.printing ?? '\u00a0'}</p>
    </>
  )
}
