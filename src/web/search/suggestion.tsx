import type { OwnedCopies } from '#client/endpoints.ts'
import { findShownPrice } from '../catalog/card-tile.tsx'
import { OwnedMark } from '../collections/owned/owned-mark.tsx'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { MarketPrice } from '../pricing/market-price.tsx'
import { otherMatchedPrice, type ShownResult } from './shown-results.ts'

type SuggestionProps = { card: ShownResult; copies: readonly OwnedCopies[] | undefined }

/** Shows a card with the price of the printing that the query names, or of its base printing. */
export function Suggestion({ card, copies }: SuggestionProps) {
  const other = otherMatchedPrice(card)
  const price = other ?? card
  return (
    <>
      <span className="suggestion-art">
        <CardImage src={cardImageUrl(card)} face={card} size="tiny" />
      </span>
      <span className="suggestion-text">
        <span className="suggestion-name">
          {card.name}
          <OwnedMark copies={copies} />
        </span>
        <span className="small soft">
          {[card.set_name, card.number].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className="suggestion-price">
        <strong>
          <MarketPrice price={price} rating={other ?? findShownPrice(card)} />
        </strong>
        <span className="small soft">{price.printing}</span>
      </span>
    </>
  )
}
