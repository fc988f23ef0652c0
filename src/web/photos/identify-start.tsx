import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Game } from '#client/endpoints.ts'
import { CardImage } from '../components/card-image.tsx'
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

/** Explains identification to visitors. */
export function SignedOutIntro({ games }: { games: readonly Game[] }) {
  return (
    <div className="signed-out-intro panel">
      <div className="signed-out-art" aria-hidden="true">
        {games.slice(0, 3).map(({ slug, name, image_url }) => (
          <CardImage
            key={slug}
            src={image_url === null ? undefined : `/pictures/games/${slug}`}
            face={{ name, game_slug: slug }}
          />
        ))}
      </div>
      <div className="stack">
        <ol className="signed-out-steps">
          <li>
            <strong>Add a photo.</strong> Drop or paste one, or take one with your phone.
          </li>
          <li>
            <strong>Find the card.</strong> Its text is read, its art is compared with every card in
            the catalog, and you see why each candidate matches.
          </li>
          <li>
            <strong>Know its value.</strong> See today’s price of each printing.
          </li>
        </ol>
        <div className="row">
          <Link className="button main" href="/login?to=%2Fidentify">
            Log in or create account
          </Link>
          <p className="soft">Free account with 25 scans.</p>
        </div>
      </div>
    </div>
  )
}
