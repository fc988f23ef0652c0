import { useQuery } from '../hooks/use-query.ts'
import { HistoryPanel } from '../pricing/history-panel.tsx'
import { fetchHistory } from '../pricing/price-history.ts'

/** Maximum number of lines. Each line costs a request. */
const LINES_MAX = 5

type CardHistoryProps = {
  id: number
  /** Name of the card, for files. */
  name: string
  /** Most important first; undefined until loaded. */
  printings: readonly string[] | undefined
}

/** Charts the price history: one line per printing, with a readout and a table. */
export function CardHistory({ id, name, printings }: CardHistoryProps) {
  const shown = printings?.slice(0, LINES_MAX)
  const result = useQuery(shown && `history of ${id}`, (signal) =>
    fetchHistory(id, shown ?? [], signal),
  )
  const count = printings?.length ?? 0
  return (
    <HistoryPanel title="Price history" name={name} result={result} lines={shown?.length ?? 2}>
      {count > LINES_MAX && (
        <p className="small soft">
          Only {LINES_MAX} of {count} printings are shown.
        </p>
      )}
    </HistoryPanel>
  )
}
