import { dayOf, dayOfSeconds } from '#rules/days.ts'
import type { CardIntake, GameIntake, PriceIntake, SetIntake } from '#rules/intake.ts'
import { numberKey, slugify } from '#rules/names.ts'
import { searchText } from '#rules/search-text.ts'
import { type Db, inTransaction } from '../db.ts'
import { closeMonths, openHistoryImport } from './history-intake.ts'
import { rebuildMovers } from './movers-build.ts'
import { openPriceIntake, type SetCounts } from './price-intake.ts'
import { rebuildNames, rebuildNumberShapes, rebuildSearch } from './search-index.ts'
import { type KnownFile, openSyncLog } from './sync-log.ts'

/** What a run has read of one set, checked and mapped. */
export type SetDelivery = {
  set: SetIntake
  /** Whether the upstream was asked for its products. */
  products_read: boolean
  /** Undefined: its products are what they were. */
  cards: readonly CardIntake[] | undefined
  /** Undefined: the upstream says that its prices are what they were. */
  prices: readonly PriceIntake[] | undefined
  /** Cards of which a record, or a price record, was unreadable: what is known of them stays. */
  unreadable: { cards: readonly number[]; prices: readonly number[] }
  /** What the upstream said of the files, so that they are not fetched again unchanged. */
  files: readonly ({ path: string } & KnownFile)[]
}

/** What goes in at once: readers see all of it or nothing. */
export type Delivery = {
  games: readonly GameIntake[]
  /** Read lazily, so that a large catalog never stands in memory as a whole. */
  sets: Iterable<SetDelivery>
  /** Games of which everything is in, with this publication. */
  completeGames: readonly number[]
  /** Sets that the upstream no longer lists. */
  missingSets: readonly number[]
  /** The upstream publish time that all of this is of. */
  publishedAt: Date
  /** When the run read it. */
  now: Date
}

/** What a publication changed; `orphans` are prices of cards that the catalog does not have. */
export type Published = {
  sets: number
  cards: number
  prices: number
  orphans: number
  version: number
}

