import { Fragment } from 'react'
import { DOLLARS } from '../format.ts'
import { useCurrency } from './currency.ts'

/** A number, by the anchor of its paragraph in the guide (docs/guides/pricing/numbers.md), which has its name. */
type MadeNumber =
  | 'market-price'
  | 'low-price'
  | 'median-price'
  | 'change'
  | 'movers'
  | 'confidence'
  | 'base-printing'
  | 'value-of-a-set'
  | 'value-of-a-collection'

/** Links the numbers that are shown beside it to the paragraphs that say how they are made. */
export function HowMade({ of }: { of: readonly MadeNumber[] }) {
  const { currency } = useCurrency()
  const numbers = currency === DOLLARS ? of : [...of, 'conversion']
  return (
    <p className="small soft how-made">
      How {numbers.length === 1 ? 'it is' : 'these are'} made:{' '}
      {numbers.map((number, at) => (
        <Fragment key={number}>
          {at > 0 && ', '}
          <a href={`/guides/numbers#${number}`} target="_blank" rel="noopener">
            {number.replaceAll('-', ' ')}
          </a>
        </Fragment>
      ))}
    </p>
  )
}
