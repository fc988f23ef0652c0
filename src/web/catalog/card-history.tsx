import { useQuery } from '@tanstack/react-query'
import * as texts from '#texts/catalog/card.ts'
import { inCurrency } from '../pricing/currency.ts'
import { HistoryPanel } from '../pricing/history-panel.tsx'
import { fetchHistory } from '../pricing/price-history.ts'
import { defineQuery } from '../query-client.ts'
import { CardComparison, useComparedCards } from './card-comparison.tsx'

/** Maximum number of lines. Each line costs a request. */
const LINES_MAX = 5

type CardHistoryProps = {
  id: number
  /** Name of the card, for files. */
  name: string
  /** Most important first; undefined until loaded. */
  printings: readonly string[] | undefined
  currency: string
}

/** Charts the price history: one line per printing or compared card, with a readout and a table. */
export function CardHistory({ id, name, printings, currency }: CardHistoryProps) {
  const comparison = useComparedCards(id)
  const { lines: others } = comparison
  const own = printings?.slice(0, LINES_MAX - (others?.length ?? 0))
  const lines = own &&
    others && [...own.map((printing) => ({ id, printing, name: printing })), ...others]
  const result = useQuery({
    ...defineQuery(['/v1/cards/{id}/history', lines, currency], (signal) =>
      inCurrency(currency, (choice) => fetchHistory(lines ?? [], choice, signal)),
    ),
    enabled: lines !== undefined,
  })
  const count = printings?.length ?? 0
  return (
    <HistoryPanel
      title={texts.priceHistory}
      name={name}
      result={result}
      lines={lines?.length ?? 2}
      noun="price"
    >
      {own !== undefined && count > own.length && (
        <p className="small soft">{texts.onlyPrintings({ own: own.length, number: count })}</p>
      )}
      <CardComparison {...comparison} />
    </HistoryPanel>
  )
}
