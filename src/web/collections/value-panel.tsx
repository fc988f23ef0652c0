import type { CollectionSummary } from '#client/endpoints.ts'
import { type FactRow, Facts } from '../components/facts.tsx'
import { PriceChange } from '../components/price-change.tsx'
import { agoText, count, gainText, moneyText, plural } from '../format.ts'
import { conversionText } from '../pricing/price-origin.ts'
import { PriceText } from '../pricing/price-text.tsx'
import { amountOrigin } from './amounts.ts'
import { explainPrice } from './item-text.ts'

type ValuePanelProps = { summary: CollectionSummary; isWish: boolean }

/** Shows what a collection is worth, and the gain against the prices paid. */
export function ValuePanel({ summary, isWish }: ValuePanelProps) {
  const { value, computed_at, is_current, notes } = summary
  const origin = amountOrigin(summary)
  const conversion = conversionText(origin)
  return (
    <section className="panel value-panel" aria-label="Value">
      <div>
        <p className="price-large">
          <PriceText amount={value} origin={origin} />
        </p>
        <p className="small soft" role="status">
          {is_current
            ? `Valued ${agoText(computed_at)}`
            : `Being valued again; these values are from ${agoText(computed_at)}`}
        </p>
        {conversion !== undefined && <p className="small soft">{conversion}</p>}
      </div>
      <Facts className="value-facts" rows={isWish ? wishFacts(summary) : ownedFacts(summary)} />
      {notes.length > 0 && (
        <details className="fold wide">
          <summary>About these prices</summary>
          <ul className="small soft">
            {notes.map(({ note, items }) => (
              <li key={note}>
                {plural(items, 'item')}: {explainPrice([note]) ?? note}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
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
