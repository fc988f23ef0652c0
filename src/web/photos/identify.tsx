import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import type { Game } from '#client/endpoints.ts'
import * as texts from '#texts/photos/identify.ts'
import { useGames } from '../catalog/queries.ts'
import { QueryError } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { GameSelect } from '../components/select.tsx'
import { useAction } from '../hooks/use-action.ts'
import { apiQuery } from '../query-client.ts'
import { useSession } from '../session.ts'
import { Camera } from './camera.tsx'
import { IdentifyError, PhotoError } from './identify-error.tsx'
import { PhotoDropZone, PhotoTips, SignedOutIntro } from './identify-start.tsx'
import { PageOutlines, PageResult } from './page-result.tsx'
import { PhotoPane } from './photo-pane.tsx'
import { PhotoPick } from './photo-pick.tsx'
import {
  addShot,
  findShot,
  type PhotoSession,
  readAllCards,
  retryShot,
  type Shot,
  usePhotoOwner,
  usePhotoSession,
} from './photo-session.ts'
import { usePhotoSources } from './photo-sources.ts'
import { PictureNote } from './picture-note.tsx'
import { Result, ResultSkeleton } from './result.tsx'
import { ScansLeft } from './scans-left.tsx'
import { ShotList, shotTitle } from './shot-list.tsx'

/** Identifies a card by photo. */
export function IdentifyView() {
  const { me } = useSession()
  const known = useGames().data?.data ?? []
  usePhotoOwner(me)
  return (
    <Page
      title={texts.identifyACard}
      lead={texts.sendAPhotoToFind}
      aside={
        me ? (
          <div className="row">
            <ScansLeft />
            <Link className="button" href="/identify/sessions">
              {texts.scanManyCards}
            </Link>
          </div>
        ) : undefined
      }
    >
      {me === undefined && <ResultSkeleton />}
      {me === null && <SignedOutIntro games={known} />}
      {me && <IdentifyPanel account={me.id} games={known} />}
    </Page>
  )
}

