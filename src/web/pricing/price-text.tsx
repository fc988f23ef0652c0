import type { PriceOrigin } from '#client/endpoints.ts'
import * as texts from '#texts/pricing/prices.ts'
import { moneyText } from '../format.ts'
import { conversionText } from './price-conversion.ts'

type PriceTextProps = {
  amount: number | null | undefined
  /** Without a currency, the amount is in US dollars. */
  origin: PriceOrigin | undefined
}

/** Price in its currency; a converted one is marked. */
export function PriceText({ amount, origin = {} }: PriceTextProps) {
  const text = moneyText(amount, origin.currency)
  const note = conversionText(origin)
  if (note === undefined || amount == null) return text
  return (
    <span title={note}>
      <span className="converted" aria-hidden="true">
        ≈
      </span>
      <span className="visually-hidden">{texts.about} </span>
      {text}
    </span>
  )
}
