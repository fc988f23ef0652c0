import type { Ref } from 'react'
import type { SearchResult } from '#client/endpoints.ts'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Tile } from '../components/tile.tsx'
import { usd } from '../format.ts'
import { moveTileFocus } from './grid-keys.ts'

type ResultsProps = {
  cards: readonly SearchResult[]
  /** Whether newer ones are on their way. */
  isOld: boolean
  list: Ref<HTMLUListElement>
  /** Called when the arrows lead back to the field. */
  onLeave: () => void
}

/** What was found, as tiles among which the arrows lead. */
export function ResultTiles({ cards, isOld, list, onLeave }: ResultsProps) {
  return (
    <ul
      ref={list}
      className={isOld ? 'tiles results old' : 'tiles results'}
      aria-label="Results"
      aria-busy={isOld}
      onKeyDown={(event) => moveTileFocus(event, onLeave)}
    >
      {cards.map((card, at) => (
        <ResultTile key={card.id} card={card} eager={at < 12} />
      ))}
    </ul>
  )
}

/** A card among those of many sets: it says which one it is of. */
function ResultTile({ card, eager }: { card: SearchResult; eager: boolean }) {
  return (
    <Tile
      href={`/cards/${card.id}`}
      name={card.name}
      art={<CardImage src={cardImageUrl(card)} name={card.name} size="small" eager={eager} />}
    >
      <p className="small soft">{card.set_name}</p>
      <p className="small soft">{[card.number, card.rarity].filter(Boolean).join(' · ')}</p>
      <p className="tile-price">{usd(card.market_price)}</p>
    </Tile>
  )
}

/** As many lines as a result has, in its place. */
export function ResultTilesSkeleton() {
  return (
    <div className="tiles" aria-hidden="true">
      {Array.from({ length: 12 }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bones are all alike
        <div key={at} className="tile">
          <div className="tile-art">
            <span className="art bone" />
          </div>
          <div className="tile-words">
            <Skeleton width="80%" />
            <Skeleton width="60%" />
            <Skeleton width="50%" />
            <Skeleton width="40%" height="1.6875rem" />
          </div>
        </div>
      ))}
    </div>
  )
}
