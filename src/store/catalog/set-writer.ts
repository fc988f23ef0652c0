import { getTableConfig } from 'drizzle-orm/sqlite-core'
import type { UpstreamCard, UpstreamSet } from '#rules/catalog/catalog-records.ts'
import { numberKey, slugify } from '#rules/catalog/names.ts'
import { buildSearchText } from '#rules/search/search-document.ts'
import type { Db } from '../db.ts'
import { openMigrationRecorder } from './ids/migration-recorder.ts'
import { cards as cardTable, type SetRow } from './schema/catalog.ts'
import type { SetCounts } from './set-counts.ts'

/** Time of the write, and its catalog version. */
export type SetTimes = {
  now: Date
  /** Upstream publish time, epoch seconds. */
  published_at: number
  /** Epoch seconds; 0 keeps the stored time. */
  products_read_at: number
  version: number
}

/** Changes made by writing a set. */
export type SetChanges = {
  /** True if the JSON of any of its cards changed. */
  updated: boolean
  /**
   * True if the index of names must be rebuilt, because a card is new, gone or renamed, or the order of sets changed.
   */
  renamed: boolean
  /** Sets that lost cards to this one, whose counts may be those of before. */
  left: readonly number[]
}

/** Writes sets and changed cards; marks each row with the version in which its JSON changed. */
export type SetWriter = {
  /** Writes a set and its cards. */
  put(
    set: UpstreamSet,
    cards: readonly UpstreamCard[] | undefined,
    unreadable: ReadonlySet<number>,
    times: SetTimes,
  ): SetChanges
  /** Writes the set's number of cards, their value and its representative picture. */
  putCounts(id: number, counts: SetCounts, version: number): void
}

