import { count, desc, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { type PictureUrl, withPicture } from '#rules/picture-url.ts'
import type { Db } from '../db.ts'
import { pageParameter, parameter } from '../parameter.ts'
import { games, sets } from './schema.ts'

const SET = {
  id: sets.id,
  game_id: sets.game_id,
  name: sets.name,
  slug: sets.slug,
  marketplace_id: sets.id,
  abbreviation: sets.abbreviation,
  release_date: sets.release_date,
  card_count: sets.card_count,
  image_url: sets.image_url,
  set_icon_url: sets.set_icon_url,
  last_synced_at: sets.last_synced_at,
  game_name: games.name,
  game_slug: games.slug,
}

/** Questions about sets, newest release first. A set that vanished upstream keeps its page. */
export function openSets(db: Db, pictureUrl: PictureUrl) {
  const orm = drizzle(db)
  const page = (ofGame: boolean) =>
    orm
      .select(SET)
      .from(sets)
      .innerJoin(games, eq(games.id, sets.game_id))
      .where(ofGame ? eq(sets.game_id, parameter('game_id')) : undefined)
      .orderBy(desc(sets.release_date), sets.id)
      .limit(pageParameter('limit'))
      .offset(pageParameter('offset'))
      .prepare()
  const all = page(false)
  const ofGame = page(true)
  const total = orm.select({ total: count() }).from(sets).prepare()
  const totalOfGame = orm
    .select({ total: count() })
    .from(sets)
    .where(eq(sets.game_id, parameter('game_id')))
    .prepare()
  const byId = orm
    .select(SET)
    .from(sets)
    .innerJoin(games, eq(games.id, sets.game_id))
    .where(eq(sets.id, parameter('id')))
    .prepare()
  const ids = (ofGame: boolean) =>
    orm
      .select({ id: sets.id })
      .from(sets)
      .where(ofGame ? eq(sets.game_id, parameter('game_id')) : undefined)
      .orderBy(sets.game_id, sets.id)
      .prepare()
  const allIds = ids(false)
  const idsOfGame = ids(true)

  const pictured = <Row extends { image_url: string | null }>(row: Row) =>
    withPicture(row, pictureUrl)

  return {
    list: (paging: { limit: number; offset: number }) => ({
      rows: all.all(paging).map(pictured),
      total: total.get()?.total ?? 0,
    }),
    ofGame: (game_id: number, paging: { limit: number; offset: number }) => ({
      rows: ofGame.all({ game_id, ...paging }).map(pictured),
      total: totalOfGame.get({ game_id })?.total ?? 0,
    }),
    /** The ids of all sets, or of one game's. */
    ids: (game_id?: number) =>
      (game_id === undefined ? allIds.all() : idsOfGame.all({ game_id })).map((set) => set.id),
    count: () => total.get()?.total ?? 0,
    byId(id: number) {
      const set = byId.get({ id })
      return set && pictured(set)
    },
  }
}
