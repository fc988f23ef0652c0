import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import * as texts from '#texts/photos/picture-note.ts'
import { Note } from '../components/note.tsx'
import { apiQuery } from '../query-client.ts'
import { useSession } from '../session.ts'
import { pictureNote } from './picture-note-text.ts'

/** Milliseconds between two looks at an index that grows. */
const LOOK_MS = 60_000

/** Says how many pictures photos are compared with, until nearly all were tried or while few are indexed. */
export function PictureNote() {
  const { me } = useSession()
  const { data } = useQuery({
    ...apiQuery('/v1/identify/usage'),
    refetchInterval: ({ state }) =>
      pictureNote(state.data?.data.pictures) === undefined ? false : LOOK_MS,
  })
  const note = pictureNote(data?.data.pictures)
  if (note === undefined) return null
  return (
    <Note title={note.title} text={note.text}>
      {me?.is_operator && (
        <Link className="button" href="/operator">
          {texts.operator}
        </Link>
      )}
    </Note>
  )
}
