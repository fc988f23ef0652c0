import { useRef } from 'react'
import { useLocation } from 'wouter'
import type { ReplyOf } from '#client/client.ts'
import { count } from '../format.ts'
import { useCombobox } from '../hooks/use-combobox.ts'
import { useSlash } from '../hooks/use-slash-shortcut.ts'
import { addressOf, isAskable, NO_QUESTION } from '../search/query.ts'
import { PROPOSALS, Proposal, useProposals } from '../search/suggestions.tsx'
import { Fault } from './error-message.tsx'
import { SearchIcon } from './icons.tsx'
import { LineBones } from './skeleton.tsx'

type SearchFieldProps = {
  /** `bar`: as high as a button. `big`: for a page that begins with it. */
  size: 'bar' | 'big'
}

/** A search that proposes cards while it is typed; Enter leads to all of them, and `/` to it. */
export function SearchField({ size }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useSlash(input)
  const [, go] = useLocation()
  const { typed, found, answer, type, clear } = useProposals()
  const q = typed.trim()
  const keys = answer === undefined ? [] : [...answer.data.map(({ id }) => String(id)), ALL]
  const combobox = useCombobox({
    keys,
    onPick: (key) => (key === ALL ? goToAll() : leaveTo(`/cards/${key}`)),
  })
  const isShown = combobox.isOpen && isAskable(q)

  function onType(text: string): void {
    type(text)
    combobox.open()
  }

  function leaveTo(address: string): void {
    combobox.close()
    clear()
    go(address)
  }

  function goToAll(): void {
    leaveTo(addressOf({ ...NO_QUESTION, q }))
  }

  return (
    <form
      className={`search-form ${size}`}
      onSubmit={(event) => {
        event.preventDefault()
        goToAll()
      }}
      {...combobox.frame}
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
      <p className="unseen" role="status">
        {isShown && found.state === 'ready' && answer && toldOf(answer)}
      </p>
      {isShown && (
        <div className="popup proposals" aria-busy={found.state === 'loading'}>
          {found.state === 'failed' && <Fault error={found.error} again={found.again} />}
          {found.state === 'loading' && answer === undefined && <LineBones count={PROPOSALS} />}
          {answer?.data.length === 0 && <p className="proposals-none">No card is called that.</p>}
          {answer?.meta.corrected_query !== undefined && (
            <p className="proposals-none">Did you mean “{answer.meta.corrected_query}”?</p>
          )}
          {answer !== undefined && (
            <ul aria-label="Cards" {...combobox.list}>
              {answer.data.map((card, at) => (
                <li key={card.id} className="proposal" {...combobox.option(at)}>
                  <Proposal card={card} />
                </li>
              ))}
              <li className="proposal all" {...combobox.option(answer.data.length)}>
                {answer.data.length === 0
                  ? 'Search with filters'
                  : `See all ${count(answer.meta.total)} results`}
              </li>
            </ul>
          )}
        </div>
      )}
    </form>
  )
}

function toldOf({ data, meta }: ReplyOf<'GET', '/v1/search'>): string {
  if (data.length === 0) return 'No card is called that.'
  return `${count(data.length)} of ${count(meta.total)} cards. Choose with the arrow keys.`
}

/** What the last proposal is called, which is no card's. */
const ALL = 'all'
