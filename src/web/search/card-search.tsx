import { useId } from 'react'
import * as texts from '#texts/search/card-search.ts'
import { useOwnedCards } from '../collections/owned/owned-cards.ts'
import { FormError } from '../components/form-error.tsx'
import { count } from '../format.ts'
import { useCombobox } from '../hooks/use-combobox.ts'
import { SUGGESTIONS_MAX } from './shown-results.ts'
import { Suggestion } from './suggestion.tsx'
import { useSuggestions } from './use-suggestions.ts'

/** Searches for a card as the user types. */
export function CardSearch({ onChoose }: { onChoose: (id: number) => void }) {
  const id = useId()
  const { typed, result, answer, type } = useSuggestions()
  const cards = answer?.data ?? []
  const owned = useOwnedCards({ ids: cards.map((card) => card.id) }).data
  const combobox = useCombobox({
    keys: cards.map((card) => String(card.id)),
    onPick: (key) => onChoose(Number(key)),
  })
  return (
    <div className="stack tight">
      <div className="field" {...combobox.container}>
        <label htmlFor={id}>{texts.card}</label>
        <div className="combo-frame">
          <input
            {...combobox.field}
            id={id}
            className="input"
            placeholder={texts.nameSetOrNumber}
            maxLength={200}
            value={typed}
            aria-describedby={`${id}-note`}
            onChange={({ target }) => {
              type(target.value)
              combobox.open()
            }}
            onClick={combobox.open}
          />
          {combobox.isOpen && cards.length > 0 && (
            <ul className="popup" aria-label={texts.cards} {...combobox.list}>
              {cards.map((card, at) => (
                <li key={card.id} className="suggestion" {...combobox.option(at)}>
                  <Suggestion card={card} copies={owned?.get(card.id)} />
                </li>
              ))}
            </ul>
          )}
        </div>
        <p id={`${id}-note`} className="field-note" role="status">
          {answer === undefined ? texts.typeAtLeastTwoLetters : foundText(answer.meta.total)}
        </p>
      </div>
      <FormError error={result.error ?? undefined} />
    </div>
  )
}

function foundText(total: number): string {
  if (total === 0) return texts.noMatchingCardsTryFewer
  return total > SUGGESTIONS_MAX
    ? texts.foundMany({ total, shown: count(SUGGESTIONS_MAX) })
    : texts.found(total)
}
