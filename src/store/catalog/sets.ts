import { and, count, desc, eq, gt, type SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { type PictureUrl, withPictureUrl } from '#rules/catalog/picture-url.ts'
import { listSetCodes, listSetNames } from '#rules/catalog/set-codes.ts'
import {
  parseSetQuery,
  rankSet,
  type SearchableSet,
  toSearchableSet,
} from '#rules/catalog/set-queries.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import type { Db } from '../db.ts'
import { pageParameter, parameter } from '../parameter.ts'
import type { RowPage, RowWindow } from '../rows.ts'
import { BEFORE_ALL_VERSIONS } from './publication.ts'
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
export type SetRecord = Omit<
  SetRow,
  'top_price' | 'priced_at' | 'modified_on' | 'products_read_at' | 'missing_since' | 'updated_in'
> & { marketplace_id: number; game_name: string; game_slug: string }

/** Restricts a list of sets. */
export type SetFilter = {
  game_id: number | undefined
  /** Only sets that changed after this version of the catalog. */
  after_version: number | undefined
  /** Words of a name, slug or code; the best matches come first. */
  q?: string | undefined
  /** A code of the set, or one by which apps name it (rules/catalog/set-codes.ts). */
  code?: string | undefined
}

/** Queries for sets, newest release first unless there is a query. Sets that vanished upstream keep their page. */
export type SetStore = {
  /** Returns one page of the sets. */
  list(filter: SetFilter, window: RowWindow): RowPage<SetRecord>
  /** Lists the ids of all sets, or of one game's. */
  listIds(game_id?: number): number[]
  /** Counts all sets. */
  count(): number
  /**
   * Finds sets by slug, else by code (rules/catalog/set-codes.ts), else by name. Several sets may share
   * a label, in one game too: a code also names the gallery of its set.
   */
  findIds(label: string, game_id?: number): number[]
  /** Drops what is cached of an older catalog. */
  invalidate(): void
  /** Returns a set; undefined if not found. */
  getById(id: number): SetRecord | undefined
}

export function openSetStore(db: Db, pictureUrl: PictureUrl): SetStore {
  const orm = drizzle(db)
  const all = prepareList(undefined)
  const ofGame = prepareList(eq(sets.game_id, parameter('game_id')))
  const changed = prepareList(gt(sets.updated_in, parameter('after_version')))
  const changedOfGame = prepareList(
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

  // Reads all sets at once with a raw statement: mapping them would take longer than reading them.
  const labels = db.prepare<[], Label>(
    `SELECT sets.id, game_id, sets.slug, abbreviation, sets.name, games.slug AS game_slug
       FROM sets JOIN games ON games.id = game_id ORDER BY sets.id`,
  )
  const newest = db.prepare<[], FoundSet>(
    `SELECT sets.id, game_id, sets.slug, abbreviation, sets.name, games.slug AS game_slug, updated_in
       FROM sets JOIN games ON games.id = game_id ORDER BY release_date DESC, sets.id`,
  )
  let searchable: (FoundSet & SearchableSet)[] | undefined
  let byLabel: ReturnType<typeof openLabels> | undefined

  const pictured = <Row extends { image_url: string | null }>(row: Row) =>
    withPictureUrl(row, pictureUrl)

  /** Prepares a page of a list and its total. */
  function prepareList(filter: SQL | undefined) {
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

  /** Omits unused conditions from the statement: counting all sets then reads only an index. */
  function chooseList({ game_id, after_version }: SetFilter) {
    if (after_version === undefined) return game_id === undefined ? all : ofGame
    return game_id === undefined ? changed : changedOfGame
  }

  function getById(id: number): SetRecord | undefined {
    const set = byId.get({ id })
    return set && pictured(set)
  }

  /** Lists the ids of the sets that a query or a code finds, best first. */
  function search({ game_id, after_version = BEFORE_ALL_VERSIONS, q, code }: SetFilter): number[] {
    searchable ??= newest.all().map((set) => ({ ...set, ...toSearchableSet(set) }))
    const query = q === undefined ? undefined : parseSetQuery(q)
    const key = code === undefined ? undefined : normalizeName(code)
    const ranked = searchable.flatMap((set) => {
      const isWanted =
        (game_id === undefined || set.game_id === game_id) &&
        set.updated_in > after_version &&
        (key === undefined || set.codes.includes(key))
      const rank = isWanted ? (query === undefined ? 0 : rankSet(set, query)) : undefined
      return rank === undefined ? [] : [{ id: set.id, rank }]
    })
    return ranked.sort((a, b) => a.rank - b.rank).map(({ id }) => id)
  }

  return {
    list(filter, paging) {
      if (filter.q !== undefined || filter.code !== undefined) {
        const ids = search(filter)
        const page = ids.slice(paging.offset, paging.offset + paging.limit)
        return { rows: page.flatMap((id) => getById(id) ?? []), total: ids.length }
      }
      const { page, total } = chooseList(filter)
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
      searchable = undefined
    },
    getById,
  }
}

type Label = Pick<SetRow, 'id' | 'game_id' | 'slug' | 'abbreviation' | 'name'> & {
  game_slug: string
}

type FoundSet = Label & Pick<SetRow, 'updated_in'>

/** Prepares look-ups by each kind of name, most specific first; most lists use only one of them. */
function openLabels(sets: readonly Label[]) {
  const by = (keysOf: (set: Label) => readonly string[], keyIn: (label: string) => string) => {
    let found: Map<string, Label[]> | undefined
    return (label: string): readonly Label[] => {
      found ??= groupByKeys(sets, keysOf)
      const key = keyIn(label)
      return key === '' ? [] : (found.get(key) ?? [])
    }
  }
  return [
    by(
      ({ slug }) => [slug],
      (label) => label.trim().toLowerCase(),
    ),
    by(listSetCodes, normalizeName),
    by(({ name }) => [normalizeName(name)], normalizeName),
    // Matches `SWSH12: Silver Tempest` as `Silver Tempest`.
    by(({ name }) => listSetNames(name), normalizeName),
  ]
}

function groupByKeys(sets: readonly Label[], keysOf: (set: Label) => readonly string[]) {
  const groups = new Map<string, Label[]>()
  for (const set of sets) {
    for (const key of keysOf(set)) groups.set(key, [...(groups.get(key) ?? []), set])
  }
  return groups
}
