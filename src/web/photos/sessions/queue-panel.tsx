import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import * as texts from '#texts/photos/review.ts'
import { Button } from '../../components/button.tsx'
import { Note } from '../../components/note.tsx'
import { count } from '../../format.ts'
import { readServiceState } from '../../service-state.ts'
import { PageSteps } from '../page-steps.tsx'
import type { QueuedPhoto, ScanQueue, ScanQueueState } from './scan-queue.ts'

type QueuePanelProps = { queue: ScanQueue; state: ScanQueueState }

/** Shows the photos that are being sent, the reason if they wait, and the refused ones. */
export function QueuePanel({ queue, state }: QueuePanelProps) {
  const { photos, answered, pause, isActive } = state
  const refused = photos.filter(({ problem }) => problem !== undefined)
  const waiting = photos.length - refused.length
  const total = answered + waiting
  if (total === 0 && refused.length === 0) return null
  return (
    <section className="panel stack tight" aria-label={texts.photos}>
      {total > 0 && (
        <div className="stack tight">
          <p role="status">
            {waiting === 0
              ? texts.photosReadOf(answered)
              : texts.readingPhotosOf({ answered: count(answered), total: count(total) })}
          </p>
          {waiting > 0 && (
            <progress
              className="queue-progress"
              value={answered}
              max={total}
              aria-label={texts.photosRead}
            />
          )}
          {photos.some(({ isPage, isSending }) => isPage && isSending) && <PageSteps />}
        </div>
      )}
      {waiting > 0 && !isActive && <p className="soft">{texts.anotherTab}</p>}
      {waiting > 0 && pause !== undefined && <PauseNote queue={queue} pause={pause} />}
      {refused.length > 0 && (
        <ul className="refused-photos" aria-label={texts.photosThatCouldNotBeRead}>
          {refused.map((photo) => (
            <RefusedPhoto key={photo.key} photo={photo} queue={queue} />
          ))}
        </ul>
      )}
    </section>
  )
}

type PauseNoteProps = { queue: ScanQueue; pause: NonNullable<ScanQueueState['pause']> }

function PauseNote({ queue, pause: { error, until } }: PauseNoteProps) {
  const isEmpty = error.code === 'SCAN_BALANCE_EMPTY'
  return (
    <Note
      tone="wait"
      role="alert"
      title={
        isEmpty ? texts.noScansLeft : until === undefined ? texts.paused : texts.waitingForTheServer
      }
      text={isEmpty ? texts.photosStayInThisBrowser : error.message}
    >
      <div className="row">
        {isEmpty && readServiceState().billing !== 'off' && (
          <Link className="button main" href="/account/scans">
            {texts.seeScanPacks}
          </Link>
        )}
        <Button onClick={() => queue.resume()}>
          {texts.continueLabel}
          {until !== undefined && <Countdown until={until} />}
        </Button>
      </div>
    </Note>
  )
}

/**
 * Counts down the seconds until the queue continues automatically. Hidden from screen readers, which would read out
 * every second.
 */
function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000))
  return <span aria-hidden="true">{texts.countdown(seconds)}</span>
}

type RefusedPhotoProps = { photo: QueuedPhoto; queue: ScanQueue }

function RefusedPhoto({ photo: { key, problem }, queue }: RefusedPhotoProps) {
  return (
    <li className="row">
      <span className="field-error">{problem}</span>
      <Button className="small" onClick={() => void queue.retry(key)}>
        {texts.tryAgain}
      </Button>
      <Button className="small quiet" onClick={() => void queue.remove(key)}>
        {texts.remove}
      </Button>
    </li>
  )
}
