import { useEffect, useLayoutEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Game } from '#client/endpoints.ts'
import { ApiError, api } from '../api.ts'
import { Fault } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { useDeed } from '../hooks/use-action.ts'
import { useGames } from '../hooks/use-games.ts'
import { useAsk } from '../hooks/use-query.ts'
import { useSession } from '../session.tsx'
import { Camera } from './camera.tsx'
import { GameChoice } from './game-choice.tsx'
import { PhotoRefused, ReadFault } from './identify-error.tsx'
import { PhotoDoor, PhotoTips } from './identify-panel.tsx'
import { PhotoPane } from './photo-pane.tsx'
import { PhotoPick } from './photo-pick.tsx'
import {
  keepVisitOf,
  readAgain,
  type Shot,
  shotNamed,
  takeShot,
  useVisit,
  type Visit,
} from './photo-session.ts'
import { usePhotoWays } from './photo-sources.ts'
import { Result } from './result.tsx'
import { ResultBones } from './result-skeleton.tsx'
import { ScansLeft } from './scans-left.tsx'
import { Strip, shotTitle } from './shot-list.tsx'
import { Newcomer } from './signed-out-intro.tsx'

/** Which card a photo shows. */
export function IdentifyView() {
  const { me } = useSession()
  const id = me?.id
  const known = useGames().data?.data ?? []
  // Before anything is seen: photos of who was here before are nobody else's.
  useLayoutEffect(() => {
    if (me !== undefined) keepVisitOf(id)
  }, [me, id])
  return (
    <Page
      title="Identify a card"
      lead="One photo tells which card it is, and what each of its printings is worth."
      aside={me ? <ScansLeft /> : undefined}
    >
      {me === undefined && <ResultBones />}
      {me === null && <Newcomer games={known} />}
      {me && <Desk games={known} />}
    </Page>
  )
}

/** Where photos come in and what they came to. What is shown stands in the address. */
function Desk({ games }: { games: readonly Game[] }) {
  const [, go] = useLocation()
  const query = new URLSearchParams(useSearch())
  const name = query.get('id') ?? undefined
  const game = query.get('game') ?? undefined
  const visit = useVisit()
  const shot = shotNamed(visit, name)
  const [isCamera, setCamera] = useState(false)

  const take = useDeed(async (files: readonly File[]) => {
    const [file, second] = files
    if (file === undefined) return
    if (second !== undefined) {
      throw new ApiError('INVALID_IMAGE', 'Each photo is read by itself: choose one of them.')
    }
    go(addressOf({ game, id: await takeShot(file, game) }))
  })
  const isOver = usePhotoWays((files) => void take.start(files))

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
        {shot !== undefined && toldOf(shot, visit)}
      </p>
      {take.error !== undefined && <PhotoRefused error={take.error} />}
      <div className={isEmpty ? 'desk empty' : 'desk'}>
        <div className="desk-photo">
          {shot === undefined ? (
            <PhotoDoor isOver={isOver} pick={pick} />
          ) : (
            <PhotoPane shot={shot} isOver={isOver} pick={pick} />
          )}
        </div>
        <div className="desk-result">
          {isEmpty && <PhotoTips />}
          {shot === undefined && !isEmpty && name !== undefined && <Earlier id={name} />}
          {shot !== undefined && <ShotResult shot={shot} />}
        </div>
      </div>
      {visit.shots.length > (shot === undefined ? 0 : 1) && (
        <Strip
          visit={visit}
          shown={shot?.key}
          hrefOf={(id) => addressOf({ game, id })}
          onForget={() => go(addressOf({ game, id: undefined }))}
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
      return <ResultBones />
    case 'read':
      return <Result key={shot.answer.id} answer={shot.answer} />
    case 'failed':
      return <ReadFault error={shot.error} again={() => readAgain(shot)} />
    case 'stopped':
      return <PhotoTips />
  }
}

/** One that was read before this visit, by its address. */
function Earlier({ id }: { id: string }) {
  const asked = useAsk(`identification ${id}`, (signal) =>
    api.get('/v1/identify/{id}', { path: { id }, signal }),
  )
  if (asked.state === 'failed') return <Fault error={asked.error} again={asked.again} />
  if (asked.state === 'loading') return <ResultBones />
  const { data } = asked.data
  return <Result key={id} answer={data} saidBefore={data.feedback?.card_id} />
}

function toldOf(shot: Shot, visit: Visit): string {
  // What failed is told where it stands.
  if (shot.state === 'failed') return ''
  if (shot.state === 'reading') return 'Reading your photo'
  const title = shotTitle(shot, visit)
  return shot.state === 'read' ? `Your photo was read: ${title}` : `Your photo: ${title}`
}

function addressOf({ game, id }: { game: string | undefined; id: string | undefined }): string {
  const query = new URLSearchParams()
  if (game !== undefined) query.set('game', game)
  if (id !== undefined) query.set('id', id)
  return query.size === 0 ? '/identify' : `/identify?${query}`
}
