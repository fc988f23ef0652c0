import { Link } from 'wouter'
import type { Game } from '#client/endpoints.ts'
import { CardImage } from '../components/card-image.tsx'

/** What identifying is, for somebody who has no account yet. */
export function SignedOutIntro({ games }: { games: readonly Game[] }) {
  return (
    <div className="newcomer panel">
      <div className="newcomer-art" aria-hidden="true">
        {games.slice(0, 3).map(({ slug, name, image_url }) => (
          <CardImage
            key={slug}
            src={image_url === null ? undefined : `/pictures/games/${slug}`}
            name={name}
            eager
          />
        ))}
      </div>
      <div className="stack">
        <ol className="newcomer-steps">
          <li>
            <strong>Show a card.</strong> Drop or paste a photo, or take one with your phone.
          </li>
          <li>
            <strong>See which it is.</strong> What is printed on it is read, its art is compared
            with every card here, and you see why each one fits or does not.
          </li>
          <li>
            <strong>Know what it is worth.</strong> Each printing comes with its price of today.
          </li>
        </ol>
        <div className="row">
          <Link className="button main" href="/login?to=%2Fidentify">
            Log in or register
          </Link>
          <p className="soft">25 photos are free. The account is, too.</p>
        </div>
      </div>
    </div>
  )
}
