import type { Price } from '#client/endpoints.ts'
import { PriceChange } from '../components/price-change.tsx'
import { agoText, dateTimeText, usd } from '../format.ts'

/** Lists the current prices by printing, most expensive first. */
export function CardPrintings({ prices }: { prices: readonly Price[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
    <section className="table-frame printings" aria-label="Prices by printing" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Printing</th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className="number">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {prices.map((price) => (
            <tr key={price.printing}>
              <th scope="row">{price.printing}</th>
              <td className="number">
                <strong>{usd(price.market_price)}</strong>
              </td>
              <td className="number">{usd(price.low_price)}</td>
              <td className="number">{usd(price.median_price)}</td>
              <td className="number">
                <PriceChange points={price.price_change_24h} />
              </td>
              <td className="number">
                <PriceChange points={price.price_change_7d} />
              </td>
              <td className="number">
                <PriceChange points={price.price_change_30d} />
              </td>
              <td className="number soft">
                <time dateTime={price.last_updated_at} title={dateTimeText(price.last_updated_at)}>
                  {agoText(price.last_updated_at)}
                </time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const COLUMNS = ['Market', 'Low', 'Median', '24 h', '7 d', '30 d', 'Updated']
