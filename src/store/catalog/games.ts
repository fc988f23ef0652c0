import { count, desc, eq, or, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { type PictureUrl, withPictureUrl } from '#rules/catalog/picture-url.ts'
import type { Db } from '../db.ts'
import { type Logos, NO_LOGOS } from '../files/logos.ts'
import { pageParameter } from '../parameter.ts'
import type { RowPage, RowWindow } from '../rows.ts'
import { type GameRow, games } from './schema/catalog.ts'

const GAME = {
  id: games.id,
  name: games.name,
  slug: games.slug,
  marketplace_id: games.id,
  priority: games.priority,
  set_count: games.set_count,
  card_count: games.card_count,
  image_url: games.image_url,
  logo_url: games.logo_url,
  last_synced_at: games.last_synced_at,
}

/** A game as the API returns it. */
export type GameRecord = Omit<
  GameRow,
  'published_at' | 'stale_since' | 'prices_since' | 'missing_since'
> & { marketplace_id: number }

/** State of a game's last sync. */
export type GameFreshness = Pick<
  GameRow,
  | 'id'
  | 'slug'
  | 'priority'
  | 'card_count'
  | 'last_synced_at'
  | 'published_at'
  | 'stale_since'
  | 'prices_since'
>

/** Queries for games, ordered by priority, then by the size of their catalog. */
export type GameStore = {
  /** Returns one page of the games. */
  list(window: RowWindow): RowPage<GameRecord>
  /** Lists every game by id. */
  listAll(): GameRecord[]
  /** Returns a game by slug in any case, or by marketplace category id in digits; undefined if not found. */
  getBySlugOrId(path: string): GameRecord | undefined
  /** Lists every game with the state of its last sync. */
  listFreshness(): GameFreshness[]
}

export function openGameStore(db: Db, pictureUrl: PictureUrl, logos: Logos = NO_LOGOS): GameStore {
  const list = drizzle(db)
    .select(GAME)
    .from(games)
    .orderBy(desc(games.priority), desc(games.card_count), games.id)
    .limit(pageParameter('limit'))
    .offset(pageParameter('offset'))
    .prepare()
  const total = drizzle(db).select({ total: count() }).from(games).prepare()
  const byPath = drizzle(db)
    .select(GAME)
    .from(games)
    .where(or(eq(games.slug, sql.placeholder('slug')), eq(games.id, sql.placeholder('id'))))
    .prepare()
  const all = drizzle(db).select(GAME).from(games).orderBy(games.id).prepare()
  const freshness = drizzle(db)
    .select({
      id: games.id,
      slug: games.slug,
      priority: games.priority,
      card_count: games.card_count,
      last_synced_at: games.last_synced_at,
      published_at: games.published_at,
      prices_since: games.prices_since,
      stale_since: games.stale_since,
    })
    .from(games)
    .orderBy(games.id)
    .prepare()

  const pictured = (row: GameRecord): GameRecord => ({
    ...withPictureUrl(row, pictureUrl),
    logo_url: pictureUrl(logos.getUrl(row.slug) ?? row.logo_url),
  })

  return {
    list: (paging) => ({
      rows: list.all(paging).map(pictured),
      total: total.get()?.total ?? 0,
    }),
    listAll: () => all.all().map(pictured),
    getBySlugOrId(path) {
      const id = /^\d{1,15}$/.test(path) ? Number(path) : null
      const slug = path.toLowerCase()
      const found = byPath.all({ slug, id })
      const game = found.find((row) => row.slug === slug) ?? found[0]
      return game && pictured(game)
    },
    listFreshness: () => freshness.all(),
  }
}
