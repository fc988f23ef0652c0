import { useRef } from 'react'
import { useLocation } from 'wouter'
import type { ApiResponse } from '#client/client.ts'
import { count } from '../format.ts'
import { useCombobox } from '../hooks/use-combobox.ts'
import { useSlashShortcut } from '../hooks/use-slash-shortcut.ts'
import { ignoredText, isSearchable, SUGGESTIONS_MAX } from '../search/shown-results.ts'
import { Suggestion, useSuggestions } from '../search/suggestions.tsx'
import { QueryError } from './error-message.tsx'
import { SearchIcon } from './icons.tsx'
import { LineSkeleton } from './skeleton.tsx'

type SearchFieldProps = {
  /** `bar` in the header, `big` on the home page. */
  size: 'bar' | 'big'
}

/** Search field with suggestions. Enter shows all results, `/` focuses it. */
export function SearchField({ size }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useSlashShortcut(input)
  const [, go] = useLocation()
  const { typed, result, answer, owned, type, clear } = useSuggestions()
  const q = typed.trim()
  const keys = answer === undefined ? [] : [...answer.data.map(({ id }) => String(id)), SEE_ALL]
  const combobox = useCombobox({
    keys,
    onPick: (key) => (key === SEE_ALL ? goToAll() : navigate(`/cards/${key}`)),
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

  function goToAll(): void {
    navigate(q === '' ? '/search' : `/search?${new URLSearchParams({ q })}`)
  }

  return (
    <form
      className={`search-form ${size}`}
      onSubmit={(event) => {
        event.preventDefault()
        goToAll()
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
        <div className="popup suggestions" aria-busy={result.isPending || result.isPlaceholderData}>
          <QueryError query={result} />
          {result.isPending && <LineSkeleton count={SUGGESTIONS_MAX} />}
          {answer?.data.length === 0 && <p className="suggestions-note">No matching cards.</p>}
          {answer?.meta.corrected_query !== undefined && (
            <p className="suggestions-note">Did you mean “{answer.meta.corrected_query}”?</p>
          )}
          {answer !== undefined &&
            answer.data.length > 0 &&
            answer.meta.ignored_words.length > 0 && (
              <p className="suggestions-note">{ignoredText(answer.meta.ignored_words)}</p>
            )}
          {answer !== undefined && (
            <ul aria-label="Cards" {...combobox.list}>
              {answer.data.map((card, at) => (
                <li key={card.id} className="suggestion" {...combobox.option(at)}>
                  <Suggestion card={card} copies={owned?.get(card.id)} />
                </li>
              ))}
              <li className="suggestion all" {...combobox.option(answer.data.length)}>
                {allText(answer.meta.total)}
              </li>
            </ul>
          )}
        </div>
      )}
    </form>
  )
}

function allText(total: number): string {
  if (total === 0) return 'Search with filters'
  return total === 1 ? 'See the result' : `See all ${count(total)} results`
}

function suggestionStatus({ data, meta }: ApiResponse<'GET', '/v1/search'>): string {
  if (data.length === 0) return 'No matching cards.'
  return `${count(data.length)} of ${count(meta.total)} cards. Use the arrow keys to choose.`
}

/** Key of the last option, which no card has. */
const SEE_ALL = 'all'
