import { useEffect, useRef, useState } from 'react'
import { BusyButton } from '../components/busy-button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { useAction } from '../hooks/use-action.ts'
import { jpegOf } from './photo-file.ts'

type CameraProps = { onPhoto: (photo: File) => void; onClose: () => void }

/** Whether the browser lets this page have a camera: over https, or on this machine. */
export function hasCamera(): boolean {
  return typeof navigator.mediaDevices?.getUserMedia === 'function'
}

/** The camera's picture with a frame of a card's shape, and a shutter. */
export function Camera({ onPhoto, onClose }: CameraProps) {
  const video = useRef<HTMLVideoElement>(null)
  const [stream, setStream] = useState<MediaStream>()
  const [fault, setFault] = useState<string>()
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
        // Closed while the browser was still asking.
        if (isGone) stop()
        else setStream(next)
      },
      (error) => {
        if (!isGone) setFault(faultText(error))
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
    if (photo === undefined) setFault('The camera gave no picture. Close it, and choose a photo.')
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
          aria-label="What the camera sees"
          onLoadedData={() => setReady(true)}
        />
        {isReady && <span className="camera-frame" aria-hidden="true" />}
        {fault === undefined && !isReady && (
          <p className="camera-words" role="status">
            Starting the camera. The browser may ask whether this page may use it.
          </p>
        )}
        {fault !== undefined && (
          <p className="camera-words" role="alert">
            {fault}
          </p>
        )}
      </div>
      <div className="row end">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
        {fault === undefined && (
          <BusyButton
            className="main"
            disabled={!isReady}
            isBusy={shot.isRunning}
            onClick={() => void shot.start()}
          >
            Take the photo
          </BusyButton>
        )}
      </div>
    </Dialog>
  )
}

const WANTED = { facingMode: 'environment', width: { ideal: 1_920 }, height: { ideal: 1_920 } }

/** The part of the camera's picture that is seen: it fills its box, and what stands over is cut off. */
async function shownOf(video: HTMLVideoElement): Promise<Blob | undefined> {
  const { videoWidth, videoHeight, clientWidth, clientHeight } = video
  const scale = Math.min(videoWidth / clientWidth, videoHeight / clientHeight)
  const size = { width: clientWidth * scale, height: clientHeight * scale }
  const from = { x: (videoWidth - size.width) / 2, y: (videoHeight - size.height) / 2, ...size }
  return jpegOf(video, from, size)
}

function faultText(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  return FAULTS[name] ?? 'The camera does not start: another program may have it. Choose a photo.'
}

const FAULTS: Readonly<Record<string, string>> = {
  NotAllowedError:
    'This page may not use the camera. Allow it in the settings of the browser for this page, or choose a photo.',
  NotFoundError: 'No camera was found. Choose a photo instead.',
}
