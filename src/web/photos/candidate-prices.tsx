import { useState } from 'react'
import type { Candidate, Price } from '#client/endpoints.ts'
import { usePrices } from '../catalog/queries.ts'
import { Button } from '../components/button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { PriceChange } from '../components/price-change.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { usd } from '../format.ts'

type CandidateProps = { candidate: Candidate }

/** Lists the current prices by printing and marks the suggested one. */
export function PriceTable({ candidate, prices }: CandidateProps & { prices: readonly Price[] }) {
  if (prices.length === 0) return <p className="soft">No current listings.</p>
  return (
    <table className="candidate-prices">
      <caption className="visually-hidden">Prices of {candidate.name} by printing</caption>
      <thead>
        <tr>
          <th scope="col">Printing</th>
          <th scope="col">Market</th>
          <th scope="col">Lowest</th>
          <th scope="col">7 days</th>
        </tr>
      </thead>
      <tbody>
        {prices.map(({ printing, market_price, low_price, price_change_7d }) => (
          <tr key={printing} className={isSuggested(candidate, printing) ? 'suggested' : undefined}>
            <th scope="row">
              {printing}
              {isSuggested(candidate, printing) && <span className="tag good">In your photo</span>}
            </th>
            <td>{usd(market_price)}</td>
            <td>{usd(low_price)}</td>
            <td>
              <PriceChange points={price_change_7d} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
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
  const result = usePrices(isEnabled ? card_id : undefined)
  if (candidate.prices !== undefined) {
    return <PriceTable candidate={candidate} prices={candidate.prices} />
  }
  if (!isEnabled) {
    return (
      <Button onClick={() => setOpen(true)}>
        Show prices<span className="visually-hidden"> of {candidate.name}</span>
      </Button>
    )
  }
  if (result.state === 'failed')
    return <ErrorMessage error={result.error} onRetry={result.refetch} />
  if (result.state === 'loading') return <LineSkeleton count={2} />
  return <PriceTable candidate={candidate} prices={result.data} />
}

/** Returns the price of the suggested printing, else the price range. */
export function headlinePrice({ suggested_printing, prices = [] }: Candidate): string {
  const suggested = prices.find(({ printing }) => printing === suggested_printing)
  if (suggested !== undefined) return usd(suggested.market_price)
  const known = prices.flatMap(({ market_price }) => market_price ?? [])
  if (known.length === 0) return usd(undefined)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  return low === high ? usd(low) : `${usd(low)} – ${usd(high)}`
}

function isSuggested({ suggested_printing }: Candidate, printing: string): boolean {
  return printing === suggested_printing
}