/** The writes that bring a catalog up to date. */
export function openIntake(db: Db) {
  const putGame = db.prepare(
    `INSERT INTO games (id, name, slug, priority, logo_url)
     VALUES (@id, @name, @slug, @priority, @logo_url)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, priority = excluded.priority,
       logo_url = excluded.logo_url`,
  )
  const slugTaken = db
    .prepare<[string, number], number>('SELECT 1 FROM games WHERE slug = ? AND id <> ?')
    .pluck()
  const completeGame = db.prepare<[string, string, number]>(
    `UPDATE games SET last_synced_at = ?, published_at = ?, stale_since = NULL WHERE id = ?`,
  )
  const missSet = db.prepare<[string, number]>(
    'UPDATE sets SET missing_since = coalesce(missing_since, ?) WHERE id = ?',
  )
  const countGames = db.prepare(
    `UPDATE games SET
       set_count = (SELECT count(*) FROM sets WHERE game_id = games.id),
       card_count = (SELECT coalesce(sum(card_count), 0) FROM sets WHERE game_id = games.id),
       image_url = (SELECT image_url FROM sets WHERE game_id = games.id AND image_url IS NOT NULL
                     ORDER BY top_price DESC, id LIMIT 1)`,
  )
  const nextVersion = db
    .prepare<[string, string], number>(
      `UPDATE publication SET version = version + 1, changed_at = ?,
         published_at = nullif(max(coalesce(published_at, ''), ?), '') RETURNING version`,
    )
    .pluck()
  const pricedSets = db.prepare<[], { id: number; priced_at: number }>(
    'SELECT id, priced_at FROM sets WHERE priced_at > 0',
  )
  const newestDay = db.prepare<[], number>('SELECT max(priced_at) FROM sets').pluck()
  const putSet = openSetIntake(db)
  const prices = openPriceIntake(db)
  const syncLog = openSyncLog(db)

  /** What every publication ends with: everything that is derived from cards and prices. */
  function derive(now: Date, publishedAt: Date): number {
    countGames.run()
    rebuildSearch(db)
    rebuildNames(db)
    rebuildNumberShapes(db)
    rebuildMovers(db)
    return nextVersion.get(now.toISOString(), publishedAt.toISOString()) ?? 0
  }

  return {
    /**
     * Publishes a delivery in one transaction: a reader, or a process that is killed at any moment,
     * leaves the catalog as it was or finds all of it.
     */
    publish(delivery: Delivery): Published {
      const { now, publishedAt } = delivery
      const day = dayOf(publishedAt)
      const published_at = Math.floor(publishedAt.getTime() / 1000)
      const done = inTransaction(db, () => {
        const counts = { sets: 0, cards: 0, prices: 0, orphans: 0 }
        for (const game of delivery.games) {
          const taken = slugTaken.get(game.slug, game.id) === 1
          putGame.run(taken ? { ...game, slug: `${game.slug}-${game.id}` } : game)
        }
        for (const {
          set,
          cards,
          prices: rows,
          unreadable,
          files,
          products_read,
        } of delivery.sets) {
          const products_read_at = products_read ? Math.floor(now.getTime() / 1000) : 0
          const times = { now, published_at, products_read_at }
          putSet.put(set, cards, new Set(unreadable.cards), times)
          const held = prices.replace({
            set_id: set.id,
            day,
            published_at,
            prices: rows,
            unreadable: new Set(unreadable.prices),
          })
          counts.prices += held.changed
          counts.orphans += held.orphans
          putSet.count(set.id, held)
          for (const file of files) syncLog.putFile(file.path, file)
          counts.sets++
          counts.cards += cards?.length ?? 0
        }
        for (const set of delivery.missingSets) missSet.run(now.toISOString(), set)
        for (const game of delivery.completeGames) {
          completeGame.run(now.toISOString(), publishedAt.toISOString(), game)
        }
        return { ...counts, version: derive(now, publishedAt) }
      })
      closeMonths(db, day)
      return done
    },

    history: {
      ...openHistoryImport(db),
      /** Counts changes and movers again, in one transaction: older days were imported. */
      recount(now: Date): void {
        inTransaction(db, () => {
          for (const { id, priced_at } of pricedSets.all()) {
            prices.recount(id, dayOfSeconds(priced_at))
          }
          rebuildMovers(db)
          nextVersion.get(now.toISOString(), '')
        })
        const newest = newestDay.get()
        if (newest !== undefined) closeMonths(db, dayOfSeconds(newest))
      },
    },
  }
}

