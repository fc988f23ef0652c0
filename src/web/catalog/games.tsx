import { Link } from 'wouter'
import type { Game } from '#client/endpoints.ts'
import { CardImage } from '../components/card-image.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { CameraIcon } from '../components/icons.tsx'
import { Page } from '../components/page.tsx'
import { SearchField } from '../components/search-field.tsx'
import { TileSkeleton } from '../components/skeleton.tsx'
import { Tile } from '../components/tile.tsx'
import { agoText, plural } from '../format.ts'
import { useGames } from '../hooks/use-games.ts'
import { MoversRail } from '../pricing/movers-rail.tsx'

/** Where everybody begins: the search, what moved today, and all games. */
export function GamesView() {
  const asked = useGames()
  return (
    <div className="home">
      <Page
        title="What is your card worth?"
        lead="Prices of every printing, how they moved, and which card your photo shows."
      >
        <Start />
        <WelcomeArt games={asked.data?.data ?? []} />
        <MoversRail />
        <section aria-labelledby="games">
          <h2 id="games">Games</h2>
          {asked.state === 'failed' && <ErrorMessage error={asked.error} again={asked.again} />}
          {asked.state === 'loading' && <TileSkeleton count={3} wide />}
          {asked.state === 'ready' && asked.data.data.length === 0 && <Empty />}
          {asked.state === 'ready' && (
            <ul className="tiles wide">
              {asked.data.data.map((game, at) => (
                <Tile
                  key={game.id}
                  href={`/games/${game.slug}`}
                  name={game.name}
                  fan
                  art={
                    <CardImage
                      src={game.image_url === null ? undefined : `/pictures/games/${game.slug}`}
                      name={game.name}
                      eager={at < 8}
                    />
                  }
                >
                  <p className="small soft">
                    {plural(game.card_count, 'card')} in {plural(game.set_count, 'set')}
                  </p>
                  {game.last_synced_at !== null && (
                    <p className="small soft">Prices of {agoText(game.last_synced_at)}</p>
                  )}
                </Tile>
              ))}
            </ul>
          )}
        </section>
      </Page>
    </div>
  )
}

/** Two cards of the first games, for the eye alone. */
function WelcomeArt({ games }: { games: readonly Game[] }) {
  return (
    <div className="welcome-art" aria-hidden="true">
      {games
        .filter(({ image_url }) => image_url !== null)
        .slice(0, 2)
        .map(({ id, slug }) => (
          <CardImage key={id} src={`/pictures/games/${slug}`} name="" eager />
        ))}
    </div>
  )
}

/** The two ways to a card: its name, or a photo of it. */
function Start() {
  return (
    <div className="welcome-start">
      <search>
        <SearchField size="big" />
      </search>
      <Link className="button" href="/identify">
        <CameraIcon />
        Identify a photo
      </Link>
    </div>
  )
}

function Empty() {
  return (
    <div className="note">
      <h2>There are no games yet</h2>
      <p>
        Whoever runs this service sets <code>UPSTREAM_URL</code> and runs <code>bun run sync</code>.
      </p>
    </div>
  )
}