export function openSetWriter(db: Db): SetWriter {
  const known = db.prepare<[number], Pick<SetRow, 'name' | 'slug' | 'game_id' | 'release_date'>>(
    'SELECT name, slug, game_id, release_date FROM sets WHERE id = ?',
  )
  const slugTaken = db
    .prepare<[number, string, number], number>(
      'SELECT 1 FROM sets WHERE game_id = ? AND slug = ? AND id <> ?',
    )
    .pluck()
  const put = db.prepare(
    `INSERT INTO sets (id, game_id, name, slug, abbreviation, release_date, last_synced_at,
       priced_at, modified_on, products_read_at, updated_in)
     VALUES (@id, @game_id, @name, @slug, @abbreviation, @release_date, @last_synced_at,
       @priced_at, @modified_on, @products_read_at, @version)
     ON CONFLICT (id) DO UPDATE SET game_id = excluded.game_id, name = excluded.name,
       slug = excluded.slug, abbreviation = excluded.abbreviation,
       release_date = excluded.release_date, last_synced_at = excluded.last_synced_at,
       priced_at = excluded.priced_at, modified_on = excluded.modified_on,
       products_read_at = coalesce(nullif(excluded.products_read_at, 0), products_read_at),
       missing_since = NULL,
       updated_in = CASE WHEN ${differing('sets', SHOWN_OF_SET)}
         THEN excluded.updated_in ELSE updated_in END`,
  )
  const putCard = db
    .prepare<[object], number>(
      `INSERT INTO cards (id, ${COLUMNS_OF_CARD.join(', ')}, updated_in)
       VALUES (@id, ${COLUMNS_OF_CARD.map((column) => `@${column}`).join(', ')}, @version)
       ON CONFLICT (id) DO UPDATE SET
         ${COLUMNS_OF_CARD.map((column) => `${column} = excluded.${column}`).join(', ')},
         missing_since = NULL,
         updated_in = CASE WHEN missing_since IS NOT NULL OR ${differing('cards', SHOWN_OF_CARD)}
           THEN excluded.updated_in ELSE updated_in END
       WHERE missing_since IS NOT NULL OR ${differing('cards', COLUMNS_OF_CARD)}
       RETURNING updated_in`,
    )
    .pluck()
  const markCards = db.prepare<[number, number]>('UPDATE cards SET updated_in = ? WHERE set_id = ?')
  // Returns one JSON text per set, because rows cross the driver value by value.
  const namesOfSet = db
    .prepare<[number], string>(
      `SELECT json_group_array(json_array(id, name)) FROM cards
        WHERE set_id = ? AND missing_since IS NULL`,
    )
    .pluck()
  const missCard = db.prepare<[string, number]>('UPDATE cards SET missing_since = ? WHERE id = ?')
  const migrations = openMigrationRecorder(db)
  const pictureOf = db
    .prepare<[number], string | null>('SELECT image_url FROM cards WHERE id = ?')
    .pluck()
  const count = db.prepare(
    `UPDATE sets SET card_count = @cards, single_count = @singles, priced_count = @priced,
       value = @value, top_price = @top_price, is_top_doubtful = @is_top_doubtful,
       image_url = @image_url,
       updated_in = CASE WHEN (card_count, single_count, priced_count, value, image_url)
           IS NOT (@cards, @singles, @priced, @value, @image_url)
         THEN @version ELSE updated_in END
      WHERE id = @id`,
  )

  /** Returns the slug of a set: stable once assigned, unique within its game. */
  function chooseSlug(set: UpstreamSet): string {
    const current = known.get(set.id)?.slug
    const wanted = current ?? slugify(set.name, set.id)
    const taken = (slug: string) => slugTaken.get(set.game_id, slug, set.id) === 1
    if (!taken(wanted)) return wanted
    const withCode =
      set.abbreviation === null ? '' : slugify(`${wanted}-${set.abbreviation}`, set.id)
    return withCode !== '' && !taken(withCode) ? withCode : `${wanted}-${set.id}`
  }

  return {
    put(set, cards, unreadable, times) {
      const { now, published_at, products_read_at, version } = times
      const before = known.get(set.id)
      const slug = chooseSlug(set)
      put.run({
        ...set,
        slug,
        last_synced_at: now.toISOString(),
        priced_at: published_at,
        products_read_at,
        version,
      })
      // Cards have the name and slug of their set in their JSON.
      const relabeled = before !== undefined && (before.name !== set.name || before.slug !== slug)
      if (relabeled) markCards.run(version, set.id)
      const moved =
        before !== undefined &&
        (before.game_id !== set.game_id || before.release_date !== set.release_date)
      const changes = putCards(set, cards, unreadable, times)
      return {
        updated: changes.updated || relabeled,
        renamed: changes.renamed || moved,
        left: changes.left,
      }
    },
    putCounts(id, { face, ...counts }, version) {
      const image_url = face === null ? null : (pictureOf.get(face) ?? null)
      count.run({ id, image_url, version, ...counts })
    },
  }

  function putCards(
    set: UpstreamSet,
    cards: readonly UpstreamCard[] | undefined,
    unreadable: ReadonlySet<number>,
    { now, version }: SetTimes,
  ): SetChanges {
    const changes = { updated: false, renamed: false, left: [] as number[] }
    if (cards === undefined) return changes
    const gone = new Map<number, string>(JSON.parse(namesOfSet.get(set.id) ?? '[]'))
    const before = migrations.findChanged(
      set.id,
      cards.map(({ id }) => id),
    )
    changes.left = before.map(({ set_id }) => set_id).filter((id) => id !== set.id)
    for (const card of cards) {
      if (gone.get(card.id) !== card.name) changes.renamed = true
      gone.delete(card.id)
      const { foil_only, ...row } = card
      const updatedIn = putCard.get({
        ...row,
        told_foil_only: foil_only ?? null,
        number_key: numberKey(card.number),
        custom_attributes: JSON.stringify(card.custom_attributes),
        search_text: buildSearchText(card),
        version,
      })
      if (updatedIn === version) changes.updated = true
    }
    migrations.addListed(set.id, before, now)
    const missing = [...gone.keys()].filter((id) => !unreadable.has(id))
    for (const id of missing) missCard.run(now.toISOString(), id)
    // After all missing cards are marked, because a missing card does not replace another one.
    for (const id of missing) migrations.addRemoved(id, now)
    if (missing.length > 0) changes.renamed = true
    return changes
  }
}

const SHOWN_OF_SET = ['game_id', 'name', 'slug', 'abbreviation', 'release_date'] as const

/** Columns of a card that are written separately, in addition to its id. */
const WRITTEN_APART: readonly string[] = ['id', 'foil_only', 'missing_since', 'updated_in']

/** Columns of a card that do not appear in its JSON. */
const HIDDEN: readonly string[] = ['number_key', 'search_text', 'told_foil_only']

const COLUMNS_OF_CARD = getTableConfig(cardTable)
  .columns.map(({ name }) => name)
  .filter((name) => !WRITTEN_APART.includes(name))

const SHOWN_OF_CARD = COLUMNS_OF_CARD.filter((name) => !HIDDEN.includes(name))

/** Returns SQL that is true if an upsert changes any of these columns. */
function differing(table: string, columns: readonly string[]): string {
  const of = (row: string) => columns.map((column) => `${row}.${column}`).join(', ')
  return `(${of(table)}) IS NOT (${of('excluded')})`
}
