import { useState } from 'react'
import type { SearchResult } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Art, cardArt } from '../components/picture.tsx'
import { usd } from '../format.ts'
import { useRest } from '../hooks/use-draft.ts'
import { useAsk } from '../hooks/use-query.ts'
import { isAskable } from './query.ts'

/** As many as are seen at once; they are one request of the reader's quota all the same. */
export const PROPOSALS = 8

/** Cards for what is typed into a field, asked for once the hand rests. */
export function useProposals() {
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const afterRest = useRest()
  const found = useAsk(isAskable(asked) ? `proposals ${asked}` : undefined, (signal) =>
    api.get('/v1/search', { query: { q: asked, per_page: PROPOSALS }, signal }),
  )
  return {
    typed,
    found,
    /** Undefined while there is none, and for what is too short to ask. */
    answer: isAskable(typed) ? found.data : undefined,
    type(text: string): void {
      setTyped(text)
      afterRest(() => setAsked(text.trim()))
    },
    clear: () => setTyped(''),
  }
}

/** A card among those that are proposed. */
export function Proposal({ card }: { card: SearchResult }) {
  return (
    <>
      <span className="proposal-art">
        <Art src={cardArt(card)} name="" size="tiny" eager />
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
