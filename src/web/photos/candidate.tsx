import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Candidate, Reading } from '#client/endpoints.ts'
import * as texts from '#texts/photos/candidates.ts'
import { Button } from '../components/button.tsx'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import type { Face } from '../components/face.ts'
import type { AsyncAction } from '../hooks/use-action.ts'
import { CandidatePrices, headlinePrice, usePricedCandidate } from './candidate-prices.tsx'
import { matchReasons, scoreText } from './match-reasons.ts'
import type { FeedbackChoice } from './photo-session.ts'

type CandidateProps = {
  candidate: Candidate
  read: Reading
  feedback: FeedbackChoice
  /** Sends feedback about the correct card. */
  sendFeedback: AsyncAction<[FeedbackChoice]>
}

/** Shows the matched card with its prices and reasons. */
export function MatchedCandidate({
  candidate: identified,
  read,
  feedback,
  sendFeedback,
  children,
}: CandidateProps & { children: ReactNode }) {
  const candidate = usePricedCandidate(identified)
  return (
    <article className="match panel">
      <div className="match-art">
        <CardImage src={candidateImageUrl(candidate)} face={candidateFace(candidate)} />
      </div>
      <div className="match-text">
        <p>
          <span className="tag good fitting">
            {texts.matchFound(<span aria-hidden="true">✓</span>)}
          </span>
        </p>
        <div>
          <h2>
            <CandidateLink candidate={candidate} />
          </h2>
          <CandidateFacts candidate={candidate} />
        </div>
        <p className="match-price">{headlinePrice(candidate)}</p>
        <CandidatePrices candidate={candidate} isWanted />
        <MatchScore candidate={candidate} read={read} hasScore />
        <div className="row">
          <ConfirmButton candidate={candidate} feedback={feedback} sendFeedback={sendFeedback} />
          {children}
        </div>
      </div>
    </article>
  )
}

/** Shows one of several candidates. */
export function CandidateItem({
  candidate: identified,
  read,
  feedback,
  sendFeedback,
  hasScore,
  isLikely,
}: CandidateProps & { hasScore: boolean; isLikely: boolean }) {
  const candidate = usePricedCandidate(identified)
  const isIt = feedback === candidate.card_id
  return (
    <li className={isIt ? 'candidate panel confirmed' : 'candidate panel'}>
      <div className="candidate-art">
        <CardImage
          src={candidateImageUrl(candidate)}
          face={candidateFace(candidate)}
          size="small"
        />
      </div>
      <div className="candidate-text">
        {isLikely && (
          <p>
            <span className="tag good fitting">{texts.likely}</span>
          </p>
        )}
        <div>
          <h3>
            <CandidateLink candidate={candidate} />
          </h3>
          <CandidateFacts candidate={candidate} />
        </div>
        <MatchScore candidate={candidate} read={read} hasScore={hasScore} />
      </div>
      <div className="candidate-more">
        <ConfirmButton candidate={candidate} feedback={feedback} sendFeedback={sendFeedback} />
        <CandidatePrices candidate={candidate} isWanted={isIt} />
      </div>
    </li>
  )
}

/** Returns what is drawn of a candidate without a picture. */
export function candidateFace({ name, number, rarity, set, game }: Candidate): Face {
  return { name, number, rarity, set_name: set.code ?? set.name, game_slug: game.slug }
}

/** Returns the image path of a candidate; undefined if it has none. */
export function candidateImageUrl({ image_url, card_id }: Candidate): string | undefined {
  return cardImageUrl({ id: card_id, image_url })
}

function CandidateLink({ candidate }: Pick<CandidateProps, 'candidate'>) {
  return <Link href={`/cards/${candidate.card_id}`}>{candidate.name}</Link>
}

/** Shows the set, number and game of a candidate. */
export function CandidateFacts({ candidate }: Pick<CandidateProps, 'candidate'>) {
  const { number, rarity, set, game } = candidate
  return (
    <>
      <p className="small soft">{[set.name, number, rarity].filter(Boolean).join(' · ')}</p>
      <p className="small soft">{game.name}</p>
    </>
  )
}

type MatchScoreProps = Pick<CandidateProps, 'candidate' | 'read'> & { hasScore: boolean }

function MatchScore({ candidate, read, hasScore }: MatchScoreProps) {
  const { score } = candidate
  return (
    <div className="match-score">
      {hasScore && (
        <p className="score">
          <span>{texts.scoreOf(scoreText(score))}</span>
          <span className="score-bar" aria-hidden="true">
            <span style={{ width: `${100 * score}%` }} />
          </span>
        </p>
      )}
      <ul className="match-reasons">
        {matchReasons(candidate, read).map(({ aspect, agreement, text }) => (
          <li key={aspect} className={agreement}>
            <span className="icon" aria-hidden="true">
              {SIGNS[agreement]}
            </span>
            {text}
          </li>
        ))}
      </ul>
    </div>
  )
}

const SIGNS = { yes: '✓', partly: '≈', no: '✕', unknown: '–' }

function ConfirmButton({ candidate, feedback, sendFeedback }: Omit<CandidateProps, 'read'>) {
  const isIt = feedback === candidate.card_id
  return (
    <Button
      className={isIt ? 'main' : ''}
      aria-pressed={isIt}
      isBusy={sendFeedback.isRunning}
      onClick={() => !isIt && sendFeedback.start(candidate.card_id)}
    >
      {isIt && <span aria-hidden="true">✓</span>}
      {texts.isMyCard}
      <span className="visually-hidden">
        : {candidate.name}, {candidate.set.name}
      </span>
    </Button>
  )
}
