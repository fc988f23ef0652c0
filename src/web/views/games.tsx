import { api } from '../api.ts'
import { useAsk } from '../ask.ts'
import { agoText, count } from '../format.ts'
import { TileBones } from '../parts/bones.tsx'
import { Fault } from '../parts/fault.tsx'
import { Page } from '../parts/page.tsx'
import { Art } from '../parts/picture.tsx'
import { Tile } from '../parts/tile.tsx'

/** All games: where everybody begins. */
export function GamesView() {
  const asked = useAsk('games', (signal) =>
    api.get('/v1/games', { query: { per_page: 100 }, signal }),
  )
  return (
    <Page
      title="What is your card worth?"
      lead="Prices of every printing, how they moved, and which card your photo shows."
    >
      {asked.state === 'failed' && <Fault error={asked.error} again={asked.again} />}
      {asked.state === 'loading' && <TileBones count={6} />}
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
                <Art
                  src={game.image_url === null ? undefined : `/pictures/games/${game.slug}`}
                  name={game.name}
                  eager={at < 8}
                />
              }
            >
              <p className="small soft">
                {count(game.card_count)} cards in {count(game.set_count)} sets
              </p>
              {game.last_synced_at !== null && (
                <p className="small soft">Prices of {agoText(game.last_synced_at)}</p>
              )}
            </Tile>
          ))}
        </ul>
      )}
    </Page>
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
