import * as texts from '#texts/pricing/prices.ts'
import { useSession } from '../session.ts'

/** Offers operators to import the prices of earlier days. */
export function OlderPrices() {
  const { me } = useSession()
  if (me?.is_operator !== true) return null
  return (
    <a className="button small" href="/operator#older-prices">
      {texts.importOlderPrices}
    </a>
  )
}
