import { lazy, Suspense, useRef } from 'react'
import { useLocation } from 'wouter'
import * as texts from '#texts/frame.ts'
import { useCombobox } from '../hooks/use-combobox.ts'
import { useSlashShortcut } from '../hooks/use-slash-shortcut.ts'
import { count } from '../numbers.ts'
import { isSearchable, SUGGESTIONS_MAX } from '../search/shown-results.ts'
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
  const { typed, result, answer, places, type, clear } = suggestions
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
        aria-label={texts.searchCards}
        aria-keyshortcuts="/"
        placeholder={texts.searchCardsSetsNumbers}
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
        {isShown &&
          !result.isPlaceholderData &&
          answer &&
          suggestionStatus(places.length, cards.length, answer.meta.total)}
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

function suggestionStatus(places: number, cards: number, total: number): string {
  if (places + cards === 0) return texts.noMatchingCards
  return texts.suggestionStatus({ places, cards: count(cards), total })
}

/** Loaded with the first text. Without it, Enter still searches, and nothing on the page is lost. */
const SuggestionList = lazy(async () => {
  const list = await import('../search/suggestion-list.tsx').catch(() => undefined)
  return { default: list?.SuggestionList ?? NoSuggestions }
})

function NoSuggestions() {
  return (
    <div className="popup suggestions">
      <p className="suggestions-note">{texts.suggestionsFailed}</p>
    </div>
  )
}
