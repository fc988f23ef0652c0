import { Link } from 'wouter'
import type { Mover } from '#client/endpoints.ts'
import { gainText } from '../format.ts'
import { MarketPrice } from '../pricing/market-price.tsx'
import { CardImage, cardImageUrl } from './card-image.tsx'
import { PriceChange } from './price-change.tsx'
import { Skeleton } from './skeleton.tsx'

/** Lists price movers by rank, each with one line of details. */
export function MoverList({ movers }: { movers: readonly Mover[] }) {
  if (movers.length === 0) return <p className="movers none soft">None.</p>
  return (
    <ol className="movers">
      {movers.map((mover) => (
        <MoverRow key={`${mover.card_id} ${mover.printing}`} mover={mover} />
      ))}
    </ol>
  )
}

function MoverRow({ mover }: { mover: Mover }) {
  const { card_id, name, number, set_name, game_name, printing } = mover
  return (
    <li className="mover">
      <span className="mover-art">
        <CardImage
          src={cardImageUrl({ id: card_id, image_url: mover.image_url })}
          name=""
          size="tiny"
        />
      </span>
      <span className="mover-text">
        <Link href={`/cards/${card_id}`}>{name}</Link>
        <span className="small soft">
          {[printing, number, set_name, game_name].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className="mover-price">
        <strong>
          <MarketPrice price={mover} />
        </strong>
        <span>
          <PriceChange points={mover.price_change} />{' '}
          <span className="soft">{gainText(mover.price_change_amount, mover.currency)}</span>
        </span>
      </span>
    </li>
  )
}

export function MoverSkeleton({ count = 10 }: { count?: number }) {
  return (
    <div className="movers" role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identical
        <div key={at} className="mover" aria-hidden="true">
          <span className="mover-art">
            <span className="art skeleton" />
          </span>
          <span className="mover-text">
            <Skeleton width="min(14rem, 80%)" />
            <Skeleton width="min(14rem, 60%)" />
          </span>
        </div>
      ))}
    </div>
  )
}
