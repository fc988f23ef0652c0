import { useRef } from 'react'
import * as texts from '#texts/photos/camera.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { useAction } from '../hooks/use-action.ts'
import { CameraPreview, shownRegion, useCamera } from './camera-preview.tsx'
import { encodeJpeg } from './photo-file.ts'

type CameraProps = { onPhoto: (photo: File) => void; onClose: () => void }

/** Shows the camera with a card frame and a shutter button. */
export function Camera({ onPhoto, onClose }: CameraProps) {
  const camera = useCamera()
  const { video, isReady, problem, setProblem } = camera
  // A second click can come before the dialog has closed.
  const isTaken = useRef(false)
  const shot = useAction(async () => {
    const photo = video.current === null ? undefined : await photograph(video.current)
    if (photo === undefined) setProblem(texts.cameraReturnedNoImageClose)
    else if (!isTaken.current) {
      isTaken.current = true
      onPhoto(photo)
    }
  })

  return (
    <Dialog title={texts.fillTheFrameWithOneCard} onClose={onClose}>
      <CameraPreview camera={camera} />
      <div className="row end">
        <Button onClick={onClose}>{texts.close}</Button>
        {problem === undefined && (
          <Button className="main" disabled={!isReady} action={shot}>
            {texts.takePhoto}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** Encodes what the preview shows; undefined if the browser cannot. */
export async function photograph(video: HTMLVideoElement): Promise<File | undefined> {
  const region = shownRegion(video)
  const photo = await encodeJpeg(video, region, region)
  return photo && new File([photo], 'camera.jpg', { type: photo.type })
}
