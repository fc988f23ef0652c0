import { useState } from 'react'
import type { SearchResult } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { usd } from '../format.ts'
import { useDebounce } from '../hooks/use-draft.ts'
import { useQuery } from '../hooks/use-query.ts'
import { isSearchable } from './query.ts'

/** As many as are seen at once; they are one request of the reader's quota all the same. */
export const SUGGESTIONS_MAX = 8

/** Cards for what is typed into a field, asked for once the hand rests. */
export function useSuggestions() {
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const afterRest = useDebounce()
  const found = useQuery(isSearchable(asked) ? `proposals ${asked}` : undefined, (signal) =>
    api.get('/v1/search', { query: { q: asked, per_page: SUGGESTIONS_MAX }, signal }),
  )
  return {
    typed,
    found,
    /** Undefined while there is none, and for what is too short to ask. */
    answer: isSearchable(typed) ? found.data : undefined,
    type(text: string): void {
      setTyped(text)
      afterRest(() => setAsked(text.trim()))
    },
    clear: () => setTyped(''),
  }
}

/** A card among those that are proposed. */
export function Suggestion({ card }: { card: SearchResult }) {
  return (
    <>
      <span className="proposal-art">
        <CardImage src={cardImageUrl(card)} name="" size="tiny" eager />
      </span>
      <span className="proposal-words">
        <span className="proposal-name">{card.name}</span>
        <span className="small soft">
          {[card.set_name, card.number].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className="proposal-price">{usd(card.market_price)}</span>
    </>
  )
}
