import type { Price } from '#client/endpoints.ts'
import * as texts from '#texts/catalog/card.ts'
import { sourceName } from '../pricing/price-origin.ts'

/** Prices of one printing, in the order in which they are shown. */
export type LadderGroup = { printing: string; prices: readonly Price[] }

/** Groups prices by printing: raw cards from the best condition down, then graded ones from the highest price. */
export function groupLadder(prices: readonly Price[]): LadderGroup[] {
  const byPrinting = Map.groupBy(prices, ({ printing }) => printing)
  return [...byPrinting].map(([printing, own]) => ({ printing, prices: own.toSorted(compareRows) }))
}

/** Limits groups to a number of prices. */
export function limitLadder(groups: readonly LadderGroup[], most: number): LadderGroup[] {
  let left = most
  return groups.flatMap(({ printing, prices }) => {
    const shown = prices.slice(0, left)
    left -= shown.length
    return shown.length === 0 ? [] : { printing, prices: shown }
  })
}

/** Names the condition or grade of a price. */
export function qualityText({ condition, grade }: Price): string {
  if (grade != null) return grade
  return condition == null ? texts.anyCondition : (CONDITION_NAMES.get(condition) ?? condition)
}

function compareRows(one: Price, other: Price): number {
  return (
    rankQuality(one) - rankQuality(other) ||
    (one.grade != null ? amountOf(other) - amountOf(one) : 0) ||
    sourceName(one.source ?? '').localeCompare(sourceName(other.source ?? ''))
  )
}

function amountOf({ market_price, low_price }: Price): number {
  return market_price ?? low_price ?? 0
}

function rankQuality({ condition, grade }: Price): number {
  if (grade != null) return CONDITION_NAMES.size + 1
  return condition == null ? CONDITION_NAMES.size : [...CONDITION_NAMES.keys()].indexOf(condition)
}

/** Names of conditions, the best one first. */
const CONDITION_NAMES: ReadonlyMap<string, string> = new Map([
  ['unopened', texts.unopened],
  ['near_mint', texts.nearMint],
  ['lightly_played', texts.lightlyPlayed],
  ['moderately_played', texts.moderatelyPlayed],
  ['heavily_played', texts.heavilyPlayed],
  ['damaged', texts.damaged],
])
