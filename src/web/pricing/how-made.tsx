import { Fragment } from 'react'
import { DOLLARS } from '../format.ts'
import { useCurrency } from './currency.ts'

/** Names of numbers, by their paragraph of the guide (docs/guides/pricing/numbers.md). */
const NUMBERS = {
  'market-price': 'market price',
  'low-price': 'low price',
  'median-price': 'median price',
  change: 'change',
  movers: 'movers',
  confidence: 'confidence',
  'base-printing': 'base printing',
  'value-of-a-set': 'value of a set',
  'value-of-a-collection': 'value of a collection',
  conversion: 'conversion',
} as const

type HowMadeProps = { of: readonly Exclude<keyof typeof NUMBERS, 'conversion'>[] }

/** Links the numbers that are shown beside it to the paragraphs that say how they are made. */
export function HowMade({ of }: HowMadeProps) {
  const { currency } = useCurrency()
  const numbers = currency === DOLLARS ? of : ([...of, 'conversion'] as const)
  return (
    <p className="small soft how-made">
      {numbers.length === 1 ? 'How it is made' : 'How these are made'}:{' '}
      {numbers.map((number, at) => (
        <Fragment key={number}>
          {at > 0 && ', '}
          <a href={`/guides/numbers#${number}`} target="_blank" rel="noopener">
            {NUMBERS[number]}
          </a>
        </Fragment>
      ))}
    </p>
  )
}
