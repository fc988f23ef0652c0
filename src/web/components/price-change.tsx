import { percentChangeText } from '../pricing/change-text.ts'

type PriceChangeProps = { points: number | null | undefined; over?: string }

/** Price change in percent. The arrow makes it readable without color. */
export function PriceChange({ points, over }: PriceChangeProps) {
  if (points === null || points === undefined) {
    return <span className="soft">–</span>
  }
  const direction = points > 0 ? 'up' : points < 0 ? 'down' : 'flat'
  return (
    <span className={`change ${direction}`}>
      <span aria-hidden="true">{{ up: '▲ ', down: '▼ ', flat: '' }[direction]}</span>
      {percentChangeText(points)}
      {over !== undefined && <span className="soft small"> {over}</span>}
    </span>
  )
}
