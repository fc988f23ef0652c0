import { useId, useRef, useState } from 'react'
import { api } from '../api.ts'
import { useAsk } from '../ask.ts'
import { plural, usd } from '../format.ts'
import { Art, cardArt } from '../parts/picture.tsx'
import { Refusal } from '../parts/refusal.tsx'

/** Finds a card by its name, as it is typed. */
export function CardSearch({ onChoose }: { onChoose: (id: number) => void }) {
  const id = useId()
  const [words, setWords] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const asked = useAsk(words.length < 2 ? undefined : `card named ${words}`, (signal) =>
    api.get('/v1/search', { query: { q: words, per_page: FOUND_MAX }, signal }),
  )
  const found = words.length < 2 ? undefined : asked.data

  return (
    <div className="stack tight">
      <div className="field">
        <label htmlFor={id}>Card</label>
        <input
          id={id}
          type="search"
          className="input"
          autoComplete="off"
          placeholder="Its name, set or number"
          onChange={({ target }) => {
            clearTimeout(timer.current)
            const typed = target.value.trim()
            timer.current = setTimeout(() => setWords(typed), REST_MS)
          }}
        />
        <p className="field-note" role="status">
          {found === undefined ? 'Type two letters or more.' : foundText(found.meta.total)}
        </p>
      </div>
      {asked.state === 'failed' && <Refusal error={asked.error} />}
      {found !== undefined && found.data.length > 0 && (
        <ul className="choices" aria-label="Cards that were found">
          {found.data.map((card) => (
            <li key={card.id}>
              <button type="button" className="choice" onClick={() => onChoose(card.id)}>
                <Art src={cardArt(card)} name="" size="small" eager />
                <span>
                  <b>{card.name}</b>
                  <span className="small soft">
                    {[card.set_name, card.number].filter(Boolean).join(' · ')}
                  </span>
                </span>
                <b>{usd(card.market_price)}</b>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const FOUND_MAX = 6

/** How long a hand must rest before what it typed is asked for. */
const REST_MS = 150

function foundText(total: number): string {
  if (total === 0) return 'No card has these words. Try fewer of them.'
  const more = total > FOUND_MAX ? `, the best ${FOUND_MAX} of them below` : ''
  return `${plural(total, 'card')} found${more}.`
}
