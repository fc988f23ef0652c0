import type { ScanSessionItem } from '#client/endpoints.ts'
import { Button } from '../../components/button.tsx'
import { CardImage } from '../../components/card-image.tsx'
import { percentText } from '../../format.ts'
import { CardSearch } from '../../search/card-search.tsx'
import { CandidateFacts, candidateImageUrl } from '../candidate.tsx'
import { showsScores } from '../match-reasons.ts'

/** Number of candidates that can be chosen by a key: 1 to 9. */
const KEYS_MAX = 9

type CardChoicesProps = {
  item: ScanSessionItem
  /** True if the keys 1 to 9 choose. */
  hasKeys?: boolean
  isBusy: boolean
  onChoose: (card_id: number) => void
}

/** Returns the candidates of an item that can be chosen by a key. */
export function listChoices({ candidates }: ScanSessionItem) {
  return candidates.slice(0, KEYS_MAX)
}

/** Lists the candidates of an item, and searches for any other card. */
export function CardChoices({ item, hasKeys = false, isBusy, onChoose }: CardChoicesProps) {
  const choices = listChoices(item)
  return (
    <div className="stack">
      {choices.length > 0 && (
        <ol className="card-choices">
          {choices.map((candidate, index) => (
            <li key={candidate.card_id}>
              <Button
                className="card-choice"
                isBusy={isBusy}
                aria-keyshortcuts={hasKeys ? String(index + 1) : undefined}
                onClick={() => onChoose(candidate.card_id)}
              >
                <span className="card-choice-art">
                  <CardImage src={candidateImageUrl(candidate)} name="" size="small" />
                </span>
                <span className="card-choice-text">
                  {hasKeys && (
                    <span className="choice-key" aria-hidden="true">
                      {index + 1}
                    </span>
                  )}
                  <strong>{candidate.name}</strong>
                  <CandidateFacts candidate={candidate} />
                  {showsScores(item) && (
                    <span className="small soft">Score {percentText(candidate.score)}</span>
                  )}
                </span>
              </Button>
            </li>
          ))}
        </ol>
      )}
      <CardSearch onChoose={onChoose} />
    </div>
  )
}
