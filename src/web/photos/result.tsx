import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Identification } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { BusyButton } from '../components/busy-button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { plural } from '../format.ts'
import { type AsyncAction, useAction } from '../hooks/use-action.ts'
import { CandidateItem, MatchedCandidate } from './candidate.tsx'
import { type FeedbackChoice, recordFeedback, usePhotoSession } from './photo-session.ts'
import { ReadingPanel } from './reading-panel.tsx'

type ResultProps = {
  answer: Identification
  /** What had been said of it before this visit. */
  earlierFeedback?: FeedbackChoice
}

/** What a photo came to, and which card its sender says it is. */
export function Result({ answer, earlierFeedback }: ResultProps) {
  const visit = usePhotoSession()
  const choice = visit.feedback.has(answer.id) ? visit.feedback.get(answer.id) : earlierFeedback
  const say = useAction(async (card_id: FeedbackChoice) => {
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
  const told = { read, feedback: choice, sendFeedback: say }
  const none = <NoneOfThese said={choice} say={say} isOne={candidates.length === 1} />
  return (
    <div className="stack">
      {isFound ? (
        <MatchedCandidate candidate={best} {...told}>
          {listed.length === 0 && none}
        </MatchedCandidate>
      ) : (
        <Verdict answer={answer} />
      )}
      {isFound && listed.length > 0 && <h2>Less likely</h2>}
      {listed.length > 0 && (
        <ol className="possibles">
          {listed.map((candidate) => (
            <CandidateItem key={candidate.card_id} candidate={candidate} {...told} />
          ))}
        </ol>
      )}
      {listed.length > 0 && <div className="row">{none}</div>}
      {say.error !== undefined && <ErrorMessage error={say.error} />}
      <ReadingPanel read={read} warnings={answer.warnings} />
    </div>
  )
}

/** The status in words, and what to do about it, where no card was found for sure. */
function Verdict({ answer }: Pick<ResultProps, 'answer'>) {
  const { read, candidates } = answer
  switch (answer.status) {
    case 'ambiguous':
      return candidates.length === 1 ? (
        <Heading
          tone="wait"
          title="Is this it?"
          words="It fits, but not on every point. Say whether it is the one you have."
        />
      ) : (
        <Heading
          tone="wait"
          title="Which of these is it?"
          words={`The photo alone does not decide between ${plural(candidates.length, 'card')}. Say which one you have.`}
        />
      )
    case 'retake':
      return (
        <Heading tone="wait" title="Take another photo" words={answer.message ?? ''}>
          {candidates.length > 0 && (
            <p className="small">
              {candidates.length === 1
                ? 'It may be this one all the same:'
                : 'It may be one of these all the same:'}
            </p>
          )}
        </Heading>
      )
    case 'unsupported':
      return (
        <Heading
          tone="bad"
          title="The catalog does not have such cards"
          words="Its game or its language is not listed here. Another photo does not help."
        />
      )
    default:
      return (
        <Heading
          tone="bad"
          title="No card of the catalog fits"
          words="Another photo may help, with the whole card in the frame and in good light."
        >
          <Link className="button" href={`/search?q=${encodeURIComponent(read.name)}`}>
            Search it by name
          </Link>
        </Heading>
      )
  }
}

type HeadingProps = { tone: 'wait' | 'bad'; title: string; words: string }

function Heading({ tone, title, words, children }: HeadingProps & { children?: ReactNode }) {
  return (
    <div className={`note ${tone}`}>
      <div>
        <h2>{title}</h2>
        <p>{words}</p>
      </div>
      {children}
    </div>
  )
}

type NoneProps = { said: FeedbackChoice; say: AsyncAction<[FeedbackChoice]>; isOne: boolean }

/** The way to say that it is another card, and thanks for whatever was said. */
function NoneOfThese({ said, say, isOne }: NoneProps) {
  return (
    <>
      <BusyButton
        className={said === null ? 'main' : ''}
        aria-pressed={said === null}
        isBusy={say.isRunning}
        onClick={() => said !== null && say.start(null)}
      >
        {said === null && <span aria-hidden="true">✓</span>}
        {isOne ? 'Not this one' : 'None of these'}
      </BusyButton>
      <p role="status" className="soft">
        {said !== undefined && 'Thank you, noted. You can change it at any time.'}
      </p>
    </>
  )
}
