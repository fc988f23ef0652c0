import { Link } from 'wouter'
import type { Identification } from '#client/endpoints.ts'
import * as texts from '#texts/photos/identify.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { Note } from '../components/note.tsx'
import { Skeleton } from '../components/skeleton.tsx'
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
      {isFound && listed.length > 0 && <h2>{texts.lessLikely}</h2>}
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
        <Note tone="wait" title={texts.isThisIt} text={texts.itMatchesButNotInEvery} />
      ) : (
        <Note
          tone="wait"
          title={texts.whichOfTheseIsIt}
          text={texts.cardsMatch(candidates.length)}
        />
      )
    case 'retake': {
      const readAll = showsMoreCards(answer) ? onReadAll : undefined
      return (
        <Note
          tone="wait"
          title={texts.takeAnotherPhoto}
          text={readAll === undefined ? (answer.message ?? '') : SEVERAL_CARDS}
        >
          {readAll !== undefined && (
            <Button className="main" onClick={readAll}>
              {texts.readAllCards}
            </Button>
          )}
          {candidates.length > 0 && (
            <p className="small">
              {candidates.length === 1 ? texts.possibleMatch : texts.possibleMatches}
            </p>
          )}
        </Note>
      )
    }
    case 'unsupported':
      return <Note tone="bad" title={texts.notInTheCatalog} text={texts.notInTheCatalogText} />
    default:
      return (
        <Note tone="bad" title={texts.noMatchFound} text={texts.tryAnotherPhotoWithTheWhole}>
          <Link className="button" href={`/search?q=${encodeURIComponent(read.name)}`}>
            {texts.searchByName}
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
        {isOne ? texts.notThisOne : texts.noneOfThese}
      </Button>
      <p role="status" className="soft">
        {feedback !== undefined && texts.thanksForYourFeedback}
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
