import type { Price } from '#client/endpoints.ts'
import { StatusMark } from '../components/status-mark.tsx'

/** Says in one word how reliable a market price is, and why not more. Nothing for a card without one. */
export function ConfidenceMark({ price }: { price: Price }) {
  const { confidence, confidence_reasons = [], market_price } = price
  if (confidence === undefined || market_price === null) return null
  const { state, word } = LEVELS[confidence]
  const reasons = confidence_reasons.flatMap((reason) => REASONS[reason] ?? [])
  return (
    <p className="small soft confidence">
      <StatusMark state={state} />
      {[word, ...(reasons.length === 0 ? [] : [reasons.join(', ')])].join(': ')}
    </p>
  )
}

const LEVELS = {
  high: { state: 'good', word: 'Reliable' },
  medium: { state: 'wait', word: 'Uncertain' },
  low: { state: 'bad', word: 'Unreliable' },
} as const

/** Texts of the reasons of the API (docs/guides/pricing/confidence.md). */
const REASONS: Readonly<Record<string, string>> = {
  no_listings: 'nobody offers this card now',
  low_above_market: 'the cheapest copy costs more',
  median_above_market: 'most copies cost far more',
  median_below_market: 'most copies are cheaper',
  low_far_below_market: 'one copy is far cheaper',
  sudden_change: 'it changed suddenly',
  few_sales: 'few copies were sold',
  unchanged: 'it has not changed for a month or more',
  outdated: 'it is old',
  other_source_differs: 'another market has a very different price',
}
