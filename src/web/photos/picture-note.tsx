import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { ScanUsage } from '#client/endpoints.ts'
import { Note } from '../components/note.tsx'
import { clockText, count, dateTimeText } from '../format.ts'
import { apiQuery } from '../query-client.ts'
import { useSession } from '../session.ts'

type PictureIndex = ScanUsage['pictures']

/** Milliseconds between two looks at an index that grows. */
const LOOK_MS = 60_000

/** Share of pictures that may wait without a note: every sync adds some. */
const WAITING_SHARE = 0.05

/** Says how many pictures photos are compared with, until nearly all are indexed, and what helps. */
export function PictureNote() {
  const { me } = useSession()
  const { data } = useQuery({
    ...apiQuery('/v1/identify/usage'),
    refetchInterval: ({ state }) => (isIncomplete(state.data?.data.pictures) ? LOOK_MS : false),
  })
  const pictures = data?.data.pictures
  if (!isIncomplete(pictures)) return null
  const { indexed, cards, is_enabled, ready_at } = pictures
  const ready = ready_at === null ? '' : `, ready ${aboutText(new Date(ready_at))}`
  return (
    <Note
      title={`Pictures: ${count(indexed)} of ${count(cards)} indexed${ready}`}
      text={`${PRINT_ONLY} ${is_enabled ? IN_BACKGROUND : OFF}`}
    >
      {me?.is_operator && (
        <Link className="button" href="/operator">
          Operator
        </Link>
      )}
    </Note>
  )
}

function isIncomplete(pictures: PictureIndex | undefined): pictures is PictureIndex {
  return pictures !== undefined && pictures.waiting > WAITING_SHARE * pictures.cards
}

/** Minutes to which an estimate is rounded up. */
const ROUND_MINUTES = 5

/** Formats an estimated time: "at about 18:05", or with its day if that is not today. */
function aboutText(estimate: Date): string {
  const step = ROUND_MINUTES * 60_000
  const time = new Date(Math.ceil(estimate.getTime() / step) * step)
  return time.toDateString() === new Date().toDateString()
    ? `at about ${clockText(time.toISOString())}`
    : `about ${dateTimeText(time.toISOString())}`
}

const PRINT_ONLY =
  'Without its picture, a card is found by its print: photograph it so that you can read its name and number.'
const IN_BACKGROUND =
  'The server indexes them in the background, sets that you scan and own first. If it cannot reach them, it tries again every hour.'
const OFF = 'The operator has turned their index off (INDEX_PICTURES).'
