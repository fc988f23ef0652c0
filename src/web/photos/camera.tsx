import { useEffect, useRef, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { useAction } from '../hooks/use-action.ts'
import { encodeJpeg } from './photo-file.ts'

type CameraProps = { onPhoto: (photo: File) => void; onClose: () => void }

/** Returns true if the browser offers a camera: over HTTPS or on localhost. */
export function hasCamera(): boolean {
  return typeof navigator.mediaDevices?.getUserMedia === 'function'
}

/** Shows the camera with a card frame and a shutter button. */
export function Camera({ onPhoto, onClose }: CameraProps) {
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

  const shot = useAction(async () => {
    const photo = video.current === null ? undefined : await shownOf(video.current)
    if (photo === undefined)
      setProblem('The camera returned no image. Close it and choose a photo.')
    else onPhoto(new File([photo], 'camera.jpg', { type: photo.type }))
  })

  return (
    <Dialog title="Fill the frame with one card" onClose={onClose}>
      <div className="camera">
        <video
          ref={video}
          autoPlay
          playsInline
          muted
          aria-label="Camera preview"
          onLoadedData={() => setReady(true)}
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
      <div className="row end">
        <Button onClick={onClose}>Close</Button>
        {problem === undefined && (
          <Button className="main" disabled={!isReady} action={shot}>
            Take photo
          </Button>
        )}
      </div>
    </Dialog>
  )
}

const WANTED = { facingMode: 'environment', width: { ideal: 1_920 }, height: { ideal: 1_920 } }

/** Crops the frame to what `object-fit: cover` shows. */
async function shownOf(video: HTMLVideoElement): Promise<Blob | undefined> {
  const { videoWidth, videoHeight, clientWidth, clientHeight } = video
  const scale = Math.min(videoWidth / clientWidth, videoHeight / clientHeight)
  const size = { width: clientWidth * scale, height: clientHeight * scale }
  const from = { x: (videoWidth - size.width) / 2, y: (videoHeight - size.height) / 2, ...size }
  return encodeJpeg(video, from, size)
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
