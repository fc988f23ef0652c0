import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ScanSessionItem } from '#client/endpoints.ts'
import * as texts from '#texts/photos/review.ts'
import type { ApiError } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FormError } from '../../components/form-error.tsx'
import { listText } from '../../texts/list-text.ts'
import { photograph } from '../camera.tsx'
import { CameraPreview, useCamera } from '../camera-preview.tsx'
import { createFrameGrabber } from './camera-frames.ts'
import {
  adviseCapture,
  type CaptureAdvice,
  recordCapture,
  startCaptureRecord,
} from './capture-rules.ts'
import { areSoundsOn, openScanSounds, type ScanSounds, setSounds } from './scan-sounds.ts'

/** Time between two checks of the camera's picture. */
const LOOK_MS = 100

type ScanCameraProps = {
  /** Called with a photo for the queue. */
  onPhoto: (photo: File) => void
  /** Reason for which the last photo was not stored. */
  error: ApiError | undefined
  /** Items of the photo that was answered last. */
  answered: readonly ScanSessionItem[]
  /** Photos without an answer. */
  waiting: number
  onClose: () => void
}

/** Captures card after card from the camera, without a button. Answers are awaited in the background. */
export function ScanCamera({ onPhoto, error, answered, waiting, onClose }: ScanCameraProps) {
  const camera = useCamera()
  const [captured, setCaptured] = useState(0)
  const [isLoud, setLoud] = useState(areSoundsOn)
  const capture = async (video: HTMLVideoElement) => {
    setCaptured((last) => last + 1)
    const photo = await photograph(video)
    if (photo !== undefined) onPhoto(photo)
  }
  const { advice, captureNow } = useAutomaticCapture(camera, (video) => void capture(video))
  useAnswerSounds(answered)
  useWakeLock()
  const isWorking = camera.isReady && camera.problem === undefined
  return (
    <Dialog title={texts.holdOneCardAfterAnother} onClose={onClose}>
      <CameraPreview camera={camera} />
      {isWorking && (
        <p className={`capture-advice ${advice}`} role="status">
          {ADVICE[advice]}
        </p>
      )}
      <p className="small soft capture-answer">
        {texts.capturedCards({ captured, waiting, last: answerText(answered) })}
      </p>
      <FormError error={error} />
      <div className="capture-actions">
        <Button
          aria-pressed={isLoud}
          onClick={() => {
            setSounds(!isLoud)
            setLoud(!isLoud)
          }}
        >
          {isLoud ? texts.soundOn : texts.soundOff}
        </Button>
        {isWorking && <Button onClick={captureNow}>{texts.capture}</Button>}
        <Button className="main" onClick={onClose}>
          {texts.done}
        </Button>
      </div>
    </Dialog>
  )
}

/** Watches the camera's picture and captures each card once. */
function useAutomaticCapture(
  { video, isReady }: ReturnType<typeof useCamera>,
  onCapture: (video: HTMLVideoElement) => void,
) {
  const record = useRef(startCaptureRecord())
  const [advice, setAdvice] = useState<CaptureAdvice>('show')
  const capture = useEffectEvent(onCapture)
  useEffect(() => {
    const element = video.current
    if (!isReady || element === null) return
    const look = createFrameGrabber(element)
    const timer = setInterval(() => {
      const view = look()
      if (view === undefined) return
      const decision = adviseCapture(record.current, view)
      record.current = decision.record
      setAdvice(decision.advice)
      if (decision.advice === 'capture') capture(element)
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [video, isReady])
  return {
    advice,
    captureNow() {
      if (video.current === null) return
      record.current = recordCapture(record.current)
      onCapture(video.current)
    },
  }
}

/** Plays a sound for each answer: one for a match, another for a doubt. */
function useAnswerSounds(answered: readonly ScanSessionItem[]): void {
  const [sounds, setOpened] = useState<ScanSounds>()
  useEffect(() => {
    const opened = openScanSounds()
    setOpened(opened)
    return () => opened.close()
  }, [])
  const [first] = useState(answered)
  useEffect(() => {
    if (answered === first || answered.length === 0) return
    sounds?.play(answered.every(({ is_reviewed }) => is_reviewed) ? 'matched' : 'doubt')
  }, [answered, first, sounds])
}

/**
 * Prevents the screen from turning off, because nobody touches it while cards are captured. Browsers offer this over
 * HTTPS only.
 */
function useWakeLock(): void {
  useEffect(() => {
    const wakeLock: WakeLock | undefined = navigator.wakeLock
    let held: Promise<WakeLockSentinel | undefined> | undefined
    const request = () => {
      if (document.visibilityState !== 'visible') return
      // A phone that saves its battery refuses the lock.
      held = wakeLock?.request('screen').catch(() => undefined)
    }
    request()
    // Browsers release the lock of a page that is hidden.
    document.addEventListener('visibilitychange', request)
    return () => {
      document.removeEventListener('visibilitychange', request)
      void held?.then((lock) => lock?.release())
    }
  }, [])
}

/** Names the cards of the last photo; undefined before the first answer. */
function answerText(items: readonly ScanSessionItem[]): string | undefined {
  if (items.length === 0) return undefined
  return listText(
    items.map(({ name, is_reviewed }) =>
      is_reviewed ? (name ?? texts.aCard) : texts.needsADecision,
    ),
  )
}

const ADVICE: Readonly<Record<CaptureAdvice, string>> = {
  show: texts.showACard,
  hold: texts.holdStill,
  focus: texts.holdStillFocusing,
  capture: texts.captured,
  next: texts.capturedShowTheNextCard,
}
