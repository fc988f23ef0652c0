import { useQuery } from '@tanstack/react-query'
import type { Freshness, Price } from '#client/endpoints.ts'
import * as texts from '#texts/pricing/prices.ts'
import { apiQuery } from '../query-client.ts'
import { firstChangesText } from './first-changes.ts'
import { MIRROR_SOURCE, sourceName } from './price-origin.ts'

/** Fetches the state of the data; views share one request. */
export function useFreshness() {
  return useQuery(apiQuery('/v1/meta'))
}

/** Returns the day of the first price of a game, or of all games; undefined while it is not known. */
export function usePricesSince(game: string | undefined): string | null | undefined {
  const games = useFreshness().data?.data.games.filter(({ slug }) => slug === (game ?? slug))
  if (games === undefined) return undefined
  return games.flatMap(({ prices_since }) => prices_since ?? []).toSorted()[0] ?? null
}

type PriceSourceProps = { game: string | undefined; prices: readonly Price[] }

/** States the sources of a card's prices in one line. */
export function PriceSource({ game, prices }: PriceSourceProps) {
  const meta = useFreshness()
  if (meta.isError) return null
  const source = meta.data?.data
  return (
    <p className="small soft">
      {source === undefined || game === undefined
        ? '\u00a0'
        : sourceTexts(source, game, prices).join(' ')}
    </p>
  )
}

/** Describes each source that has a price of the card. */
function sourceTexts(freshness: Freshness, game: string, prices: readonly Price[]): string[] {
  const known = prices.filter(({ source }) => source !== null)
  const isOfMirror = ({ source }: Price) => source === undefined || source === MIRROR_SOURCE
  const others = known.filter((price) => !isOfMirror(price))
  const names = [
    ...new Set(
      others.map(({ source, currency }) =>
        texts.sourceIn({ source: sourceName(source ?? ''), currency }),
      ),
    ),
  ]
  return [
    ...names.map((name) => texts.pricesOf(name)),
    ...(known.some(isOfMirror) || known.length === 0 ? [mirrorText(freshness, game)] : []),
    ...(known.some(({ converted }) => converted) ? [texts.convertedWithTheReference] : []),
    ...firstChanges(freshness, game),
  ]
}

/** Says when the first changes of prices are expected. */
function firstChanges({ games }: Freshness, slug: string): string[] {
  const since = games.find((one) => one.slug === slug)?.prices_since
  const text = firstChangesText('changes', since, { period: '24h' })
  return text === undefined ? [] : [text]
}

function mirrorText({ games, price_source }: Freshness, slug: string): string {
  const { marketplace, currency } = price_source
  const game = games.find((one) => one.slug === slug)
  if (game?.is_sample) return texts.fictionalPricesOfTheSample(currency)
  if (game === undefined) return texts.marketPrices({ marketplace, currency })
  const interval = refreshInterval(game.priority)
  return texts.updatedPrices({ marketplace, currency, interval })
}

/** Returns the interval at which a game is refreshed, by its priority. */
export function refreshInterval(priority: number): string {
  return REFRESH_INTERVALS[priority] ?? texts.weekly
}

const REFRESH_INTERVALS: Readonly<Record<number, string>> = {
  3: texts.daily,
  2: texts.every3Days,
  1: texts.every4Days,
}
