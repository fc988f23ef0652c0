import { Link } from 'wouter'
import type { CollectionSummary } from '#client/endpoints.ts'
import * as texts from '#texts/collections/value.ts'
import { PriceChange } from '../components/price-change.tsx'
import { gainText } from '../pricing/change-text.ts'

type Mover = CollectionSummary['best'][number]

/** Shows the items whose value rose and fell most within seven days. Hidden if there is nothing to list. */
export function CollectionMovers({ summary }: { summary: CollectionSummary }) {
  const { best, worst, currency } = summary
  if (best.length === 0 && worst.length === 0) return null
  return (
    <section className="stack tight" aria-labelledby="movers">
      <h2 id="movers">{texts.moversOf7Days}</h2>
      <div className="mover-columns">
        <MoverColumn name={texts.best} movers={best} currency={currency} />
        <MoverColumn name={texts.worst} movers={worst} currency={currency} />
      </div>
    </section>
  )
}

type MoverColumnProps = { name: string; movers: readonly Mover[]; currency: string }

function MoverColumn({ name, movers, currency }: MoverColumnProps) {
  return (
    <section aria-label={name}>
      <h3>{name}</h3>
      {movers.length === 0 ? (
        <p className="movers none soft">{texts.none}</p>
      ) : (
        <ol className="movers">
          {movers.slice(0, SHOWN).map((mover) => (
            <li key={mover.item_id} className="mover plain">
              <span className="mover-text">
                <Link href={`/cards/${mover.card_id}`}>{mover.name}</Link>
                <span className="small soft">
                  {[mover.printing, mover.set_name, texts.copyCount(mover.quantity)]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              <span className="mover-price">
                <strong>{gainText(mover.change, currency)}</strong>
                <PriceChange points={mover.change_percent} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

const SHOWN = 5
