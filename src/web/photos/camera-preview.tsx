import { type RefObject, useEffect, useRef, useState } from 'react'

/** A camera whose picture is shown in a video element. */
export type CameraState = {
  video: RefObject<HTMLVideoElement | null>
  /** True once there is a picture. */
  isReady: boolean
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

/** Opens the camera while the component is mounted. */
export function useCamera(): CameraState {
  const video = useRef<HTMLVideoElement>(null)
  const [stream, setStream] = useState<MediaStream>()
  const [problem, setProblem] = useState<string>()
  const [isReady, setReady] = useState(false)

  useEffect(() => {
    let isGone = false
    let opened: MediaStream | undefined
    const stop = () => {
      for (const track of opened?.getTracks() ?? []) track.stop()
    }
    navigator.mediaDevices.getUserMedia({ video: WANTED, audio: false }).then(
      (next) => {
        opened = next
        // Closed during the permission prompt.
        if (isGone) stop()
        else setStream(next)
      },
      (error) => {
        if (!isGone) setProblem(problemText(error))
      },
    )
    return () => {
      isGone = true
      stop()
    }
  }, [])

  useEffect(() => {
    if (video.current !== null && stream !== undefined) video.current.srcObject = stream
  }, [stream])
  return { video, isReady, problem, setProblem, onLoaded: () => setReady(true) }
}

/**
 * At this size, the small print of a card that fills the frame is readable. Larger pictures take longer without
 * showing more.
 */
const WANTED = { facingMode: 'environment', width: { ideal: 1_920 }, height: { ideal: 1_920 } }

/** Shows the picture of a camera with the outline of a card, or the problem with it. */
export function CameraPreview({ camera }: { camera: CameraState }) {
  const { video, isReady, problem, onLoaded } = camera
  return (
    <div className="camera">
      <video
        ref={video}
        autoPlay
        playsInline
        muted
        aria-label="Camera preview"
        onLoadedData={onLoaded}
      />
      {isReady && <span className="camera-frame" aria-hidden="true" />}
      {problem === undefined && !isReady && (
        <p className="camera-text" role="status">
          Starting the camera. Your browser may ask for permission.
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
  return (
    PROBLEMS[name] ??
    'The camera could not start. Another program may be using it. Choose a photo instead.'
  )
}

const PROBLEMS: Readonly<Record<string, string>> = {
  NotAllowedError:
    'Camera access is blocked. Allow it in your browser settings, or choose a photo.',
  NotFoundError: 'No camera found. Choose a photo instead.',
}