/** Photo input and result. The URL names the shown photo. */
function IdentifyPanel({ account, games }: { account: number; games: readonly Game[] }) {
  const [, go] = useLocation()
  const query = new URLSearchParams(useSearch())
  const name = query.get('id') ?? undefined
  const game = query.get('game') ?? undefined
  const isPage = query.has(PAGE)
  const photoSession = usePhotoSession()
  const shot = findShot(photoSession, name)
  const [isCamera, setCamera] = useState(false)
  const [choice, setChoice] = useState({ key: '', card: 0 })
  const shownCard = choice.key === shot?.key ? choice.card : 0
  const showCard = (card: number) => setChoice({ key: shot?.key ?? '', card })

  const take = useAction(async (files: readonly File[]) => {
    const [file] = files
    if (file === undefined) return
    if (files.length === 1)
      return go(addressOf({ game, isPage, id: await addShot(file, { game, isPage }) }))
    const { startScanSession } = await import('./sessions/scan-sessions.tsx')
    go(await startScanSession(account, files, { game, isPage }))
  })
  const readAll = (one: Shot) => {
    readAllCards(one)
    go(addressOf({ game, isPage: true, id: one.key }), { replace: true })
  }
  const isOver = usePhotoSources((files) => void take.start(files))

  // The identification id outlives this session, so it replaces the local key.
  const id = shot?.state === 'read' ? shot.answer.id : undefined
  useEffect(() => {
    if (id !== undefined && id !== name) go(addressOf({ game, id, isPage }), { replace: true })
  }, [id, name, game, isPage, go])

  const isEmpty = shot === undefined && (name === undefined || name.startsWith('photo-'))
  const pick = (
    <>
      <PhotoPick
        isAnother={!isEmpty}
        onPick={(files) => void take.start(files)}
        onCamera={() => setCamera(true)}
      />
      <GameSelect
        label={texts.searchIn}
        all={texts.anyGame}
        games={games}
        value={game}
        onChange={(slug) =>
          go(addressOf({ game: slug || undefined, id: name, isPage }), { replace: true })
        }
      />
      <label className="check">
        <input
          type="checkbox"
          checked={isPage}
          onChange={() => go(addressOf({ game, id: name, isPage: !isPage }), { replace: true })}
        />
        {texts.severalCardsInOnePhoto}
      </label>
    </>
  )
  return (
    <div className="stack">
      <p className="visually-hidden" role="status">
        {shot !== undefined && statusText(shot, photoSession)}
      </p>
      {take.error !== undefined && <PhotoError error={take.error} />}
      <div className={isEmpty ? 'identify-panel empty' : 'identify-panel'}>
        <div className="identify-photo">
          {shot === undefined ? (
            <PhotoDropZone isOver={isOver} pick={pick} />
          ) : (
            <PhotoPane shot={shot} isOver={isOver} pick={pick}>
              {shot.state === 'read page' && (
                <PageOutlines page={shot.page} shown={shownCard} onShow={showCard} />
              )}
            </PhotoPane>
          )}
        </div>
        <div className="identify-result">
          {isEmpty && <PhotoTips />}
          {shot === undefined && !isEmpty && name !== undefined && <EarlierResult id={name} />}
          {shot?.state === 'read page' && (
            <PageResult page={shot.page} shown={shownCard} onShow={showCard} />
          )}
          {shot !== undefined && shot.state !== 'read page' && (
            <ShotResult shot={shot} onReadAll={() => readAll(shot)} />
          )}
        </div>
      </div>
      <PictureNote />
      {photoSession.shots.length > (shot === undefined ? 0 : 1) && (
        <ShotList
          session={photoSession}
          shown={shot?.key}
          hrefOf={(id) => addressOf({ game, id, isPage })}
          onClear={() => go(addressOf({ game, id: undefined, isPage }))}
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

/** Query parameter of photos with several cards. */
const PAGE = 'page'

type ShotResultProps = { shot: Exclude<Shot, { state: 'read page' }>; onReadAll: () => void }

function ShotResult({ shot, onReadAll }: ShotResultProps) {
  switch (shot.state) {
    case 'reading':
      return <ResultSkeleton />
    case 'read':
      return <Result key={shot.answer.id} answer={shot.answer} onReadAll={onReadAll} />
    case 'failed':
      return <IdentifyError error={shot.error} again={() => retryShot(shot)} />
    case 'stopped':
      return <PhotoTips />
  }
}

/** Shows an identification of an earlier session. */
function EarlierResult({ id }: { id: string }) {
  const result = useQuery({
    ...apiQuery('/v1/identify/{id}', { path: { id } }),
    placeholderData: () => undefined,
  })
  if (result.isError) return <QueryError query={result} notFound={NOT_FOUND} />
  if (result.isPending) return <ResultSkeleton />
  const { data } = result.data
  return <Result key={id} answer={data} earlierFeedback={data.feedback?.card_id} />
}

function statusText(shot: Shot, photoSession: PhotoSession): string {
  // Errors are announced where they are shown.
  if (shot.state === 'failed') return ''
  if (shot.state === 'reading') return texts.readingYourPhoto
  const title = shotTitle(shot, photoSession)
  return shot.state.startsWith('read') ? texts.photoRead(title) : texts.yourPhoto(title)
}

type Address = { game: string | undefined; id: string | undefined; isPage: boolean }

function addressOf({ game, id, isPage }: Address): string {
  const query = new URLSearchParams()
  if (isPage) query.set(PAGE, 'true')
  if (game !== undefined) query.set('game', game)
  if (id !== undefined) query.set('id', id)
  return query.size === 0 ? '/identify' : `/identify?${query}`
}

const NOT_FOUND = {
  title: texts.identificationNotFound,
  text: texts.itMayBelongToAnotherAccount,
}
