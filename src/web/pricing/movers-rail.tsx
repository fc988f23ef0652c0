import { Link } from 'wouter'
import { api } from '../api.ts'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { PriceChange } from '../components/price-change.tsx'
import { TileSkeleton } from '../components/skeleton.tsx'
import { Tile } from '../components/tile.tsx'
import { usd } from '../format.ts'
import { useQuery } from '../hooks/use-query.ts'

/** Shows today’s risers, or those of the week if today has no movers. Hidden if the request fails. */
export function MoversRail() {
  const result = useQuery('rail', fetchTopMovers)
  if (result.state === 'failed' || result.data?.movers.length === 0) return null
  return (
    <section aria-labelledby="moved">
      <div className="rail-head">
        <h2 id="moved">{result.data?.period === '7d' ? 'This week’s movers' : 'Today’s movers'}</h2>
        <Link href={`/movers?period=${result.data?.period ?? '24h'}`}>All movers</Link>
      </div>
      <div className="rail">
        {result.data === undefined ? (
          <TileSkeleton count={COUNT} />
        ) : (
          <ul className="tiles">
            {result.data.movers.map((mover) => (
              <Tile
                key={`${mover.card_id} ${mover.printing}`}
                href={`/cards/${mover.card_id}`}
                name={mover.name}
                art={
                  <CardImage
                    src={cardImageUrl({ id: mover.card_id, image_url: mover.image_url })}
                    name={mover.name}
                    size="small"
                  />
                }
              >
                <p className="small soft">{mover.printing}</p>
                <p className="tile-price">
                  {usd(mover.market_price)}
                  <span className="small">
                    <PriceChange points={mover.price_change} />
                  </span>
                </p>
              </Tile>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

const COUNT = 8

async function fetchTopMovers(signal: AbortSignal) {
  for (const period of ['24h', '7d'] as const) {
    const query = { period, limit: COUNT }
    const { data: movers } = await api.get('/v1/prices/top-movers', { query, signal })
    if (movers.length > 0) return { period, movers }
  }
  return { period: '7d' as const, movers: [] }
}
