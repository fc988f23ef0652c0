import { useRef } from 'react'
import { CameraIcon } from '../components/icons.tsx'
import { hasCamera } from './camera.tsx'
import { PHOTO_TYPES } from './photo-file.ts'

type PhotoPickProps = {
  onPick: (files: readonly File[]) => void
  /** Opens the live camera. */
  onCamera: () => void
  /** Whether there is one already. */
  isAnother?: boolean
}

/** Whether this is a thing with a camera of its own, most likely: it is used by hand. */
export function isHandheld(): boolean {
  return matchMedia('(any-pointer: coarse)').matches
}

/** Buttons that lead to a photo: from the phone's own camera, from a file, from the live camera. */
export function PhotoPick({ onPick, onCamera, isAnother = false }: PhotoPickProps) {
  const input = useRef<HTMLInputElement>(null)
  const hasOwnCamera = isHandheld()

  function open(way: 'camera' | 'files'): void {
    const picker = input.current
    if (picker === null) return
    if (way === 'camera') picker.setAttribute('capture', 'environment')
    else picker.removeAttribute('capture')
    // Phones have formats of their own, and hand over a JPEG where nothing else is taken.
    picker.accept = way === 'camera' ? 'image/*' : PHOTO_TYPES
    picker.click()
  }

  return (
    <div className="photo-pick">
      <input
        ref={input}
        type="file"
        hidden
        accept={PHOTO_TYPES}
        aria-label="Photo of a card"
        onChange={({ target }) => {
          onPick([...(target.files ?? [])])
          // The same file can be chosen once more.
          target.value = ''
        }}
      />
      {hasOwnCamera && (
        <button type="button" className="button main" onClick={() => open('camera')}>
          <CameraIcon />
          {isAnother ? 'Take another' : 'Take a photo'}
        </button>
      )}
      <button
        type="button"
        className={hasOwnCamera ? 'button' : 'button main'}
        onClick={() => open('files')}
      >
        {isAnother ? 'Choose another' : 'Choose a photo'}
      </button>
      {/* Beside a photo there is little room, and the phone's own camera is the better one. */}
      {hasCamera() && !(hasOwnCamera && isAnother) && (
        <button type="button" className="button" onClick={onCamera}>
          {!hasOwnCamera && <CameraIcon />}
          Live camera
        </button>
      )}
    </div>
  )
}
