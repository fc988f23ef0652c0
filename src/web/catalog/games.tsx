import { Suspense } from 'react'
import { Link } from 'wouter'
import type { Game } from '#client/endpoints.ts'
import * as texts from '#texts/catalog/games.ts'
import { CardImage } from '../components/card-image.tsx'
import { QueryError } from '../components/error-message.tsx'
import { CameraIcon } from '../components/icons.tsx'
import { Page } from '../components/page.tsx'
import { SearchField } from '../components/search-field.tsx'
import { TileSkeleton } from '../components/skeleton.tsx'
import { Tile } from '../components/tile.tsx'
import { lazyView } from '../lazy-view.ts'
import { agoText } from '../numbers.ts'
import { MoversRailSkeleton } from '../pricing/movers-rail-skeleton.tsx'
import { useSession } from '../session.ts'
import { useGames } from './queries.ts'

/** The home page: search, movers and all games. */
export function GamesView() {
  const result = useGames()
  const games = result.data?.data
  return (
    <div className="home">
      <Page title={texts.whatIsYourCardWorth} lead={texts.homeLead}>
        <StartActions />
        <WelcomeArt games={games ?? []} />
        <Suspense fallback={<MoversRailSkeleton />}>
          <MoversRail />
        </Suspense>
        <section aria-labelledby="games">
          <h2 id="games">{texts.games}</h2>
          <QueryError query={result} />
          {result.isPending && <TileSkeleton count={3} wide />}
          {games?.length === 0 && <Empty onGames={() => void result.refetch()} />}
          {games !== undefined && (
            <ul className="tiles wide">
              {games.map((game) => (
                <Tile
                  key={game.id}
                  href={`/games/${game.slug}`}
                  name={game.name}
                  fan
                  art={
                    <CardImage
                      src={game.image_url === null ? undefined : `/pictures/games/${game.slug}`}
                      face={{ name: game.name, game_slug: game.slug }}
                    />
                  }
                >
                  <p className="small soft">
                    {texts.cardsInSets({ cardCount: game.card_count, setCount: game.set_count })}
                  </p>
                  {game.last_synced_at !== null && (
                    <p className="small soft wide-only">
                      {texts.updated(agoText(game.last_synced_at))}
                    </p>
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

/** Decorative card images. */
function WelcomeArt({ games }: { games: readonly Game[] }) {
  return (
    <div className="welcome-art" aria-hidden="true">
      {games
        .filter(({ image_url }) => image_url !== null)
        .slice(0, 2)
        .map(({ id, slug, name }) => (
          <CardImage key={id} src={`/pictures/games/${slug}`} face={{ name, game_slug: slug }} />
        ))}
    </div>
  )
}

function StartActions() {
  return (
    <div className="welcome-start">
      <search>
        <SearchField size="big" />
      </search>
      <Link className="button" href="/identify">
        <CameraIcon />
        {texts.identifyAPhoto}
      </Link>
    </div>
  )
}

const MoversRail = lazyView(async () => (await import('../pricing/movers-rail.tsx')).MoversRail)

const EmptyCatalog = lazyView(
  async () => (await import('../operations/setup/first-sync.tsx')).EmptyCatalog,
)

function Empty({ onGames }: { onGames: () => void }) {
  const { me } = useSession()
  if (me?.is_operator === true) {
    return (
      <Suspense fallback={null}>
        <EmptyCatalog onGames={onGames} />
      </Suspense>
    )
  }
  return (
    <div className="note">
      <h2>{texts.noGamesYet}</h2>
      <p>{texts.noGamesText}</p>
    </div>
  )
}