/** A set's own row and its cards. */
function openSetIntake(db: Db) {
  const known = db.prepare<[number], { slug: string; abbreviation: string | null }>(
    'SELECT slug, abbreviation FROM sets WHERE id = ?',
  )
  const slugTaken = db
    .prepare<[number, string, number], number>(
      'SELECT 1 FROM sets WHERE game_id = ? AND slug = ? AND id <> ?',
    )
    .pluck()
  const put = db.prepare(
    `INSERT INTO sets (id, game_id, name, slug, abbreviation, release_date, last_synced_at,
       priced_at, modified_on, products_read_at)
     VALUES (@id, @game_id, @name, @slug, @abbreviation, @release_date, @last_synced_at,
       @priced_at, @modified_on, @products_read_at)
     ON CONFLICT (id) DO UPDATE SET game_id = excluded.game_id, name = excluded.name,
       slug = excluded.slug, abbreviation = excluded.abbreviation,
       release_date = excluded.release_date, last_synced_at = excluded.last_synced_at,
       priced_at = excluded.priced_at, modified_on = excluded.modified_on,
       products_read_at = coalesce(nullif(excluded.products_read_at, 0), products_read_at),
       missing_since = NULL`,
  )
  const putCard = db.prepare(
    `INSERT INTO cards (id, game_id, set_id, name, clean_name, number, number_key, rarity,
       image_url, marketplace_url, product_type, total_listings, shipping_category_id,
       product_status_id, hp, custom_attributes, search_text, told_foil_only)
     VALUES (@id, @game_id, @set_id, @name, @clean_name, @number, @number_key, @rarity, @image_url,
       @marketplace_url, @product_type, @total_listings, @shipping_category_id,
       @product_status_id, @hp, @custom_attributes, @search_text, @told_foil_only)
     ON CONFLICT (id) DO UPDATE SET game_id = excluded.game_id, set_id = excluded.set_id,
       name = excluded.name, clean_name = excluded.clean_name, number = excluded.number,
       number_key = excluded.number_key, rarity = excluded.rarity, image_url = excluded.image_url,
       marketplace_url = excluded.marketplace_url, product_type = excluded.product_type,
       total_listings = excluded.total_listings,
       shipping_category_id = excluded.shipping_category_id,
       product_status_id = excluded.product_status_id, hp = excluded.hp,
       custom_attributes = excluded.custom_attributes, search_text = excluded.search_text,
       told_foil_only = excluded.told_foil_only, missing_since = NULL`,
  )
  const idsOfSet = db
    .prepare<[number], number>('SELECT id FROM cards WHERE set_id = ? AND missing_since IS NULL')
    .pluck()
  const missCard = db.prepare<[string, number]>('UPDATE cards SET missing_since = ? WHERE id = ?')
  const namesOfSet = db.prepare<[number], { id: number; name: string; number: string | null }>(
    'SELECT id, name, number FROM cards WHERE set_id = ?',
  )
  const retext = db.prepare<[string, number]>('UPDATE cards SET search_text = ? WHERE id = ?')
  const count = db.prepare<[number, number | null, number | null, number]>(
    `UPDATE sets SET card_count = ?, top_price = ?,
       image_url = (SELECT image_url FROM cards WHERE id = ?) WHERE id = ?`,
  )

  /** The slug of a set: kept once given, unique within its game. */
  function slugOf(set: SetIntake): string {
    const kept = known.get(set.id)?.slug
    const wanted = kept ?? slugify(set.name, set.id)
    const taken = (slug: string) => slugTaken.get(set.game_id, slug, set.id) === 1
    if (!taken(wanted)) return wanted
    const withCode =
      set.abbreviation === null ? '' : slugify(`${wanted}-${set.abbreviation}`, set.id)
    return withCode !== '' && !taken(withCode) ? withCode : `${wanted}-${set.id}`
  }

  return {
    put(
      set: SetIntake,
      cards: readonly CardIntake[] | undefined,
      unreadable: ReadonlySet<number>,
      times: { now: Date; published_at: number; products_read_at: number },
    ): void {
      const { now, published_at, products_read_at } = times
      const before = known.get(set.id)
      put.run({
        ...set,
        slug: slugOf(set),
        last_synced_at: now.toISOString(),
        priced_at: published_at,
        // 0 keeps the time that is known.
        products_read_at,
      })
      if (cards !== undefined) putCards(set, cards, unreadable, now)
      // The set's code is one of the words that its cards are found by.
      else if (before !== undefined && before.abbreviation !== set.abbreviation) {
        for (const card of namesOfSet.all(set.id)) {
          retext.run(searchText({ ...card, abbreviation: set.abbreviation }), card.id)
        }
      }
    },
    /** How many cards the set has, and whose picture stands for it. */
    count(id: number, { cards, face, top_price }: SetCounts): void {
      count.run(cards, top_price, face, id)
    },
  }

  function putCards(
    set: SetIntake,
    cards: readonly CardIntake[],
    unreadable: ReadonlySet<number>,
    now: Date,
  ): void {
    const gone = new Set(idsOfSet.all(set.id))
    for (const card of cards) {
      gone.delete(card.id)
      const { foil_only, ...row } = card
      putCard.run({
        ...row,
        told_foil_only: foil_only ?? null,
        number_key: numberKey(card.number),
        custom_attributes: JSON.stringify(card.custom_attributes),
        search_text: searchText({ ...card, abbreviation: set.abbreviation }),
      })
    }
    for (const id of gone) if (!unreadable.has(id)) missCard.run(now.toISOString(), id)
  }
}
