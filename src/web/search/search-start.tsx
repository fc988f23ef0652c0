import { Link } from 'wouter'
import type { Game } from '#client/endpoints.ts'

/** Search tips, shown before a search. */
export function SearchStart({ games }: { games: readonly Game[] }) {
  return (
    <div className="stack tight soft search-start">
      <h2>Type at least two letters</h2>
      <ul className="hints">
        <li>
          Words of the name, the set, the rarity or the printing, in any order. The last word can be
          incomplete.
        </li>
        <li>
          A collector number, such as <code>012/064</code>, also with a name or a set code.
        </li>
        <li>Accents, apostrophes and hyphens are ignored.</li>
      </ul>
      {games.length > 0 && (
        <>
          <h3>Or browse a game</h3>
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
