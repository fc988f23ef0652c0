import { Link } from 'wouter'
import type { Identification } from '#client/endpoints.ts'
import * as texts from '#texts/photos/identify.ts'
import { Button } from '../components/button.tsx'
import { headlinePrice } from './candidate-prices.tsx'
import { clearShots, type PhotoSession, type Shot } from './photo-session.ts'

type ShotListProps = {
  session: PhotoSession
  /** Key of the shown photo. */
  shown: string | undefined
  hrefOf: (id: string) => string
  /** Called after all photos were removed. */
  onClear: () => void
}

/** Lists the photos of this session, newest first. */
export function ShotList({ session, shown, hrefOf, onClear }: ShotListProps) {
  return (
    <nav className="shot-list" aria-labelledby="shots">
      <div className="row shot-list-head">
        <h2 id="shots">{texts.recentPhotos}</h2>
        <Button
          className="quiet"
          onClick={() => {
            clearShots()
            onClear()
          }}
        >
          {texts.clear}
        </Button>
      </div>
      <ul>
        {session.shots.map((shot) => (
          <li key={shot.key}>
            <Link
              href={hrefOf(shot.state === 'read' ? shot.answer.id : shot.key)}
              aria-current={shot.key === shown ? 'true' : undefined}
            >
              <img src={shot.picture} alt="" />
              <span className="shot-text">
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

/** Returns the name of the card, or the state of the photo. */
export function shotTitle(shot: Shot, photoSession: PhotoSession): string {
  if (shot.state === 'read page') return texts.cardCount(shot.page.cards.length)
  if (shot.state !== 'read') return OUTCOMES[shot.state]
  return answerTitle(shot.answer, photoSession)
}

/** Returns the name of an identified card, or the state of its identification. */
export function answerTitle(answer: Identification, photoSession: PhotoSession): string {
  if (photoSession.feedback.get(answer.id) === null) return texts.noneOfThese
  return cardOf(answer, photoSession)?.name ?? STATUSES[answer.status] ?? texts.read
}

function shotPrice(shot: Shot, photoSession: PhotoSession): string {
  return shot.state === 'read' ? answerPrice(shot.answer, photoSession) : ''
}

/** Returns the price of the confirmed or matched card; empty without one. */
export function answerPrice(answer: Identification, photoSession: PhotoSession): string {
  const card = cardOf(answer, photoSession)
  return card?.prices === undefined ? '' : headlinePrice(card)
}

/** Returns the confirmed card, otherwise the matched one. */
function cardOf({ id, status, candidates }: Identification, { feedback }: PhotoSession) {
  const it = feedback.get(id)
  if (it !== undefined) return candidates.find(({ card_id }) => card_id === it)
  return status === 'matched' ? candidates[0] : undefined
}

const OUTCOMES = { reading: texts.reading, failed: texts.failed, stopped: texts.canceled }

const STATUSES: Readonly<Record<string, string>> = {
  ambiguous: texts.severalMatches,
  retake: texts.pleaseTakeAnotherPhoto,
  not_found: texts.notFound,
  unsupported: texts.notInTheCatalog,
}
