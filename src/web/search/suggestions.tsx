import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnedCopies } from '#client/endpoints.ts'
import { useOwnedCards } from '../collections/owned/owned-cards.ts'
import { OwnedMark } from '../collections/owned/owned-mark.tsx'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { findShownPrice } from '../components/tile.tsx'
import { useDebounce } from '../hooks/use-draft.ts'
import { useCurrency } from '../pricing/currency.ts'
import { MarketPrice } from '../pricing/market-price.tsx'
import { apiQuery } from '../query-client.ts'
import {
  isSearchable,
  otherMatchedPrice,
  RESULT_FIELDS,
  type ShownResult,
  SUGGESTIONS_MAX,
} from './shown-results.ts'

/** Searches for cards after typing stops. */
export function useSuggestions() {
  const [typed, setTyped] = useState('')
  const [query, setQuery] = useState('')
  const { currency } = useCurrency()
  const debounce = useDebounce()
  const result = useQuery({
    ...apiQuery('/v1/search', {
      query: {
        q: query,
        per_page: SUGGESTIONS_MAX,
        fields: RESULT_FIELDS,
        include: 'confidence',
        currency,
      },
    }),
    enabled: isSearchable(query),
  })
  const answer = isSearchable(typed) ? result.data : undefined
  const owned = useOwnedCards({ ids: answer?.data.map(({ id }) => id) ?? [] }).data
  return {
    typed,
    result,
    /** Undefined until it is loaded, and for a text that is too short. */
    answer,
    owned,
    type(text: string): void {
      setTyped(text)
      debounce(() => setQuery(text.trim()))
    },
    clear: () => setTyped(''),
  }
}

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
