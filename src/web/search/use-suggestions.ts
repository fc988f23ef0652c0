import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDebounce } from '../hooks/use-draft.ts'
import { useCurrency } from '../pricing/currency.ts'
import { apiQuery } from '../query-client.ts'
import { isSearchable, RESULT_FIELDS, SUGGESTIONS_MAX } from './shown-results.ts'

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
  return {
    typed,
    /** Text that is searched for. */
    query,
    result,
    /** Undefined until it is loaded, and for a text that is too short. */
    answer,
    type(text: string): void {
      setTyped(text)
      debounce(() => setQuery(text.trim()))
    },
    clear: () => setTyped(''),
  }
}

export type Suggestions = ReturnType<typeof useSuggestions>
