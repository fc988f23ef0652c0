import { useRef } from 'react'
import * as texts from '#texts/photos/identify.ts'
import { Button } from '../components/button.tsx'
import { CameraIcon } from '../components/icons.tsx'
import { hasCamera } from './camera-preview.tsx'
import { PHOTO_TYPES } from './photo-file.ts'

type PhotoPickProps = {
  onPick: (files: readonly File[]) => void
  onCamera: () => void
  /** True if a photo is already shown. */
  isAnother?: boolean
  /** True if many photos are expected: then the live camera captures card after card. */
  isMany?: boolean
}

/** Returns true for touch devices, which most likely have their own camera. */
export function isHandheld(): boolean {
  return matchMedia('(any-pointer: coarse)').matches
}

/** Buttons for the phone camera, a file and the live camera. */
export function PhotoPick({ onPick, onCamera, isAnother = false, isMany = false }: PhotoPickProps) {
  const input = useRef<HTMLInputElement>(null)
  const scans = isMany && hasCamera()
  const hasOwnCamera = isHandheld() && !scans

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
        multiple
        accept={PHOTO_TYPES}
        aria-label={texts.cardPhoto}
        onChange={({ target }) => {
          onPick([...(target.files ?? [])])
          // Allows choosing the same file again.
          target.value = ''
        }}
      />
      {scans && (
        <Button className="main" onClick={onCamera}>
          <CameraIcon />
          {texts.scanWithTheCamera}
        </Button>
      )}
      {hasOwnCamera && (
        <Button className="main" onClick={() => open('camera')}>
          <CameraIcon />
          {isAnother ? texts.takeAnother : texts.takePhoto}
        </Button>
      )}
      <Button className={hasOwnCamera || scans ? '' : 'main'} onClick={() => open('files')}>
        {isMany ? texts.choosePhotos : isAnother ? texts.chooseAnother : texts.choosePhoto}
      </Button>
      {/* Beside a photo there is little room, and the phone's own camera is better. */}
      {hasCamera() && !scans && !(hasOwnCamera && isAnother) && (
        <Button onClick={onCamera}>
          {!hasOwnCamera && <CameraIcon />}
          {texts.liveCamera}
        </Button>
      )}
    </div>
  )
}
