import { Link } from 'wouter'
import type { Identification } from '#client/endpoints.ts'
import { headlinePrice } from './candidate-prices.tsx'
import { clearShots, type PhotoSession, type Shot } from './photo-session.ts'

type ShotListProps = {
  session: PhotoSession
  /** Key of the one that is shown. */
  shown: string | undefined
  hrefOf: (id: string) => string
  /** Told when they were all taken away. */
  onClear: () => void
}

/** The photos of this visit, newest first, to go back and forth between them. */
export function ShotList({ session, shown, hrefOf, onClear }: ShotListProps) {
  return (
    <nav className="strip" aria-labelledby="strip">
      <div className="row strip-head">
        <h2 id="strip">Photos of this visit</h2>
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            clearShots()
            onClear()
          }}
        >
          Forget them
        </button>
      </div>
      <ul>
        {session.shots.map((shot) => (
          <li key={shot.key}>
            <Link
              href={hrefOf(shot.state === 'read' ? shot.answer.id : shot.key)}
              aria-current={shot.key === shown ? 'true' : undefined}
            >
              <img src={shot.picture} alt="" />
              <span className="strip-words">
                <span>{shotTitle(shot, session)}</span>
                <span className="soft">{shotPrice(shot, session)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** What a photo is called: by the card that it shows, or by how far it is. */
export function shotTitle(shot: Shot, photoSession: PhotoSession): string {
  if (shot.state !== 'read') return OUTCOMES[shot.state]
  if (photoSession.feedback.get(shot.answer.id) === null) return 'None of those found'
  return cardOf(shot.answer, photoSession)?.name ?? STATUSES[shot.answer.status] ?? 'Read'
}

function shotPrice(shot: Shot, photoSession: PhotoSession): string {
  const card = shot.state === 'read' ? cardOf(shot.answer, photoSession) : undefined
  return card?.prices === undefined ? '' : headlinePrice(card)
}

/** The card that it is: as its sender said, else as it was matched. */
function cardOf({ id, status, candidates }: Identification, { feedback }: PhotoSession) {
  const it = feedback.get(id)
  if (it !== undefined) return candidates.find(({ card_id }) => card_id === it)
  return status === 'matched' ? candidates[0] : undefined
}

const OUTCOMES = { reading: 'Being read', failed: 'Not read', stopped: 'Stopped' }

const STATUSES: Readonly<Record<string, string>> = {
  ambiguous: 'One of several',
  retake: 'Take another photo',
  not_found: 'Not found',
  unsupported: 'Not in the catalog',
}
