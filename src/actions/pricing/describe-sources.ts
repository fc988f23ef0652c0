import type { Deps } from '#deps.ts'
import { listCurrencies } from '#rules/pricing/price-view.ts'
import { formatDate } from '#rules/primitives/days.ts'

/** Describes further sources of prices, and the currencies that a request can choose; undefined without any. */
export function describeSources({ catalog }: Pick<Deps, 'catalog'>) {
  const slugs = new Map(catalog.games.listFreshness().map(({ id, slug }) => [id, slug]))
  const states = catalog.sources.prices.listSources()
  const sources = states.map(({ source, game_id, published_at, stale_since, failure }) => ({
    source,
    game: slugs.get(game_id) ?? null,
    published_at: published_at === null ? null : new Date(published_at * 1000).toISOString(),
    stale: stale_since !== null,
    reason: failure,
  }))
  const available = listAvailableCurrencies({ catalog })
  const day = catalog.sources.rates.getNewestDay()
  const currencies = { available, rate_date: day === undefined ? null : formatDate(day) }
  return {
    ...(sources.length > 0 && { sources }),
    ...(available.length > 1 && { currencies }),
  }
}

/** Lists the currencies that a request can choose, in alphabetical order. */
export function listAvailableCurrencies({ catalog }: Pick<Deps, 'catalog'>): string[] {
  return listCurrencies({
    lists: catalog.sources.prices.listPriceLists(),
    convertible: catalog.sources.rates.listCurrencies(),
  })
}
