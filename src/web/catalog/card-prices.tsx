import type { Price } from '#client/endpoints.ts'
import * as texts from '#texts/catalog/card.ts'
import * as periods from '#texts/pricing/periods.ts'
import { PriceChange } from '../components/price-change.tsx'
import { type Column, Table } from '../components/table.tsx'
import { agoText, dateTimeText } from '../format.ts'
import { MarketPrice } from '../pricing/market-price.tsx'
import { PriceText } from '../pricing/price-text.tsx'

/** Lists the current prices by printing, in the given order. */
export function CardPrintings({ prices }: { prices: readonly Price[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
    <section className="table-frame printings" aria-label={texts.pricesByPrinting} tabIndex={0}>
      <Table columns={COLUMNS} rows={prices} keyOf={({ printing }) => printing} />
    </section>
  )
}

const COLUMNS: readonly Column<Price>[] = [
  [texts.printing, ({ printing }) => printing],
  [
    texts.market,
    (price) => (
      <strong>
        <MarketPrice price={price} />
      </strong>
    ),
    'number',
  ],
  [texts.low, (price) => <PriceText amount={price.low_price} origin={price} />, 'number'],
  [texts.median, (price) => <PriceText amount={price.median_price} origin={price} />, 'number'],
  [periods.hours24, (price) => <PriceChange points={price.price_change_24h} />, 'number'],
  [periods.days7, (price) => <PriceChange points={price.price_change_7d} />, 'number'],
  [periods.days30, (price) => <PriceChange points={price.price_change_30d} />, 'number'],
  [
    texts.updated,
    ({ last_updated_at: time }) => (
      <time dateTime={time} title={dateTimeText(time)}>
        {agoText(time)}
      </time>
    ),
    'number soft',
  ],
]
