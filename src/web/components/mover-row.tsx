import { Link } from 'wouter'
import type { Mover, OwnedCopies } from '#client/endpoints.ts'
import * as texts from '#texts/components/controls.ts'
import { useOwnedCards } from '../collections/owned/owned-cards.ts'
import { OwnedMark } from '../collections/owned/owned-mark.tsx'
import { gainText } from '../pricing/change-text.ts'
import { MarketPrice } from '../pricing/market-price.tsx'
import { CardImage, cardImageUrl } from './card-image.tsx'
import { PriceChange } from './price-change.tsx'

/** Lists price movers by rank, each with one line of details. */
export function MoverList({ movers }: { movers: readonly Mover[] }) {
  const owned = useOwnedCards({ ids: movers.map(({ card_id }) => card_id) }).data
  if (movers.length === 0) return <p className="movers none soft">{texts.none}</p>
  return (
    <ol className="movers">
      {movers.map((mover) => (
        <MoverRow
          key={`${mover.card_id} ${mover.printing}`}
          mover={mover}
          copies={owned?.get(mover.card_id)}
        />
      ))}
    </ol>
  )
}

type MoverRowProps = { mover: Mover; copies: readonly OwnedCopies[] | undefined }

function MoverRow({ mover, copies }: MoverRowProps) {
  const { card_id, name, number, set_name, game_name, printing } = mover
  return (
    <li className="mover">
      <span className="mover-art">
        <CardImage
          src={cardImageUrl({ id: card_id, image_url: mover.image_url })}
          face={mover}
          size="tiny"
        />
      </span>
      <span className="mover-text">
        <span>
          <Link href={`/cards/${card_id}`}>{name}</Link>
          <OwnedMark copies={copies} />
        </span>
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
