import { Link } from 'wouter'
import type { Game } from '#client/endpoints.ts'
import { CardImage } from '../components/card-image.tsx'

/** Explains identification to visitors. */
export function SignedOutIntro({ games }: { games: readonly Game[] }) {
  return (
    <div className="signed-out-intro panel">
      <div className="signed-out-art" aria-hidden="true">
        {games.slice(0, 3).map(({ slug, name, image_url }) => (
          <CardImage
            key={slug}
            src={image_url === null ? undefined : `/pictures/games/${slug}`}
            name={name}
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
