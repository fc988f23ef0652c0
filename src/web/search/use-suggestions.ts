import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useGames } from '../catalog/queries.ts'
import { useDebounce } from '../hooks/use-draft.ts'
import { useCurrency } from '../pricing/currency.ts'
import { apiQuery, defineQuery } from '../query-client.ts'
import { canNamePlace, listNamedPlaces } from './named-places.ts'
import { isSearchable, RESULT_FIELDS, SUGGESTIONS_MAX } from './shown-results.ts'
import { namedSetsQuery } from './use-named-places.ts'

/** Searches for cards after typing stops. */
export function useSuggestions() {
  const [typed, setTyped] = useState('')
  const [query, setQuery] = useState('')
  const { currency } = useCurrency()
  const debounce = useDebounce()
  const games = useGames().data?.data ?? []
  const result = useQuery({ ...suggestionsQuery(query, currency), enabled: isSearchable(query) })
  const answer = isSearchable(typed) ? result.data : undefined
  return {
    typed,
    result,
    /** Undefined until it is loaded, and for a text that is too short. */
    answer,
    /** Sets and games that the text names, the games first. */
    places: answer === undefined ? [] : listNamedPlaces(answer.text, games, answer.sets),
    type(text: string): void {
      setTyped(text)
      debounce(() => setQuery(text.trim()))
    },
    clear: () => setTyped(''),
  }
}

/**
 * Declares the query of the cards that fit a text, and of the sets that it may name: one answer, because options that
 * arrive later would move the others. Costs a request of the quota, and another one for the sets.
 */
function suggestionsQuery(text: string, currency: string) {
  const query = {
    q: text,
    per_page: SUGGESTIONS_MAX,
    fields: RESULT_FIELDS,
    include: 'confidence',
    currency,
  }
  return defineQuery(['/v1/search', 'suggestions', query], async (signal) => {
    const [cards, sets] = await Promise.all([
      apiQuery('/v1/search', { query }).queryFn({ signal }),
      // Without sets, the cards are still worth showing.
      canNamePlace(text) &&
        namedSetsQuery(text)
          .queryFn({ signal })
          .catch(() => false),
    ])
    return { ...cards, text, sets: typeof sets === 'object' ? sets.data : [] }
  })
}

export type Suggestions = ReturnType<typeof useSuggestions>
