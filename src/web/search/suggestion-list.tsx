import * as texts from '#texts/search/suggestions.ts'
import { useOwnedCards } from '../collections/owned/owned-cards.ts'
import { QueryError } from '../components/error-message.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { count } from '../format.ts'
import type { Combobox } from '../hooks/use-combobox.ts'
import type { NamedPlace } from './named-places.ts'
import { ignoredText, type ShownResult, SUGGESTIONS_MAX } from './shown-results.ts'
import { Suggestion } from './suggestion.tsx'
import type { Suggestions } from './use-suggestions.ts'

type SuggestionListProps = {
  suggestions: Suggestions
  /** Sets and games that the text names: the first options. The cards follow, then all results. */
  places: readonly NamedPlace[]
  cards: readonly ShownResult[]
  combobox: Combobox
}

/** Sets, games and cards that fit the typed text. */
export function SuggestionList({ suggestions, places, cards, combobox }: SuggestionListProps) {
  const { result, answer } = suggestions
  const owned = useOwnedCards({ ids: cards.map(({ id }) => id) }).data
  return (
    <div className="popup suggestions" aria-busy={result.isPending || result.isPlaceholderData}>
      <QueryError query={result} />
      {result.isPending && <LineSkeleton count={SUGGESTIONS_MAX} />}
      {answer !== undefined && <AnswerNotes answer={answer} />}
      {answer !== undefined && (
        <ul aria-label={texts.cardsSetsAndGames} {...combobox.list}>
          {places.map((place, at) => (
            <li key={place.href} className="suggestion" {...combobox.option(at)}>
              <span className="suggestion-text">
                <span className="suggestion-name">{place.name}</span>
                <span className="small soft">{place.about}</span>
              </span>
            </li>
          ))}
          {cards.map((card, at) => (
            <li key={card.id} className="suggestion" {...combobox.option(places.length + at)}>
              <Suggestion card={card} copies={owned?.get(card.id)} />
            </li>
          ))}
          <li className="suggestion all" {...combobox.option(places.length + cards.length)}>
            {allText(answer.meta.total)}
          </li>
        </ul>
      )}
    </div>
  )
}

function AnswerNotes({ answer: { data, meta } }: { answer: NonNullable<Suggestions['answer']> }) {
  const { corrected_query, ignored_words } = meta
  return (
    <>
      {data.length === 0 && <p className="suggestions-note">{texts.noMatchingCards}</p>}
      {corrected_query !== undefined && (
        <p className="suggestions-note">{texts.didYouMean(corrected_query)}</p>
      )}
      {data.length > 0 && ignored_words.length > 0 && (
        <p className="suggestions-note">{ignoredText(ignored_words)}</p>
      )}
    </>
  )
}

function allText(total: number): string {
  if (total === 0) return texts.searchWithFilters
  return total === 1 ? texts.seeTheResult : texts.seeAllResults(count(total))
}
