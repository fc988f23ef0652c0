import { Link } from 'wouter'
import * as texts from '#texts/photos/camera.ts'
import type { ApiError } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { Note } from '../components/note.tsx'
import { readServiceState } from '../service-state.ts'

/** Shows why a photo was not identified and whether it cost a scan. */
export function IdentifyError({ error, again }: { error: ApiError; again: () => void }) {
  const retry = <Button onClick={again}>{texts.tryAgain}</Button>
  if (error.code === 'SCAN_BALANCE_EMPTY' && readServiceState().billing === 'off') {
    return (
      <Note tone="wait" role="alert" title={texts.noScansLeft} text={error.message}>
        {retry}
      </Note>
    )
  }
  if (error.code === 'SCAN_BALANCE_EMPTY') {
    const text = texts.scanPacksNeverExpire
    return (
      <Note tone="wait" role="alert" title={texts.noScansLeft} text={text}>
        <div className="row">
          <Link className="button main" href="/account/scans">
            {texts.seeScanPacks}
          </Link>
          {retry}
        </div>
      </Note>
    )
  }
  if (error.code === 'IDENTIFY_UNAVAILABLE') {
    const text = (
      <>
        <p>{error.message}</p>
        <p>{texts.scanWasRefunded}</p>
      </>
    )
    return (
      <Note tone="wait" role="alert" title={texts.photoCouldNotBeRead} text={text}>
        {retry}
      </Note>
    )
  }
  if (error.code === 'INVALID_IMAGE') return <PhotoError error={error} />
  // A retry would come from the same region.
  if (error.code === 'IDENTIFY_REGION_UNAVAILABLE') return <ErrorMessage error={error} />
  return <ErrorMessage error={error} onRetry={again} />
}

/** Requests another photo: a retry would fail again. */
export function PhotoError({ error }: { error: ApiError }) {
  return <Note tone="bad" role="alert" title={texts.invalidPhoto} text={error.message} />
}
