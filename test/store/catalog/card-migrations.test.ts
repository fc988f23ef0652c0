// Changes of cards that are recorded while sets are written, compared with a plain model.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { UpstreamCard, UpstreamSet } from '#rules/catalog/catalog-records.ts'
import { type CardMigrationRecord, openCardMigrationStore } from '#store/catalog/ids/card-ids.ts'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { openSetWriter } from '#store/catalog/set-writer.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { migrate } from '#store/migrate.ts'

const DAY_MS = 86_400_000

function openEmpty(): Db {
  const db = openDatabase(':memory:')
  migrate(db, CATALOG_MIGRATIONS)
  db.exec(`INSERT INTO games (id, name, slug, priority) VALUES (1, 'Game', 'game', 3)`)
  return db
}

const setOf = (id: number): UpstreamSet => ({
  id,
  game_id: 1,
  name: `Set ${id}`,
  abbreviation: null,
  release_date: null,
  modified_on: null,
})

/** Two cards share a name and a number if their ids are equal modulo ten. */
const cardOf = (set_id: number, id: number): UpstreamCard => ({
  id,
  game_id: 1,
  set_id,
  name: `Card ${id % 10}`,
  clean_name: `Card ${id % 10}`,
  number: `${id % 10}`,
  rarity: null,
  image_url: null,
  marketplace_url: null,
  product_type: 'Cards',
  total_listings: 0,
  shipping_category_id: 1,
  product_status_id: 1,
  foil_only: undefined,
  hp: null,
  custom_attributes: {},
})

/** Ids of the cards of both sets on one day; no card is in both sets. */
type Day = { first: readonly number[]; second: readonly number[]; isReversed: boolean }

function publish(db: Db, { first, second, isReversed }: Day, day: number): void {
  const writer = openSetWriter(db)
  const times = {
    now: new Date(day * DAY_MS),
    published_at: day,
    products_read_at: day,
    version: day,
  }
  const sets = [
    [1, first],
    [2, second],
  ] as const
  for (const [set, ids] of isReversed ? sets.toReversed() : sets) {
    const cards = ids.map((id) => cardOf(set, id))
    writer.put(setOf(set), cards, new Set(), times)
  }
}

const list = (db: Db, filter: { kind?: 'removed'; since?: number } = {}) => {
  const { kind, since } = filter
  return openCardMigrationStore(db).list({ kind, since }, { limit: 1_000, offset: 0 })
}

/** Returns the changes of a day from the cards of the previous day, without times and ids. */
function expectedChanges(before: Map<number, { set: number; isMissing: boolean }>, day: Day) {
  const now = new Map<number, number>([
    ...day.first.map((id) => [id, 1] as const),
    ...day.second.map((id) => [id, 2] as const),
  ])
  const changes: { card_id: number; kind: string; new_card_id: number | null }[] = []
  for (const [card_id, { set, isMissing }] of before) {
    const found = now.get(card_id)
    if (found === undefined) {
      if (isMissing) continue
      const others = [...now].filter(([id, of]) => of === set && id % 10 === card_id % 10)
      const new_card_id = others.length === 0 ? null : Math.max(...others.map(([id]) => id))
      changes.push({ card_id, kind: new_card_id === null ? 'removed' : 'merged', new_card_id })
    } else if (found !== set) changes.push({ card_id, kind: 'moved', new_card_id: null })
    else if (isMissing) changes.push({ card_id, kind: 'restored', new_card_id: null })
  }
  for (const state of before.values()) state.isMissing = true
  for (const [id, set] of now) before.set(id, { set, isMissing: false })
  return changes.toSorted((a, b) => a.card_id - b.card_id)
}

describe('the migrations of cards', () => {
  test('are what changed from day to day, whichever set is read first', () => {
    const place = fc.constantFrom('first', 'second', 'none')
    const day = fc
      .tuple(fc.array(place, { minLength: 15, maxLength: 15 }), fc.boolean())
      .map(([places, isReversed]): Day => {
        const idsIn = (wanted: string) =>
          places.flatMap((one, id) => (one === wanted ? [id + 1] : []))
        return { first: idsIn('first'), second: idsIn('second'), isReversed }
      })
    fc.assert(
      fc.property(fc.array(day, { minLength: 2, maxLength: 6 }), (days) => {
        const db = openEmpty()
        const known = new Map<number, { set: number; isMissing: boolean }>()
        for (const [index, one] of days.entries()) {
          publish(db, one, index + 1)
          const expected = expectedChanges(known, one)
          const { rows } = list(db, { since: (index + 1) * DAY_MS - 1 })
          const found = rows.map(({ card_id, kind, new_card_id }: CardMigrationRecord) => {
            return { card_id, kind: kind as string, new_card_id }
          })
          expect(found.toSorted((a, b) => a.card_id - b.card_id)).toEqual(expected)
        }
        db.close()
      }),
      { numRuns: 60 },
    )
  })

  test('are listed newest first, by kind and time, in pages', () => {
    const db = openEmpty()
    publish(db, { first: [1, 2, 3], second: [], isReversed: false }, 1)
    publish(db, { first: [1, 2], second: [], isReversed: false }, 2)
    publish(db, { first: [1], second: [2], isReversed: false }, 3)
    publish(db, { first: [1], second: [], isReversed: false }, 4)
    const kinds = ({ rows }: ReturnType<typeof list>) =>
      rows.map(({ card_id, kind }) => `${kind} ${card_id}`)
    expect(kinds(list(db))).toEqual(['removed 2', 'moved 2', 'removed 3'])
    expect(kinds(list(db, { kind: 'removed' }))).toEqual(['removed 2', 'removed 3'])
    expect(kinds(list(db, { since: 2 * DAY_MS }))).toEqual(['removed 2', 'moved 2'])
    const moved = list(db).rows[1]
    expect(moved).toMatchObject({ old_set_id: 1, new_set_id: 2, card_name: 'Card 2' })
    expect(moved?.created_at).toBe('1970-01-04T00:00:00.000Z')
    const page = openCardMigrationStore(db).list(
      { kind: undefined, since: undefined },
      { limit: 1, offset: 1 },
    )
    expect([kinds(page), page.total]).toEqual([['moved 2'], 3])
    db.close()
  })
})
