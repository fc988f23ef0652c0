import { Suspense, useRef } from 'react'
import { useLocation } from 'wouter'
import type { ApiResponse } from '#client/client.ts'
import { count } from '../format.ts'
import { useCombobox } from '../hooks/use-combobox.ts'
import { useSlashShortcut } from '../hooks/use-slash-shortcut.ts'
import { lazyView } from '../lazy-view.ts'
import { isSearchable, SUGGESTIONS_MAX } from '../search/shown-results.ts'
import { useNamedPlaces } from '../search/use-named-places.ts'
import { useSuggestions } from '../search/use-suggestions.ts'
import { SearchIcon } from './icons.tsx'

type SearchFieldProps = {
  /** `bar` in the header, `big` on the home page. */
  size: 'bar' | 'big'
}

/** Search field with suggestions. Enter shows all results, `/` focuses it. */
export function SearchField({ size }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useSlashShortcut(input)
  const [, go] = useLocation()
  const suggestions = useSuggestions()
  const { typed, result, answer, type, clear } = suggestions
  const places = useNamedPlaces(suggestions.query)
  const q = typed.trim()
  // The sets and games take the room of as many cards.
  const cards = answer?.data.slice(0, SUGGESTIONS_MAX - places.length) ?? []
  const all = q === '' ? '/search' : `/search?${new URLSearchParams({ q })}`
  const combobox = useCombobox({
    keys: answer
      ? [...places.map(({ href }) => href), ...cards.map(({ id }) => `/cards/${id}`), all]
      : [],
    onPick: navigate,
  })
  const isShown = combobox.isOpen && isSearchable(q)

  function onType(text: string): void {
    type(text)
    combobox.open()
  }

  function navigate(address: string): void {
    combobox.close()
    clear()
    go(address)
  }

  return (
    <form
      className={`search-form ${size}`}
      onSubmit={(event) => {
        event.preventDefault()
        navigate(all)
      }}
      {...combobox.container}
    >
      <SearchIcon />
      <input
        {...combobox.field}
        ref={input}
        type="search"
        className="input"
        aria-label="Search cards"
        aria-keyshortcuts="/"
        placeholder="Search cards, sets, numbers"
        maxLength={200}
        value={typed}
        onChange={(event) => onType(event.target.value)}
        onClick={combobox.open}
      />
      {typed === '' && (
        <span className="shortcut" aria-hidden="true">
          /
        </span>
      )}
      <p className="visually-hidden" role="status">
        {isShown && !result.isPlaceholderData && answer && suggestionStatus(answer)}
      </p>
      {isShown && (
        <Suspense fallback={null}>
          <SuggestionList
            suggestions={suggestions}
            places={places}
            cards={cards}
            combobox={combobox}
          />
        </Suspense>
      )}
    </form>
  )
}

function suggestionStatus({ data, meta }: ApiResponse<'GET', '/v1/search'>): string {
  if (data.length === 0) return 'No matching cards.'
  return `${count(data.length)} of ${count(meta.total)} cards. Use the arrow keys to choose.`
}

const SuggestionList = lazyView(
  async () => (await import('../search/suggestion-list.tsx')).SuggestionList,
)
