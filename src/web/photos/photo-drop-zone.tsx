import type { ReactNode } from 'react'
import { CameraIcon } from '../components/icons.tsx'
import { isHandheld } from './photo-pick.tsx'

/** Where a photo comes in. The whole page takes what is dropped; this is where it is told. */
export function PhotoDropZone({ isOver, pick }: { isOver: boolean; pick: ReactNode }) {
  return (
    <div className={isOver ? 'door over' : 'door'}>
      <span className="door-card" aria-hidden="true">
        <CameraIcon />
      </span>
      <div className="door-words">
        <h2>{isOver ? 'Let go, and it is read' : 'Show a card'}</h2>
        <p className="soft">
          {isHandheld()
            ? 'Take a photo of one card, or choose one that you have.'
            : 'Drop a photo anywhere on this page, paste one, or choose it here.'}
        </p>
        {pick}
        <p className="small soft">JPEG, PNG or WebP. It is read, and never kept.</p>
      </div>
    </div>
  )
}

/** What makes a photo easy to read. */
export function PhotoTips() {
  return (
    <section className="panel tips" aria-labelledby="tips">
      <h2 id="tips">A photo that reads well</h2>
      <ul>
        <li>
          <strong>One card, all of it.</strong> Its four corners are in the photo, and it fills most
          of the frame.
        </li>
        <li>
          <strong>Even light.</strong> No lamp is mirrored in it; tilt it a little where it shines.
        </li>
        <li>
          <strong>Sharp print.</strong> The number in the corner tells printings of one art apart.
        </li>
      </ul>
    </section>
  )
}
