import type { Freshness } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { useQuery } from '../hooks/use-query.ts'
import { refreshInterval } from './refresh-interval.ts'

/** States the source of a game's prices in one line. */
export function PriceSource({ game }: { game: string | undefined }) {
  const meta = useQuery('meta', (signal) => api.get('/v1/meta', { signal }))
  if (meta.state === 'failed') return null
  const source = meta.data?.data
  return (
    <p className="small soft">
      {source === undefined || game === undefined ? '\u00a0' : sourceText(source, game)}
    </p>
  )
}

function sourceText({ games, price_source }: Freshness, slug: string): string {
  const { marketplace, currency, mirror } = price_source
  const game = games.find((one) => one.slug === slug)
  if (game?.is_sample) return `Invented prices of the sample, in ${currency}.`
  const prices = `Market prices of ${marketplace} in ${currency}`
  if (mirror === null || game === undefined) return `${prices}.`
  return `${prices}, from ${mirror}, updated ${refreshInterval(game.priority)}.`
}
