import { type RefObject, useEffect, useRef, useState } from 'react'
import * as texts from '#texts/photos/camera.ts'

/** A camera whose picture is shown in a video element. */
export type CameraState = {
  video: RefObject<HTMLVideoElement | null>
  /** True while there is a picture. */
  isReady: boolean
  /** True if there was one, until the camera is free again: after a locked screen or a call. */
  isInterrupted: boolean
  /** Reason for which the picture is missing, and the remedy. */
  problem: string | undefined
  setProblem: (problem: string) => void
  onLoaded: () => void
}

/** Part of a picture, in its pixels. */
export type PictureRegion = { x: number; y: number; width: number; height: number }

/** Returns true if the browser offers a camera: over HTTPS or on localhost. */
export function hasCamera(): boolean {
  return typeof navigator.mediaDevices?.getUserMedia === 'function'
}

/** Keeps the camera open while the component is mounted. */
export function useCamera(): CameraState {
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<string>()
  const [phase, setPhase] = useState<'starting' | 'ready' | 'interrupted'>('starting')

  useEffect(
    () =>
      keepCameraOpen({
        onOpen(stream) {
          setProblem(undefined)
          if (video.current !== null) video.current.srcObject = stream
        },
        onMuted: (isMuted) => setPhase(isMuted ? 'interrupted' : 'ready'),
        onProblem: setProblem,
      }),
    [],
  )
  return {
    video,
    problem,
    setProblem,
    isReady: phase === 'ready',
    isInterrupted: phase === 'interrupted',
    onLoaded: () => setPhase('ready'),
  }
}

type CameraEvents = {
  onOpen: (stream: MediaStream) => void
  /** Called if the pictures pause, and with false if they go on. */
  onMuted: (isMuted: boolean) => void
  onProblem: (problem: string) => void
}

/**
 * Opens the camera, and again whenever a locked screen, a call or another program took it.
 *
 * @returns a function that closes it
 */
function keepCameraOpen({ onOpen, onMuted, onProblem }: CameraEvents): () => void {
  const closing = new AbortController()
  const { signal } = closing
  let stream: MediaStream | undefined
  let isOpening = false

  async function open(): Promise<void> {
    if (isOpening) return
    isOpening = true
    stop(stream)
    try {
      const next = await navigator.mediaDevices.getUserMedia({ video: WANTED, audio: false })
      // Closed during the permission prompt.
      if (signal.aborted) return stop(next)
      stream = next
      watch(next)
      onOpen(next)
    } catch (error) {
      if (!signal.aborted) onProblem(problemText(error))
    } finally {
      isOpening = false
    }
  }

  function watch(opened: MediaStream): void {
    for (const track of opened.getVideoTracks()) {
      track.addEventListener('mute', () => onMuted(true), { signal })
      track.addEventListener('unmute', () => onMuted(false), { signal })
      track.addEventListener('ended', () => onEnded(), { signal })
    }
  }

  function onEnded(): void {
    onMuted(true)
    recover()
  }

  function recover(): void {
    if (document.visibilityState === 'visible' && !isSending(stream)) void open()
  }

  document.addEventListener('visibilitychange', recover, { signal })
  void open()
  return () => {
    closing.abort()
    stop(stream)
  }
}

function isSending(stream: MediaStream | undefined): boolean {
  const tracks = stream?.getVideoTracks() ?? []
  return tracks.some(({ readyState, muted }) => readyState === 'live' && !muted)
}

function stop(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}

/**
 * At this size, the small print of a card that fills the frame is readable. Larger pictures take longer without
 * showing more.
 */
const WANTED = { facingMode: 'environment', width: { ideal: 1_920 }, height: { ideal: 1_920 } }

/** Shows the picture of a camera with the outline of a card, or the problem with it. */
export function CameraPreview({ camera }: { camera: CameraState }) {
  const { video, isReady, isInterrupted, problem, onLoaded } = camera
  return (
    <div className="camera">
      <video
        ref={video}
        autoPlay
        playsInline
        muted
        aria-label={texts.cameraPreview}
        onLoadedData={onLoaded}
      />
      {isReady && <span className="camera-frame" aria-hidden="true" />}
      {problem === undefined && !isReady && (
        <p className="camera-text" role="status">
          {isInterrupted ? texts.cameraWasInterruptedItGoes : texts.startingTheCamera}
        </p>
      )}
      {problem !== undefined && (
        <p className="camera-text" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Returns the part of a video that `object-fit: cover` shows. */
export function shownRegion(video: HTMLVideoElement): PictureRegion {
  const { videoWidth, videoHeight, clientWidth, clientHeight } = video
  const scale = Math.min(videoWidth / clientWidth, videoHeight / clientHeight)
  const [width, height] = [clientWidth * scale, clientHeight * scale]
  return { x: (videoWidth - width) / 2, y: (videoHeight - height) / 2, width, height }
}

function problemText(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  return PROBLEMS[name] ?? texts.cameraCouldNotStartAnother
}

const PROBLEMS: Readonly<Record<string, string>> = {
  NotAllowedError: texts.cameraIsBlocked,
  NotFoundError: texts.noCameraFoundChooseAPhoto,
}
