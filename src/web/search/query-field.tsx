import { type RefObject, useRef } from 'react'
import * as texts from '#texts/search/search.ts'
import { SearchIcon } from '../components/icons.tsx'
import { useDebounce, useDraft } from '../hooks/use-draft.ts'
import { useSlashShortcut } from '../hooks/use-slash-shortcut.ts'

type QueryFieldProps = {
  q: string
  field: RefObject<HTMLInputElement | null>
  error: string | undefined
  /** @param replace true to continue the current search */
  onSearch: (q: string, replace: boolean) => void
  onDown: () => void
}

/** Search field. Searches after typing stops; one search is one history entry. */
export function QueryField({ q, field, error, onSearch, onDown }: QueryFieldProps) {
  const [draft, setDraft] = useDraft(q)
  const hasStarted = useRef(false)
  const debounce = useDebounce()
  useSlashShortcut(field)

  function search(text: string): void {
    debounce()
    const next = text.trim()
    if (next === q) return
    // A new search gets a history entry, so that back returns to the previous one.
    onSearch(next, hasStarted.current || q === '')
    hasStarted.current = true
  }

  return (
    <search>
      <form
        className="search-form big"
        onSubmit={(event) => {
          event.preventDefault()
          search(draft)
          hasStarted.current = false
        }}
      >
        <SearchIcon />
        <input
          ref={field}
          type="search"
          className="input"
          aria-label={texts.searchCards}
          aria-keyshortcuts="/"
          aria-invalid={error !== undefined}
          aria-describedby="search-error"
          placeholder={texts.searchCardsSetsNumbers}
          autoComplete="off"
          enterKeyHint="search"
          maxLength={200}
          value={draft}
          onChange={(event) => {
            const text = event.target.value
            setDraft(text)
            debounce(() => search(text))
          }}
          onBlur={() => {
            hasStarted.current = false
          }}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' || event.nativeEvent.isComposing) return
            event.preventDefault()
            onDown()
          }}
        />
      </form>
      <p id="search-error" className="field-error" role="alert">
        {error}
      </p>
    </search>
  )
}
