import { Link } from 'wouter'
import type { Game } from '#client/endpoints.ts'

/** What stands where results will be, as long as nothing is searched for. */
export function SearchStart({ games }: { games: readonly Game[] }) {
  return (
    <div className="search-start">
      <h2>Write two letters or more</h2>
      <ul className="hints">
        <li>Words of a name in any order; the last one may be a beginning.</li>
        <li>
          A collector number, such as <code>012/064</code>, or the code of a set.
        </li>
        <li>Accents, apostrophes and hyphens do not matter.</li>
      </ul>
      {games.length > 0 && (
        <>
          <h3>Or look through a game</h3>
          <ul className="chips">
            {games.slice(0, 12).map(({ slug, name }) => (
              <li key={slug}>
                <Link className="chip" href={`/games/${slug}`}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
