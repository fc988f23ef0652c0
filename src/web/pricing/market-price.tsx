import type { Price, PriceOrigin } from '#client/endpoints.ts'
import * as texts from '#texts/pricing/prices.ts'
import { StatusMark } from '../components/status-mark.tsx'
import { PriceText } from './price-text.tsx'

type MarketPriceProps = {
  price: (PriceOrigin & Pick<Price, 'market_price' | 'confidence'>) | undefined
  /** Price that states the confidence; that of the price itself by default. */
  rating?: Pick<Price, 'confidence'> | undefined
}

/** Market price in its currency, with a mark if it is of low confidence. */
export function MarketPrice({ price, rating = price }: MarketPriceProps) {
  const isUnreliable = rating?.confidence === 'low' && price?.market_price != null
  return (
    <>
      <PriceText amount={price?.market_price} origin={price} />
      {isUnreliable && <UnreliableMark />}
    </>
  )
}

/** Mark beside a price of low confidence. */
export function UnreliableMark() {
  return (
    <span className="unreliable" title={texts.unreliablePrice}>
      <StatusMark state="bad" />
      <span className="visually-hidden">{texts.unreliable}</span>
    </span>
  )
}

/** Says how much of a total is of low confidence; nothing if none is. */
export function UnreliablePart({ amount, origin }: { amount: number; origin: PriceOrigin }) {
  if (amount === 0) return null
  return <>{texts.atUnreliablePrices(<PriceText amount={amount} origin={origin} />)}</>
}
