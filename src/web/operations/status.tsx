import { Link } from 'wouter'
import type { Freshness, Game } from '#client/endpoints.ts'
import * as texts from '#texts/operations/status.ts'
import { useGames } from '../catalog/queries.ts'
import { CardImage } from '../components/card-image.tsx'
import { QueryError } from '../components/error-message.tsx'
import { Facts } from '../components/facts.tsx'
import { Page } from '../components/page.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { StatusMark } from '../components/status-mark.tsx'
import { agoText, count, dateTimeText } from '../format.ts'
import { refreshInterval, useFreshness } from '../pricing/price-source.tsx'
import { agoOrNever, FreshnessTag } from './operator-tables.tsx'

/** Public page that shows how current the data is. */
export function StatusView() {
  const meta = useFreshness()
  // Names and images. Without them, slugs are shown.
  const games = useGames()
  return (
    <Page title={texts.dataStatus} lead={texts.pricesAreSyncedDaily}>
      <QueryError query={meta} />
      {meta.isPending && <LineSkeleton />}
      {meta.data !== undefined && (
        <DataStatus freshness={meta.data.data} games={games.data?.data ?? []} />
      )}
    </Page>
  )
}

function DataStatus({ freshness, games }: { freshness: Freshness; games: readonly Game[] }) {
  const gamesById = new Map(games.map((game) => [game.id, game]))
  const staleCount = freshness.games.filter(({ stale }) => stale).length
  return (
    <div className="stack">
      <section className="panel stack health" aria-labelledby="verdict">
        <h2 id="verdict">
          <StatusMark state={freshness.stale ? 'wait' : 'good'} />
          {headingText(freshness, staleCount)}
        </h2>
        <Facts
          rows={[
            [texts.games, count(freshness.counts.games)],
            [texts.sets, count(freshness.counts.sets)],
            [texts.cards, count(freshness.counts.cards)],
            [texts.catalogVersion, count(freshness.version)],
            [texts.lastChange, dateTimeText(freshness.changed_at)],
            [
              texts.lastSync,
              freshness.last_sync === null ? texts.noneYet : lastSyncText(freshness.last_sync),
            ],
          ]}
        />
      </section>
      <section className="stack tight" aria-labelledby="games">
        <h2 id="games">{texts.games}</h2>
        <ul className="panel game-freshness">
          {freshness.games.map((game) => (
            <li key={game.id}>
              <CardImage
                src={gamesById.get(game.id)?.image_url ? `/pictures/games/${game.slug}` : undefined}
                face={{ name: gamesById.get(game.id)?.name ?? game.slug, game_slug: game.slug }}
                size="tiny"
              />
              <div>
                <h3>
                  <Link href={`/games/${game.slug}`}>
                    {gamesById.get(game.id)?.name ?? game.slug}
                  </Link>
                </h3>
                <p className="small soft">
                  {texts.cardsRefreshed({
                    cards: game.card_count,
                    interval: refreshInterval(game.priority),
                  })}
                </p>
                <p className="small soft">
                  {game.published_at === null
                    ? texts.synced(agoOrNever(game.last_synced_at))
                    : texts.syncedWithPrices({
                        when: agoOrNever(game.last_synced_at),
                        published: dateTimeText(game.published_at),
                      })}
                </p>
              </div>
              <FreshnessTag isStale={game.stale} since={game.stale_since} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

function headingText({ games }: Freshness, staleCount: number): string {
  if (games.length === 0) return texts.noDataYet
  if (staleCount === 0) return texts.allGamesAreUpToDate
  return staleCount === games.length
    ? texts.allGamesAreOutOfDate
    : texts.ofGamesAreOutOfDate({ staleCount, games: games.length })
}

function lastSyncText({ finished_at, outcome }: NonNullable<Freshness['last_sync']>): string {
  if (finished_at === null) return 'running'
  return `${outcome}, ${agoText(finished_at)}`
}
