import { Link } from 'wouter'
import type { Identification } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { Note } from '../components/note.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { plural } from '../format.ts'
import { type AsyncAction, useAction } from '../hooks/use-action.ts'
import { CandidateItem, MatchedCandidate } from './candidate.tsx'
import { likelyCandidate, SEVERAL_CARDS, showsMoreCards, showsScores } from './match-reasons.ts'
import { type FeedbackChoice, recordFeedback, usePhotoSession } from './photo-session.ts'
import { ReadingPanel } from './reading-panel.tsx'

type ResultProps = {
  answer: Identification
  /** Feedback from an earlier session. */
  earlierFeedback?: FeedbackChoice
  /** Reads all cards of the photo; undefined without the photo. */
  onReadAll?: (() => void) | undefined
}

/** Shows the result of an identification and collects feedback. */
export function Result({ answer, earlierFeedback, onReadAll }: ResultProps) {
  const visit = usePhotoSession()
  const choice = visit.feedback.has(answer.id) ? visit.feedback.get(answer.id) : earlierFeedback
  const sendFeedback = useAction(async (card_id: FeedbackChoice) => {
    if (card_id === undefined) return
    const { id } = answer
    const { data } = await api.post('/v1/identify/{id}/feedback', {
      path: { id },
      body: { card_id },
    })
    recordFeedback(id, data.feedback?.card_id)
  })
  const { read, candidates } = answer
  const [best, ...others] = candidates
  const isFound = answer.status === 'matched' && best !== undefined
  const listed = isFound ? others : candidates
  const likely = candidates.length > 1 ? likelyCandidate(answer) : undefined
  const shared = { read, feedback: choice, sendFeedback }
  const none = (
    <NoneOfThese feedback={choice} sendFeedback={sendFeedback} isOne={candidates.length === 1} />
  )
  return (
    <div className="stack">
      {isFound ? (
        <MatchedCandidate candidate={best} {...shared}>
          {listed.length === 0 && none}
        </MatchedCandidate>
      ) : (
        <Verdict answer={answer} onReadAll={onReadAll} />
      )}
      {isFound && listed.length > 0 && <h2>Less likely</h2>}
      {listed.length > 0 && (
        <ol className="candidates">
          {listed.map((candidate) => (
            <CandidateItem
              key={candidate.card_id}
              candidate={candidate}
              hasScore={showsScores(answer)}
              isLikely={candidate === likely}
              {...shared}
            />
          ))}
        </ol>
      )}
      {listed.length > 0 && <div className="row">{none}</div>}
      {sendFeedback.error !== undefined && <ErrorMessage error={sendFeedback.error} />}
      <ReadingPanel read={read} warnings={answer.warnings} />
    </div>
  )
}

/** Explains a result without a certain match. */
function Verdict({ answer, onReadAll }: Pick<ResultProps, 'answer' | 'onReadAll'>) {
  const { read, candidates } = answer
  switch (answer.status) {
    case 'ambiguous':
      return candidates.length === 1 || likelyCandidate(answer) !== undefined ? (
        <Note
          tone="wait"
          title="Is this it?"
          text="It matches, but not in every detail. Confirm whether this is your card."
        />
      ) : (
        <Note
          tone="wait"
          title="Which of these is it?"
          text={`${plural(candidates.length, 'card')} match this photo. Choose your card.`}
        />
      )
    case 'retake': {
      const readAll = showsMoreCards(answer) ? onReadAll : undefined
      return (
        <Note
          tone="wait"
          title="Take another photo"
          text={readAll === undefined ? (answer.message ?? '') : SEVERAL_CARDS}
        >
          {readAll !== undefined && (
            <Button className="main" onClick={readAll}>
              Read all cards
            </Button>
          )}
          {candidates.length > 0 && (
            <p className="small">
              {candidates.length === 1 ? 'Possible match:' : 'Possible matches:'}
            </p>
          )}
        </Note>
      )
    }
    case 'unsupported':
      return (
        <Note
          tone="bad"
          title="Not in the catalog"
          text="This server does not list the card’s game or language. Another photo will not help."
        />
      )
    default:
      return (
        <Note
          tone="bad"
          title="No match found"
          text="Try another photo with the whole card in the frame and good light."
        >
          <Link className="button" href={`/search?q=${encodeURIComponent(read.name)}`}>
            Search by name
          </Link>
        </Note>
      )
  }
}

type NoneProps = {
  feedback: FeedbackChoice
  sendFeedback: AsyncAction<[FeedbackChoice]>
  isOne: boolean
}

/** Button for "none of these" and thanks for the feedback. */
function NoneOfThese({ feedback, sendFeedback, isOne }: NoneProps) {
  return (
    <>
      <Button
        className={feedback === null ? 'main' : ''}
        aria-pressed={feedback === null}
        isBusy={sendFeedback.isRunning}
        onClick={() => feedback !== null && sendFeedback.start(null)}
      >
        {feedback === null && <span aria-hidden="true">✓</span>}
        {isOne ? 'Not this one' : 'None of these'}
      </Button>
      <p role="status" className="soft">
        {feedback !== undefined && 'Thanks for your feedback. You can change it at any time.'}
      </p>
    </>
  )
}

/** Reserves the space of a result until it is loaded. */
export function ResultSkeleton() {
  return (
    <div className="match panel" aria-hidden="true">
      <div className="match-art">
        <span className="art skeleton" />
      </div>
      <div className="match-text">
        <Skeleton width="30%" />
        <Skeleton width="70%" height="2rem" />
        <Skeleton width="50%" />
        <Skeleton width="40%" height="2rem" />
        <Skeleton height="7rem" />
        <Skeleton width="60%" />
        <Skeleton width="45%" />
      </div>
    </div>
  )
}
