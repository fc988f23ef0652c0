import { useRef } from 'react'
import { Button } from '../components/button.tsx'
import { CameraIcon } from '../components/icons.tsx'
import { hasCamera } from './camera.tsx'
import { PHOTO_TYPES } from './photo-file.ts'

type PhotoPickProps = {
  onPick: (files: readonly File[]) => void
  onCamera: () => void
  /** True if a photo is already shown. */
  isAnother?: boolean
}

/** Returns true for touch devices, which most likely have their own camera. */
export function isHandheld(): boolean {
  return matchMedia('(any-pointer: coarse)').matches
}

/** Buttons for the phone camera, a file and the live camera. */
export function PhotoPick({ onPick, onCamera, isAnother = false }: PhotoPickProps) {
  const input = useRef<HTMLInputElement>(null)
  const hasOwnCamera = isHandheld()

  function open(source: 'camera' | 'files'): void {
    const picker = input.current
    if (picker === null) return
    if (source === 'camera') picker.setAttribute('capture', 'environment')
    else picker.removeAttribute('capture')
    // Phones convert their own formats to JPEG if nothing else is accepted.
    picker.accept = source === 'camera' ? 'image/*' : PHOTO_TYPES
    picker.click()
  }

  return (
    <div className="photo-pick">
      <input
        ref={input}
        type="file"
        hidden
        accept={PHOTO_TYPES}
        aria-label="Card photo"
        onChange={({ target }) => {
          onPick([...(target.files ?? [])])
          // Allows choosing the same file again.
          target.value = ''
        }}
      />
      {hasOwnCamera && (
        <Button className="main" onClick={() => open('camera')}>
          <CameraIcon />
          {isAnother ? 'Take another' : 'Take photo'}
        </Button>
      )}
      <Button className={hasOwnCamera ? '' : 'main'} onClick={() => open('files')}>
        {isAnother ? 'Choose another' : 'Choose photo'}
      </Button>
      {/* Beside a photo there is little room, and the phone's own camera is the better one. */}
      {hasCamera() && !(hasOwnCamera && isAnother) && (
        <Button onClick={onCamera}>
          {!hasOwnCamera && <CameraIcon />}
          Live camera
        </Button>
      )}
    </div>
  )
}
