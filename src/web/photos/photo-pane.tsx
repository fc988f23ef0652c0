import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { cancelShot, retryShot, type Shot } from './photo-session.ts'

/** How long a reading usually takes at most, in milliseconds. */
const USUAL_MS = 6_000

type PhotoPaneProps = {
  shot: Shot
  /** Whether another photo is being dragged over the page. */
  isOver: boolean
  /** Ways to another photo. */
  pick: ReactNode
}

/** A photo of this visit, and how far it is. */
export function PhotoPane({ shot, isOver, pick }: PhotoPaneProps) {
  const { key, picture, state } = shot
  const deeds = useRef<HTMLDivElement>(null)
  // The button that led here is gone, and the focus with it: who goes by keyboard goes on from here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each state other buttons go
  useLayoutEffect(() => {
    if (document.activeElement === document.body) deeds.current?.focus({ preventScroll: true })
  }, [key, state])
  return (
    <div className="photo-pane">
      <div className={`photo-frame ${state}`}>
        <img src={picture} alt="Yours" />
        {isOver && <p className="photo-over">Let go, and it is read</p>}
      </div>
      <div className="photo-deeds" ref={deeds} tabIndex={-1}>
        {state === 'reading' && (
          <>
            <Reading key={key} />
            <button type="button" className="button" onClick={() => cancelShot(shot)}>
              Cancel
            </button>
          </>
        )}
        {state === 'stopped' && (
          <>
            <p>You stopped it. It may have used its scan all the same.</p>
            <button type="button" className="button" onClick={() => retryShot(shot)}>
              Read it now
            </button>
          </>
        )}
        {state !== 'reading' && pick}
      </div>
    </div>
  )
}

/** That it goes on, in words, also where nothing may move. */
function Reading() {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), USUAL_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p>
      <strong>Reading your photo…</strong>{' '}
      <span role="status">
        {isSlow && 'It takes longer than usual. You can go on waiting, or cancel.'}
      </span>
    </p>
  )
}
