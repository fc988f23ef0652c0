import type { PictureUrl } from '#rules/catalog/picture-url.ts'
import type { PriceOrigin } from '#rules/pricing/price-view.ts'
import type { Db } from '../db.ts'
import type { CardRow } from './schema/catalog.ts'
import type { PriceRow } from './schema/pricing.ts'

/** Fields that identify a card in a list of results. */
export type NamedCard = Pick<CardRow, 'id' | 'name' | 'number' | 'image_url'> & {
  marketplace_id: number
  game_slug: string
  game_name: string
  set_name: string
  set_slug: string
}

/** Prices of a printing, in cents. */
export type PricedPrinting = Pick<PriceRow, 'market_price' | 'low_price'> & {
  printing: string
  /** Undefined for an unconverted price of the mirror. */
  origin?: PriceOrigin
}

/** A card with the prices of its printings, the base printing first. */
export type PricedCard = { card: NamedCard; printings: PricedPrinting[] }

/** Queries for many cards and their prices at once. */
export type PricedCardStore = {
  /** Lists cards without prices; ids that are not in the catalog are skipped. */
  listNamed(ids: Iterable<number>): NamedCard[]
  /** Returns cards with prices by id; ids that are not in the catalog are omitted. */
  getByIds(ids: Iterable<number>): Map<number, PricedCard>
  /** Drops the cached data of an older catalog. */
  invalidate(): void
}

export function openPricedCardStore(db: Db, pictureUrl: PictureUrl): PricedCardStore {
  // Raw statements without joins, because a thousand names mean three thousand cards.
  const named = db.prepare<[string], NamedRow>(
    `SELECT cards.id, name, number, image_url, set_id
       FROM json_each(+?) AS wanted CROSS JOIN cards ON cards.id = wanted.value`,
  )
  const labels = db.prepare<[number], SetLabels>(
    `SELECT games.slug AS game_slug, games.name AS game_name, sets.name AS set_name,
            sets.slug AS set_slug
       FROM sets JOIN games ON games.id = sets.game_id WHERE sets.id = +?`,
  )
  // A few thousand sets of some hundred bytes each.
  const known = new Map<number, SetLabels>()
  const printings = db.prepare<
    [string],
    Pick<PriceRow, 'card_id' | 'market_price' | 'low_price'> & { printing: string }
  >(
    `SELECT card_id, name AS printing, market_price, low_price
       FROM json_each(+?) AS wanted
       CROSS JOIN prices ON card_id = wanted.value AND changed_at > 0
       JOIN printings ON printings.id = printing_id
      ORDER BY is_base_printing DESC, printing_id`,
  )

  function getLabels(set_id: number): SetLabels {
    const cached = known.get(set_id)
    if (cached !== undefined) return cached
    const found = labels.get(set_id)
    // Foreign keys guarantee that every card has a set.
    if (found === undefined) throw new Error(`set ${set_id} not found`)
    known.set(set_id, found)
    return found
  }

  function readNamed(ids: Iterable<number>): NamedCard[] {
    return named.all(toJsonList(ids)).map(({ id, name, number, image_url, set_id }) => {
      const { game_slug, game_name, set_name, set_slug } = getLabels(set_id)
      return {
        id,
        name,
        marketplace_id: id,
        number,
        game_slug,
        game_name,
        set_name,
        set_slug,
        image_url: pictureUrl(image_url),
      }
    })
  }

  return {
    listNamed: readNamed,
    getByIds(ids) {
      const list = [...ids]
      const found = new Map<number, PricedCard>()
      for (const card of readNamed(list)) found.set(card.id, { card, printings: [] })
      for (const { card_id, ...price } of printings.all(toJsonList(list))) {
        found.get(card_id)?.printings.push(price)
      }
      return found
    },
    invalidate: () => known.clear(),
  }
}

type NamedRow = Pick<CardRow, 'id' | 'name' | 'number' | 'image_url' | 'set_id'>

type SetLabels = Pick<NamedCard, 'game_slug' | 'game_name' | 'set_name' | 'set_slug'>

/** Removes duplicates and returns JSON. */
function toJsonList(ids: Iterable<number>): string {
  return JSON.stringify([...new Set(ids)])
}
