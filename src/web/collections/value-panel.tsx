import type { CollectionSummary } from '#client/endpoints.ts'
import { type FactRow, Facts } from '../components/facts.tsx'
import { PriceChange } from '../components/price-change.tsx'
import { agoText, count, moneyText } from '../format.ts'
import { gainText } from '../pricing/change-text.ts'
import { recentDayText } from '../pricing/chart-text.ts'
import { HowMade } from '../pricing/how-made.tsx'
import { conversionText } from '../pricing/price-conversion.ts'
import { PriceText } from '../pricing/price-text.tsx'
import { amountOrigin } from './amounts.ts'
import { leftOutText, pricedOtherwise, unpricedText, ValueRemarks } from './value-remarks.tsx'

type ValuePanelProps = { summary: CollectionSummary; isWish: boolean }

/** Shows what a collection is worth, its change of the day, the gain against the prices paid, and what is not in them. */
export function ValuePanel({ summary, isWish }: ValuePanelProps) {
  const { value, computed_at, is_current } = summary
  const origin = amountOrigin(summary)
  const conversion = conversionText(origin)
  const remarks = [
    ...pricedOtherwise(summary),
    ...(isWish ? unpricedText(summary.unpriced) : leftOutText(summary)),
  ]
  return (
    <section className="panel value-panel" aria-label="Value">
      <div>
        <p className="price-large">
          <PriceText amount={value} origin={origin} />
        </p>
        <DayChange summary={summary} />
        <p className="small soft" role="status">
          {is_current
            ? `Valued ${agoText(computed_at)}`
            : `Being valued again; these values are from ${agoText(computed_at)}`}
        </p>
        {conversion !== undefined && <p className="small soft">{conversion}</p>}
      </div>
      <Facts className="value-facts" rows={isWish ? wishFacts(summary) : ownedFacts(summary)} />
      <ValueRemarks className="wide" remarks={remarks} />
      <HowMade of={['value-of-a-collection']} />
    </section>
  )
}

/** Change of the day of the newest prices, in money and percent. */
function DayChange({ summary }: { summary: CollectionSummary }) {
  const { change_date, change, change_percent, currency } = summary
  if (change_date === null) return null
  const today = new Date().toISOString().slice(0, 10)
  const day = change_date === today ? 'today' : `on ${recentDayText(change_date, today)}`
  return (
    <p className="day-change">
      <strong>{gainText(change, currency)}</strong>{' '}
      <PriceChange points={change_percent} over={day} />
    </p>
  )
}

function ownedFacts(summary: CollectionSummary): FactRow[] {
  const { items, copies, cost, gain, gain_percent, currency } = summary
  return [
    ['Items', count(items)],
    ['Copies', count(copies)],
    ['Price paid', moneyText(cost, currency)],
    [
      'Gain',
      <span key="gain" className="gain">
        {gainText(gain, currency)} {gain_percent !== null && <PriceChange points={gain_percent} />}
      </span>,
    ],
  ]
}

function wishFacts({ items, copies, reached }: CollectionSummary): FactRow[] {
  return [
    ['Items', count(items)],
    ['Copies', count(copies)],
    ['Targets reached', count(reached)],
  ]
}
