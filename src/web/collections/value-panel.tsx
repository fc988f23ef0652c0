import type { CollectionSummary } from '#client/endpoints.ts'
import * as texts from '#texts/collections/value.ts'
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
    <section className="panel value-panel" aria-label={texts.value}>
      <div>
        <p className="price-large">
          <PriceText amount={value} origin={origin} />
        </p>
        <DayChange summary={summary} />
        <p className="small soft" role="status">
          {is_current
            ? texts.valued(agoText(computed_at))
            : texts.beingValuedAgain(agoText(computed_at))}
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
  const day = change_date === today ? texts.today : texts.onDay(recentDayText(change_date, today))
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
    [texts.items, count(items)],
    [texts.copies, count(copies)],
    [texts.pricePaid, moneyText(cost, currency)],
    [
      texts.gain,
      <span key="gain" className="gain">
        {gainText(gain, currency)} {gain_percent !== null && <PriceChange points={gain_percent} />}
      </span>,
    ],
  ]
}

function wishFacts({ items, copies, reached }: CollectionSummary): FactRow[] {
  return [
    [texts.items, count(items)],
    [texts.copies, count(copies)],
    [texts.targetsReached, count(reached)],
  ]
}
