import type { Ref } from 'react'
import type { OwnedCopies } from '#client/endpoints.ts'
import * as texts from '#texts/search/search.ts'
import { CardPrice, WeekChange } from '../catalog/card-tile.tsx'
import { useOwnedCards } from '../collections/owned/owned-cards.ts'
import { OwnedControl } from '../collections/owned/owned-control.tsx'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Tile } from '../components/tile.tsx'
import { MarketPrice } from '../pricing/market-price.tsx'
import { moveTileFocus } from './grid-keys.ts'
import type { ResultView } from './result-view.ts'
import { otherMatchedPrice, type ShownResult } from './shown-results.ts'

type ResultsProps = {
  cards: readonly ShownResult[]
  view: ResultView
  /** True while newer results load. */
  isStale: boolean
  list: Ref<HTMLUListElement>
  /** Called when the arrow keys leave the grid. */
  onLeave: () => void
}

/** Grid or rows of results with arrow key navigation. */
export function ResultTiles({ cards, view, isStale, list, onLeave }: ResultsProps) {
  const owned = useOwnedCards({ ids: cards.map(({ id }) => id) }).data
  return (
    <ul
      ref={list}
      className={`tiles results ${view === 'rows' ? 'rows' : ''} ${isStale ? 'stale' : ''}`}
      aria-label={texts.results}
      aria-busy={isStale}
      onKeyDown={(event) => moveTileFocus(event, onLeave)}
    >
      {cards.map((card) => (
        <ResultTile key={card.id} card={card} copies={owned?.get(card.id)} />
      ))}
    </ul>
  )
}

/** Shows a result with its set, and the price of the printing that the query names or a filter selects. */
function ResultTile({
  card,
  copies,
}: {
  card: ShownResult
  copies: readonly OwnedCopies[] | undefined
}) {
  const other = otherMatchedPrice(card)
  const { id, name } = card
  return (
    <Tile
      href={`/cards/${card.id}`}
      name={card.name}
      art={<CardImage src={cardImageUrl(card)} face={card} size="small" />}
      over={
        <OwnedControl
          card={{ id, name, printing: other?.printing ?? card.printing }}
          copies={copies}
        />
      }
    >
      <p className="small soft">{card.set_name}</p>
      <p className="small soft">{[card.number, card.rarity].filter(Boolean).join(' · ')}</p>
      <CardPrice card={card}>
        <WeekChange card={card} />
      </CardPrice>
      {other !== undefined && (
        <p className="small">
          <strong>
            <MarketPrice price={other} />
          </strong>{' '}
          {other.printing}
        </p>
      )}
    </Tile>
  )
}

/** Placeholder with as many lines as a result. */
export function ResultTilesSkeleton({ view }: { view: ResultView }) {
  return (
    <div className={view === 'rows' ? 'tiles results rows' : 'tiles'} aria-hidden="true">
      {Array.from({ length: 12 }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identical
        <div key={at} className="tile">
          <div className="tile-art">
            <span className="art skeleton" />
          </div>
          <div className="tile-text">
            <Skeleton width="80%" />
            <Skeleton width="60%" />
            <Skeleton width="50%" />
            <Skeleton width="40%" height="1.6875rem" />
            <Skeleton width="45%" />
          </div>
        </div>
      ))}
    </div>
  )
}
