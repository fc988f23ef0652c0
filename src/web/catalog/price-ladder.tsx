import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Price } from '#client/endpoints.ts'
import { Button } from '../components/button.tsx'
import { PanelSkeleton } from '../components/skeleton.tsx'
import { agoText, count, dateTimeText, moneyText, plural } from '../format.ts'
import { MarketPrice } from '../pricing/market-price.tsx'
import { MIRROR_SOURCE, sourceName } from '../pricing/price-origin.ts'
import { apiQuery } from '../query-client.ts'
import { readServiceState } from '../service-state.ts'
import { groupLadder, type LadderGroup, limitLadder, qualityText } from './ladder-rows.ts'

/** Rows that are shown at first. */
const ROWS = 12

type PriceLadderProps = {
  id: number
  /** Number of printings with a price in the page's currency, to reserve the space of the table. */
  printings: number
}

/** Lists all prices of a card by source, condition and grade. Hidden without further sources. */
export function PriceLadder({ id, printings }: PriceLadderProps) {
  const [isWhole, setWhole] = useState(false)
  // Known before any request, so that the page can reserve space for the table.
  const { sources } = readServiceState()
  const isEnabled = sources.length > 0
  const result = useQuery({
    ...apiQuery('/v1/cards/{id}/prices', {
      path: { id },
      query: { all: 'true', include: 'confidence' },
    }),
    enabled: isEnabled,
  })
  if (isEnabled && result.isPending) {
    return <LadderSkeleton rows={Math.min(ROWS, printings * (1 + sources.length))} />
  }
  const prices = [result.data?.data ?? []].flat()
  if (prices.every(({ source }) => source === MIRROR_SOURCE)) return null
  const groups = groupLadder(prices)
  const shown = isWhole ? groups : limitLadder(groups, ROWS)
  return (
    <section className="stack tight" aria-labelledby="ladder">
      <h2 id="ladder">All prices</h2>
      <p className="small soft">
        By source, condition and grade, each in the currency of its source.
      </p>
      <div className="table-frame ladder">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Condition</th>
              <th scope="col" className="wide-only">
                Source
              </th>
              <th scope="col" className="number">
                Market
              </th>
              <th scope="col" className="number wide-only">
                Low
              </th>
              <th scope="col" className="number wide-only">
                Sales
              </th>
              <th scope="col" className="number wide-only">
                Updated
              </th>
            </tr>
          </thead>
          {shown.map((group) => (
            <LadderRows key={group.printing} group={group} isNamed={groups.length > 1} />
          ))}
        </table>
      </div>
      {!isWhole && prices.length > ROWS && (
        <div>
          <Button onClick={() => setWhole(true)}>Show all {count(prices.length)} prices</Button>
        </div>
      )}
    </section>
  )
}

/** Reserves the space of the table until it is loaded. */
function LadderSkeleton({ rows }: { rows: number }) {
  return (
    <section className="stack tight">
      <h2>All prices</h2>
      <p className="small soft">
        By source, condition and grade, each in the currency of its source.
      </p>
      <PanelSkeleton lines={Array.from({ length: rows + 1 }, () => [90] as const)} />
    </section>
  )
}

type LadderRowsProps = { group: LadderGroup; isNamed: boolean }

/** Rows of a printing, below its name if there are several. */
function LadderRows({ group: { printing, prices }, isNamed }: LadderRowsProps) {
  return (
    <tbody>
      {isNamed && (
        <tr>
          <th scope="rowgroup" colSpan={6} className="small">
            {printing}
          </th>
        </tr>
      )}
      {prices.map((price) => (
        <LadderRow key={keyOf(price)} price={price} />
      ))}
    </tbody>
  )
}

function keyOf({ source, currency, condition, grade }: Price): string {
  return [source, currency, condition, grade].join(' ')
}

/** Price with its source. On a phone, everything except the amount is in the first cell. */
function LadderRow({ price }: { price: Price }) {
  const { source, currency, market_price, low_price, sale_count, last_updated_at: time } = price
  const name = sourceName(source ?? '')
  const updated = (
    <time dateTime={time} title={dateTimeText(time)}>
      {agoText(time)}
    </time>
  )
  return (
    <tr>
      <th scope="row">
        {qualityText(price)}
        <span className="narrow-only small soft">
          {name} · {sale_count == null ? '' : `${plural(sale_count, 'sale')} · `}
          {updated}
        </span>
      </th>
      <td className="wide-only soft">{name}</td>
      <td className="number">
        <strong>
          <MarketPrice price={price} />
        </strong>
        {market_price === null && low_price !== null && (
          <span className="narrow-only small soft">from {moneyText(low_price, currency)}</span>
        )}
      </td>
      <td className="number wide-only">{moneyText(low_price, currency)}</td>
      <td className="number wide-only">{sale_count == null ? '–' : count(sale_count)}</td>
      <td className="number wide-only soft">{updated}</td>
    </tr>
  )
}
