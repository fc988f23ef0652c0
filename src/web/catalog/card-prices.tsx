import type { Price } from '#client/endpoints.ts'
import { PriceChange } from '../components/price-change.tsx'
import { type Column, Table } from '../components/table.tsx'
import { agoText, dateTimeText } from '../format.ts'
import { MarketPrice } from '../pricing/market-price.tsx'
import { PriceText } from '../pricing/price-text.tsx'

/** Compares the market price of each printing with the sellers' asking prices. */
export function PriceBars({ prices }: { prices: readonly Price[] }) {
  const shown = prices.filter((price) => pricesOf(price).every(([, amount]) => amount !== null))
  if (shown.length === 0) return null
  return (
    <section className="panel stack tight" aria-labelledby="spread">
      <h2 id="spread">Market, median and low</h2>
      <p className="small soft">
        Market is what the card sold for lately. Median and low are what sellers ask now. A low
        price far below market is often a worn or damaged card; one above it means that few are for
        sale.
      </p>
      <div className="price-bars">
        {shown.slice(0, PRINTINGS_MAX).map((price) => (
          <PrintingBars key={price.printing} price={price} />
        ))}
      </div>
    </section>
  )
}

const PRINTINGS_MAX = 6

function PrintingBars({ price }: { price: Price }) {
  const rows = pricesOf(price)
  const highest = Math.max(...rows.map(([, amount]) => amount ?? 0))
  return (
    <section aria-label={price.printing}>
      <h3 className="small">{price.printing}</h3>
      <dl>
        {rows.map(([name, amount]) => (
          <div key={name} className="price-bar">
            <dt className="small soft">{name}</dt>
            <dd>
              <span className="price-bar-track" aria-hidden="true">
                <span style={{ width: `${((amount ?? 0) / highest) * 100}%` }} />
              </span>
              <span className="small">
                <PriceText amount={amount} origin={price} />
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function pricesOf({ market_price, median_price, low_price }: Price) {
  return [
    ['Market', market_price],
    ['Median', median_price],
    ['Low', low_price],
  ] as const
}

/** Lists the current prices by printing, in the given order. */
export function CardPrintings({ prices }: { prices: readonly Price[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
    <section className="table-frame printings" aria-label="Prices by printing" tabIndex={0}>
      <Table columns={COLUMNS} rows={prices} keyOf={({ printing }) => printing} />
    </section>
  )
}

const COLUMNS: readonly Column<Price>[] = [
  ['Printing', ({ printing }) => printing],
  [
    'Market',
    (price) => (
      <strong>
        <MarketPrice price={price} />
      </strong>
    ),
    'number',
  ],
  ['Low', (price) => <PriceText amount={price.low_price} origin={price} />, 'number'],
  ['Median', (price) => <PriceText amount={price.median_price} origin={price} />, 'number'],
  ['24 h', (price) => <PriceChange points={price.price_change_24h} />, 'number'],
  ['7 d', (price) => <PriceChange points={price.price_change_7d} />, 'number'],
  ['30 d', (price) => <PriceChange points={price.price_change_30d} />, 'number'],
  [
    'Updated',
    ({ last_updated_at: time }) => (
      <time dateTime={time} title={dateTimeText(time)}>
        {agoText(time)}
      </time>
    ),
    'number soft',
  ],
]
