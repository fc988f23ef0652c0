import { useEffect, useLayoutEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Game } from '#client/endpoints.ts'
import { ApiError, api } from '../api.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { useAction } from '../hooks/use-action.ts'
import { useGames } from '../hooks/use-games.ts'
import { useQuery } from '../hooks/use-query.ts'
import { useSession } from '../session.tsx'
import { Camera } from './camera.tsx'
import { GameChoice } from './game-choice.tsx'
import { IdentifyError, PhotoError } from './identify-error.tsx'
import { PhotoDropZone, PhotoTips } from './photo-drop-zone.tsx'
import { PhotoPane } from './photo-pane.tsx'
import { PhotoPick } from './photo-pick.tsx'
import {
  addShot,
  findShot,
  type PhotoSession,
  retryShot,
  type Shot,
  setSessionOwner,
  usePhotoSession,
} from './photo-session.ts'
import { usePhotoSources } from './photo-sources.ts'
import { Result } from './result.tsx'
import { ResultSkeleton } from './result-skeleton.tsx'
import { ScansLeft } from './scans-left.tsx'
import { ShotList, shotTitle } from './shot-list.tsx'
import { SignedOutIntro } from './signed-out-intro.tsx'

/** Which card a photo shows. */
export function IdentifyView() {
  const { me } = useSession()
  const id = me?.id
  const known = useGames().data?.data ?? []
  // Before anything is seen: photos of who was here before are nobody else's.
  useLayoutEffect(() => {
    if (me !== undefined) setSessionOwner(id)
  }, [me, id])
  return (
    <Page
      title="Identify a card"
      lead="One photo tells which card it is, and what each of its printings is worth."
      aside={me ? <ScansLeft /> : undefined}
    >
      {me === undefined && <ResultSkeleton />}
      {me === null && <SignedOutIntro games={known} />}
      {me && <IdentifyPanel games={known} />}
    </Page>
  )
}

/** Where photos come in and what they came to. What is shown stands in the address. */
function IdentifyPanel({ games }: { games: readonly Game[] }) {
  const [, go] = useLocation()
  const query = new URLSearchParams(useSearch())
  const name = query.get('id') ?? undefined
  const game = query.get('game') ?? undefined
  const photoSession = usePhotoSession()
  const shot = findShot(photoSession, name)
  const [isCamera, setCamera] = useState(false)

  const take = useAction(async (files: readonly File[]) => {
    const [file, second] = files
    if (file === undefined) return
    if (second !== undefined) {
      throw new ApiError('INVALID_IMAGE', 'Each photo is read by itself: choose one of them.')
    }
    go(addressOf({ game, id: await addShot(file, game) }))
  })
  const isOver = usePhotoSources((files) => void take.start(files))

  // Once it is read its own id names it, which outlasts this visit.
  const id = shot?.state === 'read' ? shot.answer.id : undefined
  useEffect(() => {
    if (id !== undefined && id !== name) go(addressOf({ game, id }), { replace: true })
  }, [id, name, game, go])

  const isEmpty = shot === undefined && (name === undefined || name.startsWith('photo-'))
  const pick = (
    <>
      <PhotoPick
        isAnother={!isEmpty}
        onPick={(files) => void take.start(files)}
        onCamera={() => setCamera(true)}
      />
      <GameChoice
        games={games}
        value={game}
        onChange={(next) => go(addressOf({ game: next, id: name }), { replace: true })}
      />
    </>
  )
  return (
    <div className="identify">
      <p className="unseen" role="status">
        {shot !== undefined && statusText(shot, photoSession)}
      </p>
      {take.error !== undefined && <PhotoError error={take.error} />}
      <div className={isEmpty ? 'desk empty' : 'desk'}>
        <div className="desk-photo">
          {shot === undefined ? (
            <PhotoDropZone isOver={isOver} pick={pick} />
          ) : (
            <PhotoPane shot={shot} isOver={isOver} pick={pick} />
          )}
        </div>
        <div className="desk-result">
          {isEmpty && <PhotoTips />}
          {shot === undefined && !isEmpty && name !== undefined && <EarlierResult id={name} />}
          {shot !== undefined && <ShotResult shot={shot} />}
        </div>
      </div>
      {photoSession.shots.length > (shot === undefined ? 0 : 1) && (
        <ShotList
          session={photoSession}
          shown={shot?.key}
          hrefOf={(id) => addressOf({ game, id })}
          onClear={() => go(addressOf({ game, id: undefined }))}
        />
      )}
      {isCamera && (
        <Camera
          onClose={() => setCamera(false)}
          onPhoto={(photo) => {
            setCamera(false)
            void take.start([photo])
          }}
        />
      )}
    </div>
  )
}

/** What the photo came to, as far as that is known. */
function ShotResult({ shot }: { shot: Shot }) {
  switch (shot.state) {
    case 'reading':
      return <ResultSkeleton />
    case 'read':
      return <Result key={shot.answer.id} answer={shot.answer} />
    case 'failed':
      return <IdentifyError error={shot.error} again={() => retryShot(shot)} />
    case 'stopped':
      return <PhotoTips />
  }
}

/** One that was read before this visit, by its address. */
function EarlierResult({ id }: { id: string }) {
  const asked = useQuery(`identification ${id}`, (signal) =>
    api.get('/v1/identify/{id}', { path: { id }, signal }),
  )
  if (asked.state === 'failed') return <ErrorMessage error={asked.error} again={asked.again} />
  if (asked.state === 'loading') return <ResultSkeleton />
  const { data } = asked.data
  return <Result key={id} answer={data} earlierFeedback={data.feedback?.card_id} />
}

function statusText(shot: Shot, photoSession: PhotoSession): string {
  // What failed is told where it stands.
  if (shot.state === 'failed') return ''
  if (shot.state === 'reading') return 'Reading your photo'
  const title = shotTitle(shot, photoSession)
  return shot.state === 'read' ? `Your photo was read: ${title}` : `Your photo: ${title}`
}

function addressOf({ game, id }: { game: string | undefined; id: string | undefined }): string {
  const query = new URLSearchParams()
  if (game !== undefined) query.set('game', game)
  if (id !== undefined) query.set('id', id)
  return query.size === 0 ? '/identify' : `/identify?${query}`
}
