import type { ScanSessionItem } from '#client/endpoints.ts'
import * as texts from '#texts/photos/review.ts'
import { Button } from '../../components/button.tsx'
import { CardImage } from '../../components/card-image.tsx'
import { CardSearch } from '../../search/card-search.tsx'
import { CandidateFacts, candidateFace, candidateImageUrl } from '../candidate.tsx'
import { FROM_REFERENCE, scoreText, showsScores } from '../match-reasons.ts'

/** Number of candidates that can be chosen by a key: 1 to 9. */
const KEYS_MAX = 9

type CardChoicesProps = {
  item: ScanSessionItem
  /** True if the keys 1 to 9 choose. */
  hasKeys?: boolean
  /** Id of the candidate that Enter chooses. */
  preselected?: number | undefined
  isBusy: boolean
  onChoose: (card_id: number) => void
}

/** Returns the candidates of an item that can be chosen by a key. */
export function listChoices({ candidates }: ScanSessionItem) {
  return candidates.slice(0, KEYS_MAX)
}

/** Lists the candidates of an item, and searches for any other card. */
export function CardChoices(props: CardChoicesProps) {
  const { item, hasKeys = false, preselected, isBusy, onChoose } = props
  const choices = listChoices(item)
  return (
    <div className="stack">
      {choices.length > 0 && (
        <ol className="card-choices">
          {choices.map((candidate, index) => {
            const keys =
              candidate.card_id === preselected ? [`${index + 1}`, 'Enter'] : [`${index + 1}`]
            return (
              <li key={candidate.card_id}>
                <Button
                  className={keys.length > 1 ? 'card-choice likely' : 'card-choice'}
                  isBusy={isBusy}
                  aria-keyshortcuts={hasKeys ? keys.join(' ') : undefined}
                  onClick={() => onChoose(candidate.card_id)}
                >
                  <span className="card-choice-art">
                    <CardImage
                      src={candidateImageUrl(candidate)}
                      face={candidateFace(candidate)}
                      size="small"
                    />
                  </span>
                  <span className="card-choice-text">
                    <span className="row choice-keys">
                      {hasKeys &&
                        keys.map((key) => (
                          <span key={key} className="choice-key" aria-hidden="true">
                            {key}
                          </span>
                        ))}
                      {keys.length > 1 && <span className="tag good">{texts.likely}</span>}
                    </span>
                    <strong>{candidate.name}</strong>
                    <CandidateFacts candidate={candidate} />
                    {candidate.match.reference && (
                      <span className="small soft">{FROM_REFERENCE}</span>
                    )}
                    {showsScores(item) && (
                      <span className="small soft">{texts.score(scoreText(candidate.score))}</span>
                    )}
                  </span>
                </Button>
              </li>
            )
          })}
        </ol>
      )}
      <CardSearch onChoose={onChoose} />
    </div>
  )
}
