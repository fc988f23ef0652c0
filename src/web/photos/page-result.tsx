import type { IdentifiedPage, PageCard } from '#client/endpoints.ts'
import * as texts from '#texts/photos/identify.ts'
import { Note } from '../components/note.tsx'
import { usePhotoSession } from './photo-session.ts'
import { Result } from './result.tsx'
import { answerPrice, answerTitle } from './shot-list.tsx'

type PageProps = {
  page: IdentifiedPage
  /** Index of the shown card. */
  shown: number
  onShow: (index: number) => void
}

/** Draws the outlines of the cards over their photo. The list beside it has the same choices for keyboards. */
export function PageOutlines({ page: { photo, cards, unread }, shown, onShow }: PageProps) {
  return (
    <svg className="outlines" viewBox={`0 0 ${photo.width} ${photo.height}`} aria-hidden="true">
      {unread.map(({ row, column, outline }) => (
        <polygon key={`${row} ${column}`} className="unread" points={pointsOf(outline)} />
      ))}
      {cards.map(({ id, status, outline }, index) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the list has the same choices
        <polygon
          key={id}
          className={index === shown ? `${status} shown` : status}
          points={pointsOf(outline)}
          onClick={() => onShow(index)}
        />
      ))}
    </svg>
  )
}

const pointsOf = (outline: PageCard['outline']) => outline.map(({ x, y }) => `${x},${y}`).join(' ')

/** Lists the cards of a page, and shows one of them. */
export function PageResult({ page, shown, onShow }: PageProps) {
  const photoSession = usePhotoSession()
  const { cards, unread } = page
  const card = cards[shown]
  return (
    <div className="stack">
      {cards.length === 0 && unread.length === 0 && (
        <Note tone="bad" title={texts.noCardFound} text={texts.showWholeCardsInEvenLight} />
      )}
      {unread.length > 0 && (
        <Note
          tone="wait"
          title={texts.cardsNotRead(unread.length)}
          text={REASONS[unread[0]?.reason ?? ''] ?? texts.sendAnotherPhotoOfThem}
        />
      )}
      {cards.length > 0 && (
        <ol className="page-cards" aria-label={texts.cardsOfThePhoto}>
          {cards.map((one, index) => (
            <li key={one.id}>
              <button
                type="button"
                className={`page-card ${one.status}`}
                aria-pressed={index === shown}
                onClick={() => onShow(index)}
              >
                <span className="soft">
                  {texts.rowColumn({ row: one.row, column: one.column })}
                </span>
                <span>{answerTitle(one, photoSession)}</span>
                <span className="soft">{answerPrice(one, photoSession)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
      {card !== undefined && <Result key={card.id} answer={card} />}
    </div>
  )
}

const REASONS: Readonly<Record<string, string>> = {
  scans: texts.noScansAreLeftForThem,
  time: texts.photoTookTooLongSendParts,
}
