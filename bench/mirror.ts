import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { toDollars } from '#rules/primitives/money.ts'
import { openDatabase } from '#store/db.ts'
import { createSeededRandom } from '../scripts/tools/seed/random.ts'

/**
 * Writes the mirror that an upstream of this catalog would have a day later, with a share of the prices changed.
 *
 * @returns the number of price rows
 */
export function writeMirror(
  folder: string,
  catalogFile: string,
  { publishedAt, changed }: { publishedAt: Date; changed: number },
): number {
  rmSync(folder, { recursive: true, force: true })
  const db = openDatabase(catalogFile, { readonly: true })
  const put = (path: string, results: readonly object[]) =>
    putFile(join(folder, 'tcgplayer', path), JSON.stringify({ success: true, errors: [], results }))
  const prices = openPrices(db, changed)
  let rows = 0
  const games = db.prepare<[], Game>('SELECT id, name, priority FROM games').all()
  put('categories', games.map(categoryOf))
  for (const { id: categoryId } of games) {
    const sets = db
      .prepare<[number], GameSet>('SELECT * FROM sets WHERE game_id = ?')
      .all(categoryId)
    put(
      `${categoryId}/groups`,
      sets.map((set) => groupOf(set, categoryId)),
    )
    for (const { id: groupId } of sets) {
      const results = prices(groupId)
      rows += results.length
      put(`${categoryId}/${groupId}/prices`, results)
    }
  }
  const time = publishedAt.toISOString().replace(/\.\d+Z$/, '+0000')
  putFile(join(folder, 'last-updated.txt'), time)
  db.close()
  return rows
}

type Game = { id: number; name: string; priority: number }
type GameSet = {
  id: number
  name: string
  abbreviation: string | null
  release_date: string | null
  modified_on: string | null
}
type PriceRow = {
  productId: number
  subTypeName: string
  market_price: number | null
  low_price: number | null
  median_price: number | null
  lowest_with_shipping: number | null
  buylist_price: number | null
}

/** A popularity that leads to the priority (rules/sync/upstream.ts). */
const POPULARITY = [0, 20_000, 200_000, 1_000_000] as const

function categoryOf({ id, name, priority }: Game) {
  return { categoryId: id, name, displayName: name, popularity: POPULARITY[priority] ?? 0 }
}

function groupOf(set: GameSet, categoryId: number) {
  return {
    groupId: set.id,
    categoryId,
    name: set.name,
    abbreviation: set.abbreviation,
    publishedOn: `${set.release_date}T00:00:00`,
    modifiedOn: set.modified_on,
  }
}

function openPrices(db: ReturnType<typeof openDatabase>, changedShare: number) {
  const rows = db.prepare<[number], PriceRow>(
    `SELECT prices.card_id AS productId, printings.name AS subTypeName, market_price, low_price,
            median_price, lowest_with_shipping, buylist_price
       FROM cards JOIN prices ON prices.card_id = cards.id
       JOIN printings ON printings.id = printing_id WHERE cards.set_id = ?`,
  )
  return (setId: number) => {
    const chance = createSeededRandom(setId)
    return rows.all(setId).map((row) => {
      const { market_price, ...rest } = row
      const market = chance.happens(changedShare)
        ? moved(market_price, chance.bell())
        : market_price
      return {
        productId: rest.productId,
        subTypeName: rest.subTypeName,
        marketPrice: toDollars(market),
        lowPrice: toDollars(rest.low_price),
        midPrice: toDollars(rest.median_price),
        highPrice: toDollars(market),
        lowestPriceWithShipping: toDollars(rest.lowest_with_shipping),
        buylistPrice: toDollars(rest.buylist_price),
      }
    })
  }
}

/** Returns a changed price. */
function moved(cents: number | null, bell: number): number {
  if (cents === null) return 50
  const next = Math.max(1, Math.round(cents * (1 + 0.05 * bell)))
  return next === cents ? cents + 1 : next
}

function putFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
