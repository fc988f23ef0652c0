import type { ReactNode } from 'react'
import { CameraIcon } from '../components/icons.tsx'
import { isHandheld } from './photo-pick.tsx'

/** Shows how to add a photo. The whole page accepts dropped files. */
export function PhotoDropZone({ isOver, pick }: { isOver: boolean; pick: ReactNode }) {
  return (
    <div className={isOver ? 'drop-zone over' : 'drop-zone'}>
      <span className="drop-zone-card" aria-hidden="true">
        <CameraIcon />
      </span>
      <div className="stack tight">
        <h2>{isOver ? 'Drop the photo to identify it' : 'Add a photo'}</h2>
        <p className="soft">
          {isHandheld()
            ? 'Take a photo of one card, or choose an existing one.'
            : 'Drop or paste a photo anywhere on this page, or choose a file.'}
        </p>
        {pick}
        <p className="small soft">JPEG, PNG or WebP. Photos are never stored.</p>
      </div>
    </div>
  )
}

export function PhotoTips() {
  return (
    <section className="panel tips" aria-labelledby="tips">
      <h2 id="tips">Tips for a good photo</h2>
      <ul className="stack tight soft">
        <li>
          <strong>One whole card.</strong> Show all four corners and fill most of the frame.
        </li>
        <li>
          <strong>Even light.</strong> Avoid reflections. Tilt the card slightly if it shines.
        </li>
        <li>
          <strong>Sharp print.</strong> The collector number distinguishes cards with the same art.
        </li>
      </ul>
    </section>
  )
}
