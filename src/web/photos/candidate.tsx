import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Candidate, Reading } from '#client/endpoints.ts'
import { Act } from '../components/busy-button.tsx'
import { Art } from '../components/picture.tsx'
import { share } from '../format.ts'
import type { Deed } from '../hooks/use-action.ts'
import { CandidatePrices, headlinePrice } from './candidate-prices.tsx'
import { fitsOf } from './match-reasons.ts'
import type { Said } from './photo-session.ts'

type CandidateProps = {
  candidate: Candidate
  read: Reading
  said: Said
  /** Tells the API which card it is. */
  say: Deed<[Said]>
}

/** The one card that fits: its picture large, its prices, and why it is the one. */
export function Found({
  candidate,
  read,
  said,
  say,
  children,
}: CandidateProps & { children: ReactNode }) {
  return (
    <article className="match panel">
      <div className="match-art">
        <Art src={artOf(candidate)} name={candidate.name} eager />
      </div>
      <div className="match-words">
        <p>
          <span className="tag good fitting">
            <span aria-hidden="true">✓</span>The one card that fits the photo
          </span>
        </p>
        <div>
          <h2>
            <CandidateLink candidate={candidate} />
          </h2>
          <WhichOne candidate={candidate} />
        </div>
        <p className="match-price">{headlinePrice(candidate)}</p>
        <CandidatePrices candidate={candidate} isWanted />
        <Why candidate={candidate} read={read} />
        <div className="row">
          <Say candidate={candidate} said={said} say={say} />
          {children}
        </div>
      </div>
    </article>
  )
}

/** One of several that may be it. */
export function Possible({ candidate, read, said, say }: CandidateProps) {
  const isIt = said === candidate.card_id
  return (
    <li className={isIt ? 'possible panel said' : 'possible panel'}>
      <div className="possible-art">
        <Art src={artOf(candidate)} name={candidate.name} size="small" eager />
      </div>
      <div className="possible-words">
        <div>
          <h3>
            <CandidateLink candidate={candidate} />
          </h3>
          <WhichOne candidate={candidate} />
        </div>
        <Why candidate={candidate} read={read} />
      </div>
      <div className="possible-more">
        <Say candidate={candidate} said={said} say={say} />
        <CandidatePrices candidate={candidate} isWanted={isIt} />
      </div>
    </li>
  )
}

function artOf({ image_url, card_id }: Candidate): string | undefined {
  return image_url === null ? undefined : `/pictures/cards/${card_id}`
}

function CandidateLink({ candidate }: Pick<CandidateProps, 'candidate'>) {
  return <Link href={`/cards/${candidate.card_id}`}>{candidate.name}</Link>
}

/** What tells it from others of its name. */
function WhichOne({ candidate }: Pick<CandidateProps, 'candidate'>) {
  const { number, rarity, set, game } = candidate
  return (
    <>
      <p className="small soft">{[set.name, number, rarity].filter(Boolean).join(' · ')}</p>
      <p className="small soft">{game.name}</p>
    </>
  )
}

/** The score as a bar, and point by point what agrees. */
function Why({ candidate, read }: Pick<CandidateProps, 'candidate' | 'read'>) {
  const { score } = candidate
  return (
    <div className="why">
      <p className="score">
        <span>Score {share(score)}</span>
        <span className="score-bar" aria-hidden="true">
          <span style={{ width: `${100 * score}%` }} />
        </span>
      </p>
      <ul className="fits">
        {fitsOf(candidate, read).map(({ of, how, words }) => (
          <li key={of} className={how}>
            <span className="sign" aria-hidden="true">
              {SIGNS[how]}
            </span>
            {words}
          </li>
        ))}
      </ul>
    </div>
  )
}

const SIGNS = { yes: '✓', partly: '≈', no: '✕', unknown: '–' }

function Say({ candidate, said, say }: Omit<CandidateProps, 'read'>) {
  const isIt = said === candidate.card_id
  return (
    <Act
      className={isIt ? 'main' : ''}
      aria-pressed={isIt}
      isRunning={say.isRunning}
      onClick={() => !isIt && say.start(candidate.card_id)}
    >
      {isIt && <span aria-hidden="true">✓</span>}
      This one
      <span className="unseen">
        : {candidate.name}, {candidate.set.name}
      </span>
    </Act>
  )
}
