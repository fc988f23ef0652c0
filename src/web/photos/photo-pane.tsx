import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import * as texts from '#texts/photos/identify.ts'
import { Button } from '../components/button.tsx'
import { PageSteps } from './page-steps.tsx'
import { cancelShot, retryShot, type Shot } from './photo-session.ts'

/** Maximum duration of most identifications, in milliseconds. */
const USUAL_MS = 6_000

type PhotoPaneProps = {
  shot: Shot
  /** True while a photo is dragged over the page. */
  isOver: boolean
  /** Buttons that add another photo. */
  pick: ReactNode
  /** Drawn over the photo. */
  children?: ReactNode
}

/** Shows a photo and its state. */
export function PhotoPane({ shot, isOver, pick, children }: PhotoPaneProps) {
  const { key, picture, state } = shot
  const actions = useRef<HTMLDivElement>(null)
  // The focused button is gone: move the focus here for keyboard users.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each state has other buttons
  useLayoutEffect(() => {
    if (document.activeElement === document.body) actions.current?.focus({ preventScroll: true })
  }, [key, state])
  return (
    <div className="photo-pane">
      <div className={`photo-frame ${state.split(' ')[0]}`}>
        <img src={picture} alt={texts.yours} />
        {children}
        {isOver && <p className="photo-over">{texts.dropThePhotoToIdentifyIt}</p>}
      </div>
      <div className="photo-actions" ref={actions} tabIndex={-1}>
        {state === 'reading' && (
          <>
            <Reading key={key} />
            {shot.isPage && <PageSteps />}
            <Button onClick={() => cancelShot(shot)}>{texts.cancel}</Button>
          </>
        )}
        {state === 'stopped' && (
          <>
            <p>{texts.canceledText}</p>
            <Button onClick={() => retryShot(shot)}>{texts.tryAgain}</Button>
          </>
        )}
        {state !== 'reading' && pick}
      </div>
    </div>
  )
}

/** Shows progress in words, for reduced motion. */
function Reading() {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), USUAL_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p>
      <strong>{texts.readingYourPhotoNow}</strong>{' '}
      <span role="status">{isSlow && texts.takesLonger}</span>
    </p>
  )
}
