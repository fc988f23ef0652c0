import { and, count, desc, eq, gt, type SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { type PictureUrl, withPictureUrl } from '#rules/catalog/picture-url.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import type { Db } from '../db.ts'
import { pageParameter, parameter } from '../parameter.ts'
import type { RowPage, RowWindow } from '../rows.ts'
import { games, type SetRow, sets } from './schema.ts'

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

/** A set as the API returns it. */
export type SetRecord = Pick<
  SetRow,
  | 'id'
  | 'game_id'
  | 'name'
  | 'slug'
  | 'abbreviation'
  | 'release_date'
  | 'card_count'
  | 'image_url'
  | 'set_icon_url'
  | 'last_synced_at'
> & { marketplace_id: number; game_name: string; game_slug: string }

/** What a list of sets is narrowed to. */
export type SetFilter = {
  game_id: number | undefined
  /** Only what changed in a later version of the catalog than this one. */
  after_version: number | undefined
}

/** Queries for sets, newest release first. Sets that vanished upstream keep their page. */
export type SetStore = {
  /** Returns one page of the sets. */
  list(filter: SetFilter, window: RowWindow): RowPage<SetRecord>
  /** Lists the ids of all sets, or of one game's. */
  listIds(game_id?: number): number[]
  /** Counts all sets. */
  count(): number
  /**
   * Finds the ids of sets by slug, else by code, else by name. A slug is unique within a game; without
   * a game several sets may match.
   */
  findIds(label: string, game_id?: number): number[]
  /** Drops what is cached of an older catalog. */
  invalidate(): void
  /** Returns a set; undefined if there is none. */
  getById(id: number): SetRecord | undefined
}

/** Opens the set queries on the catalog. */
export function openSetStore(db: Db, pictureUrl: PictureUrl): SetStore {
  const orm = drizzle(db)
  const all = listOf(undefined)
  const ofGame = listOf(eq(sets.game_id, parameter('game_id')))
  const changed = listOf(gt(sets.updated_in, parameter('after_version')))
  const changedOfGame = listOf(
    and(eq(sets.game_id, parameter('game_id')), gt(sets.updated_in, parameter('after_version'))),
  )
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

  // All sets at once: mapping them to the schema would take longer than reading them.
  const labels = db.prepare<[], Label>(
    'SELECT id, game_id, slug, abbreviation, name FROM sets ORDER BY id',
  )
  let byLabel: ReturnType<typeof openLabels> | undefined

  const pictured = <Row extends { image_url: string | null }>(row: Row) =>
    withPictureUrl(row, pictureUrl)

  /** The page of a list, and how much is on all of its pages. */
  function listOf(filter: SQL | undefined) {
    const page = orm
      .select(SET)
      .from(sets)
      .innerJoin(games, eq(games.id, sets.game_id))
      .where(filter)
      .orderBy(desc(sets.release_date), sets.id)
      .limit(pageParameter('limit'))
      .offset(pageParameter('offset'))
      .prepare()
    const total = orm.select({ total: count() }).from(sets).where(filter).prepare()
    return { page, total }
  }

  /** A condition that is not asked for is not in the statement: counting all sets reads an index alone. */
  function listBy({ game_id, after_version }: SetFilter) {
    if (after_version === undefined) return game_id === undefined ? all : ofGame
    return game_id === undefined ? changed : changedOfGame
  }

  return {
    list(filter, paging) {
      const { page, total } = listBy(filter)
      return {
        rows: page.all({ ...filter, ...paging }).map(pictured),
        total: total.get(filter)?.total ?? 0,
      }
    },
    listIds: (game_id) =>
      (game_id === undefined ? allIds.all() : idsOfGame.all({ game_id })).map((set) => set.id),
    count: () => all.total.get()?.total ?? 0,
    findIds(label, game_id) {
      byLabel ??= openLabels(labels.all())
      for (const setsCalled of byLabel) {
        const ofGame = setsCalled(label).filter(
          (set) => game_id === undefined || set.game_id === game_id,
        )
        if (ofGame.length > 0) return ofGame.map((set) => set.id)
      }
      return []
    },
    invalidate() {
      byLabel = undefined
    },
    getById(id) {
      const set = byId.get({ id })
      return set && pictured(set)
    },
  }
}

type Label = Pick<SetRow, 'id' | 'game_id' | 'slug' | 'abbreviation' | 'name'>

/**
 * What sets may be called, the surest first. They are put in order of one when it is first asked for:
 * most lists name their sets in a single way.
 */
function openLabels(sets: readonly Label[]) {
  const by = (keyOf: (set: Label) => string, keyIn: (label: string) => string) => {
    let found: Map<string, Label[]> | undefined
    return (label: string): readonly Label[] => {
      found ??= Map.groupBy(sets, keyOf)
      const key = keyIn(label)
      return key === '' ? [] : (found.get(key) ?? [])
    }
  }
  return [
    by(
      (set) => set.slug,
      (label) => label.trim(),
    ),
    by((set) => normalizeName(set.abbreviation ?? ''), normalizeName),
    by((set) => normalizeName(set.name), normalizeName),
    // `SWSH12: Silver Tempest` is `Silver Tempest` to most people.
    by((set) => normalizeName(set.name.replace(/^[^:]*:\s*/, '')), normalizeName),
  ]
}
