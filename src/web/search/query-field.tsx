import { type RefObject, useRef } from 'react'
import { SearchIcon } from '../components/icons.tsx'
import { useDebounce, useDraft } from '../hooks/use-draft.ts'
import { useSlashShortcut } from '../hooks/use-slash-shortcut.ts'

type QueryFieldProps = {
  q: string
  field: RefObject<HTMLInputElement | null>
  error: string | undefined
  /** @param replace whether this goes on with the search that was begun */
  onSearch: (q: string, replace: boolean) => void
  onDown: () => void
}

/** The field of a search: what is typed is asked for as soon as the hand rests, and is one step of the browser's history. */
export function QueryField({ q, field, error, onSearch, onDown }: QueryFieldProps) {
  const [draft, setDraft] = useDraft(q)
  const isBegun = useRef(false)
  const afterRest = useDebounce()
  useSlashShortcut(field)

  function ask(text: string): void {
    afterRest()
    const next = text.trim()
    if (next === q) return
    // What stood there before was another search: going back leads to it.
    onSearch(next, isBegun.current || q === '')
    isBegun.current = true
  }

  return (
    <search>
      <form
        className="search-form big"
        onSubmit={(event) => {
          event.preventDefault()
          ask(draft)
          isBegun.current = false
        }}
      >
        <SearchIcon />
        <input
          ref={field}
          type="search"
          className="input"
          aria-label="Search cards"
          aria-keyshortcuts="/"
          aria-invalid={error !== undefined}
          aria-describedby="search-fault"
          placeholder="Search cards, sets, numbers"
          autoComplete="off"
          enterKeyHint="search"
          maxLength={200}
          value={draft}
          onChange={(event) => {
            const text = event.target.value
            setDraft(text)
            afterRest(() => ask(text))
          }}
          onBlur={() => {
            isBegun.current = false
          }}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' || event.nativeEvent.isComposing) return
            event.preventDefault()
            onDown()
          }}
        />
      </form>
      <p id="search-fault" className="field-fault" role="alert">
        {error}
      </p>
    </search>
  )
}
