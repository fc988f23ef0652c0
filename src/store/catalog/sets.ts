import { and, count, desc, eq, gt, type SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { type PictureUrl, withPictureUrl } from '#rules/catalog/picture-url.ts'
import { splitCode } from '#rules/catalog/set-keys.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { toDollars } from '#rules/primitives/money.ts'
import { type Db, onFirstUse } from '../db.ts'
import { type Logos, NO_LOGOS } from '../files/logos.ts'
import { pageParameter, parameter } from '../parameter.ts'
import type { RowPage, RowWindow } from '../rows.ts'
import { BEFORE_ALL_VERSIONS } from './publication.ts'
import { games, type SetRow, sets } from './schema/catalog.ts'
import { openSetKeys } from './set-keys.ts'

const SET = {
  id: sets.id,
  game_id: sets.game_id,
  name: sets.name,
  slug: sets.slug,
  marketplace_id: sets.id,
  abbreviation: sets.abbreviation,
  release_date: sets.release_date,
  card_count: sets.card_count,
  single_count: sets.single_count,
  priced_count: sets.priced_count,
  value: sets.value,
  image_url: sets.image_url,
  set_icon_url: sets.set_icon_url,
  last_synced_at: sets.last_synced_at,
  game_name: games.name,
  game_slug: games.slug,
}

/** A set as the API returns it. */
export type SetRecord = Omit<
  SetRow,
  | 'value'
  | 'top_price'
  | 'is_top_doubtful'
  | 'priced_at'
  | 'modified_on'
  | 'products_read_at'
  | 'missing_since'
  | 'updated_in'
> & {
  marketplace_id: number
  /** In dollars; null if no price is known. */
  value: number | null
  game_name: string
  game_slug: string
}

/** Its value is in cents. */
type StoredSet = SetRecord & { value: number }

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

/** Queries for sets, newest release first unless there is a query. Sets that are missing upstream keep their page. */
export type SetStore = {
  /** Returns one page of the sets. */
  list(filter: SetFilter, window: RowWindow): RowPage<SetRecord>
  /** Lists the ids of all sets, or of one game's. */
  listIds(game_id?: number): number[]
  /** Counts all sets. */
  count(): number
  /**
   * Finds sets by the name as it is spelled, otherwise by slug, otherwise by code (rules/catalog/set-codes.ts), otherwise
   * by name, otherwise by the form of a name (rules/catalog/set-forms.ts). Several sets may share a label, even within a
   * game: a code also means the gallery of its set.
   */
  findIds(label: string, game_id?: number): number[]
  /**
   * Lists the sets that a label may mean, each once: those of which it is the name as it is spelled, then those
   * of which it is the slug, a code or the whole name, then those
   * of which it is the name without the series, then those of whose names it is another form.
   */
  findTiers(label: string, game_id?: number): number[][]
  /** Returns a set; undefined if not found. */
  getById(id: number): SetRecord | undefined
}

export function openSetStore(db: Db, pictureUrl: PictureUrl, logos: Logos = NO_LOGOS): SetStore {
  const orm = drizzle(db)
  const isOfGame = eq(sets.game_id, parameter('game_id'))
  const hasChanged = gt(sets.updated_in, parameter('after_version'))
  const all = prepareList(undefined)
  const ofGame = prepareList(isOfGame)
  const changed = prepareList(hasChanged)
  const changedOfGame = prepareList(and(isOfGame, hasChanged))
  const byId = onFirstUse(() =>
    orm
      .select(SET)
      .from(sets)
      .innerJoin(games, eq(games.id, sets.game_id))
      .where(eq(sets.id, parameter('id')))
      .prepare(),
  )
  const ids = (filter: SQL | undefined) =>
    onFirstUse(() =>
      orm.select({ id: sets.id }).from(sets).where(filter).orderBy(sets.game_id, sets.id).prepare(),
    )
  const allIds = ids(undefined)
  const idsOfGame = ids(isOfGame)

  const keys = openSetKeys(db)
  const newest = db
    .prepare<{ ids: string; game_id: number | null; after_version: number }, number>(
      `SELECT id FROM sets WHERE id IN (SELECT value FROM json_each(@ids))
          AND updated_in > @after_version AND (@game_id IS NULL OR game_id = @game_id)
        ORDER BY release_date DESC, id`,
    )
    .pluck()
  const gameOf = db.prepare<[number], number>('SELECT game_id FROM sets WHERE id = ?').pluck()
  const nameOf = db.prepare<[number], string>('SELECT name FROM sets WHERE id = ?').pluck()

  const toRecord = (row: StoredSet): SetRecord => ({
    ...withPictureUrl(row, pictureUrl),
    value: row.priced_count === 0 ? null : toDollars(row.value),
    set_icon_url: pictureUrl(logos.getUrl(`sets/${row.id}`) ?? row.set_icon_url),
  })

  /** Prepares a page of a list and its total. */
  function prepareList(filter: SQL | undefined) {
    const page = onFirstUse(() =>
      orm
        .select(SET)
        .from(sets)
        .innerJoin(games, eq(games.id, sets.game_id))
        .where(filter)
        .orderBy(desc(sets.release_date), sets.id)
        .limit(pageParameter('limit'))
        .offset(pageParameter('offset'))
        .prepare(),
    )
    const total = onFirstUse(() =>
      orm.select({ total: count() }).from(sets).where(filter).prepare(),
    )
    return { page, total }
  }

  /** Omits unused conditions from the statement, so that counting all sets reads only an index. */
  function chooseList({ game_id, after_version }: SetFilter) {
    if (after_version === undefined) return game_id === undefined ? all : ofGame
    return game_id === undefined ? changed : changedOfGame
  }

  function getById(id: number): SetRecord | undefined {
    const set = byId().get({ id })
    return set && toRecord(set)
  }

  /** Lists the ids of the sets that match a query or a code, best first. */
  function search({ game_id, after_version = BEFORE_ALL_VERSIONS, q, code }: SetFilter): number[] {
    const ranks = q === undefined ? undefined : keys.rank(q)
    const ofCode =
      code === undefined
        ? undefined
        : keys
            .find(normalizeName(code))
            .flatMap((found) => (found.kind === 'code' ? found.set_id : []))
    const found = ofCode?.filter((id) => ranks?.has(id) ?? true) ?? [...(ranks?.keys() ?? [])]
    const ids = JSON.stringify(found)
    const sorted = newest.all({ ids, game_id: game_id ?? null, after_version })
    const rankOf = (id: number) => ranks?.get(id) ?? 0
    return sorted.sort((a, b) => rankOf(a) - rankOf(b))
  }

  /** Lists the sets that a label means: by the name as it is spelled, then by the kinds of keys. */
  function findByKind(label: string, game_id: number | undefined): number[][] {
    const isOfGame = (id: number) => game_id === undefined || gameOf.get(id) === game_id
    const kinds = keys.listKinds(label)
    const [, , named = []] = kinds
    // `Hidden Fates Shiny Vault` is another set than `Hidden Fates: Shiny Vault`.
    const spelled = named.filter((id) => nameOf.get(id) === label.trim())
    return [spelled, ...kinds].map((ids) => ids.filter(isOfGame))
  }

  /** Lists the sets that a label means, most specific first; the name and the code of a set may stand together. */
  function findKinds(label: string, game_id: number | undefined): number[][] {
    const found = findByKind(label, game_id)
    const split = found.some((ids) => ids.length > 0) ? undefined : splitCode(label)
    if (split === undefined) return found
    const [, , ofCode = []] = findByKind(split.code, game_id)
    return findByKind(split.name, game_id).map((ids) => ids.filter((id) => ofCode.includes(id)))
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
        rows: page()
          .all({ ...filter, ...paging })
          .map(toRecord),
        total: total().get(filter)?.total ?? 0,
      }
    },
    listIds: (game_id) =>
      (game_id === undefined ? allIds().all() : idsOfGame().all({ game_id })).map((set) => set.id),
    count: () => all.total().get()?.total ?? 0,
    // Most specific first, because `SWSH12: Silver Tempest` is also named `Silver Tempest`.
    findIds: (label, game_id) => findKinds(label, game_id).find((ids) => ids.length > 0) ?? [],
    findTiers(label, game_id) {
      const [spelled = [], slug = [], code = [], name = [], ...shorter] = findKinds(label, game_id)
      const known = new Set<number>()
      return [spelled, [...slug, ...code, ...name], ...shorter]
        .map((ids) => ids.filter((id) => !known.has(id) && known.add(id)))
        .filter((ids) => ids.length > 0)
    },
    getById,
  }
}
