import { Fragment } from 'react'
import * as texts from '#texts/pricing/prices.ts'
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

const NAMES: Readonly<Record<MadeNumber | 'conversion', string>> = {
  'market-price': texts.marketPrice,
  'low-price': texts.lowPrice,
  'median-price': texts.medianPrice,
  change: texts.change,
  movers: texts.movers,
  confidence: texts.confidence,
  'base-printing': texts.basePrinting,
  'value-of-a-set': texts.valueOfASet,
  'value-of-a-collection': texts.valueOfACollection,
  conversion: texts.conversion,
}

/** Links the numbers that are shown beside it to the paragraphs that say how they are made. */
export function HowMade({ of }: { of: readonly MadeNumber[] }) {
  const { currency } = useCurrency()
  const numbers = currency === DOLLARS ? of : ([...of, 'conversion'] as const)
  return (
    <p className="small soft how-made">
      {texts.howMade({
        number: numbers.length,
        links: numbers.map((number, at) => (
          <Fragment key={number}>
            {at > 0 && ', '}
            <a href={`/guides/numbers#${number}`} target="_blank" rel="noopener">
              {NAMES[number]}
            </a>
          </Fragment>
        )),
      })}
    </p>
  )
}
