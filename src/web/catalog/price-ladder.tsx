import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Price } from '#client/endpoints.ts'
import * as texts from '#texts/catalog/card.ts'
import { Button } from '../components/button.tsx'
import { PanelSkeleton } from '../components/skeleton.tsx'
import { agoText, count, dateTimeText, moneyText } from '../format.ts'
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
      <h2 id="ladder">{texts.allPrices}</h2>
      <p className="small soft">{texts.ladderLead}</p>
      <div className="table-frame ladder">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{texts.condition}</th>
              <th scope="col" className="wide-only">
                {texts.source}
              </th>
              <th scope="col" className="number">
                {texts.market}
              </th>
              <th scope="col" className="number wide-only">
                {texts.low}
              </th>
              <th scope="col" className="number wide-only">
                {texts.sales}
              </th>
              <th scope="col" className="number wide-only">
                {texts.updated}
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
          <Button onClick={() => setWhole(true)}>
            {texts.showAllPrices(count(prices.length))}
          </Button>
        </div>
      )}
    </section>
  )
}

/** Reserves the space of the table until it is loaded. */
function LadderSkeleton({ rows }: { rows: number }) {
  return (
    <section className="stack tight">
      <h2>{texts.allPrices}</h2>
      <p className="small soft">{texts.ladderLead}</p>
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
          {name} · {sale_count == null ? '' : `${texts.saleCount(sale_count)} · `}
          {updated}
        </span>
      </th>
      <td className="wide-only soft">{name}</td>
      <td className="number">
        <strong>
          <MarketPrice price={price} />
        </strong>
        {market_price === null && low_price !== null && (
          <span className="narrow-only small soft">
            {texts.from(moneyText(low_price, currency))}
          </span>
        )}
      </td>
      <td className="number wide-only">{moneyText(low_price, currency)}</td>
      <td className="number wide-only">{sale_count == null ? '–' : count(sale_count)}</td>
      <td className="number wide-only soft">{updated}</td>
    </tr>
  )
}
