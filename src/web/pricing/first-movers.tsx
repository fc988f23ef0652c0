import * as texts from '#texts/pricing/movers.ts'
import { firstChangesText } from './first-changes.ts'
import { OlderPrices } from './older-prices.tsx'
import { usePricesSince } from './price-source.tsx'

/** Says when the first movers are expected. Hidden if they are late. */
export function FirstMovers() {
  const text = firstChangesText('movers', usePricesSince(undefined), { period: '24h' })
  if (text === undefined) return null
  return (
    <section className="stack tight" aria-labelledby="moved">
      <h2 id="moved">{texts.movers}</h2>
      <p className="soft">{text}</p>
      <OlderPrices />
    </section>
  )
}
