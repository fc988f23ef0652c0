import { useState } from 'react'
import type { Candidate, Price } from '#client/endpoints.ts'
import * as texts from '#texts/photos/candidates.ts'
import { usePrices } from '../catalog/queries.ts'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { PriceChange } from '../components/price-change.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { DOLLARS } from '../format.ts'
import { useCurrency } from '../pricing/currency.ts'
import { HowMade } from '../pricing/how-made.tsx'
import { MarketPrice } from '../pricing/market-price.tsx'
import { priceText } from '../pricing/price-conversion.ts'
import { PriceText } from '../pricing/price-text.tsx'
import { hidden } from '../texts/rich-text.ts'

type CandidateProps = { candidate: Candidate }

/** Lists the current prices by printing and marks the suggested one. */
function PriceTable({ candidate, prices }: CandidateProps & { prices: readonly Price[] }) {
  if (prices.length === 0) return <p className="soft">{texts.noCurrentListings}</p>
  return (
    <>
      <table className="candidate-prices">
        <caption className="visually-hidden">{texts.pricesOfByPrinting(candidate.name)}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.printing}</th>
            <th scope="col">{texts.market}</th>
            <th scope="col">{texts.lowest}</th>
            <th scope="col">{texts.in7Days}</th>
          </tr>
        </thead>
        <tbody>
          {prices.map((price) => (
            <PriceRow
              key={price.printing}
              price={price}
              isSuggested={isSuggested(candidate, price.printing)}
            />
          ))}
        </tbody>
      </table>
      <HowMade of={['market-price', 'low-price', 'change']} />
    </>
  )
}

function PriceRow({ price, isSuggested }: { price: Price; isSuggested: boolean }) {
  return (
    <tr className={isSuggested ? 'suggested' : undefined}>
      <th scope="row">
        {price.printing}
        {isSuggested && <span className="tag good">{texts.inYourPhoto}</span>}
      </th>
      <td>
        <MarketPrice price={price} />
      </td>
      <td>
        <PriceText amount={price.low_price} origin={price} />
      </td>
      <td>
        <PriceChange points={price.price_change_7d} />
      </td>
    </tr>
  )
}

/**
 * Returns a candidate with its prices in the chosen currency; with the prices of the photo's response until those are
 * loaded.
 */
export function usePricedCandidate(candidate: Candidate): Candidate {
  const { currency } = useCurrency()
  const isOther =
    candidate.prices?.some((price) => (price.currency ?? DOLLARS) !== currency) ?? false
  const result = usePrices(isOther ? candidate.card_id : undefined, currency)
  return isOther && result.data !== undefined ? { ...candidate, prices: result.data } : candidate
}

/**
 * Shows the prices of a candidate. Fetching them costs a request, so it waits for a click.
 *
 * @param isWanted fetches at once
 */
export function CandidatePrices({ candidate, isWanted }: CandidateProps & { isWanted: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { card_id } = candidate
  const isEnabled = candidate.prices === undefined && (isOpen || isWanted)
  const { currency } = useCurrency()
  const result = usePrices(isEnabled ? card_id : undefined, currency)
  if (candidate.prices !== undefined) {
    return <PriceTable candidate={candidate} prices={candidate.prices} />
  }
  if (!isEnabled) {
    return (
      <Button onClick={() => setOpen(true)}>
        {texts.showPricesOf({
          name: candidate.name,
          span: hidden,
        })}
      </Button>
    )
  }
  if (result.isError) return <QueryError query={result} />
  if (result.isPending) return <LineSkeleton count={2} />
  return <PriceTable candidate={candidate} prices={result.data} />
}

/** Returns the price of the suggested printing, otherwise the price range. */
export function headlinePrice({ suggested_printing, prices = [] }: Candidate): string {
  const suggested = prices.find(({ printing }) => printing === suggested_printing)
  if (suggested !== undefined) return priceText(suggested.market_price, suggested)
  const known = prices
    .flatMap((price) => (price.market_price === null ? [] : { ...price, at: price.market_price }))
    .sort((one, other) => one.at - other.at)
  const [low, high] = [known[0], known.at(-1)].map((price) => priceText(price?.at, price))
  return low === high ? `${low}` : `${low} – ${high}`
}

function isSuggested({ suggested_printing }: Candidate, printing: string): boolean {
  return printing === suggested_printing
}
