/** Files in Cardmarket's format in a root folder. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatDate } from '#rules/primitives/days.ts'
import {
  type ListedProduct,
  PRODUCT_LISTS,
  priceGuidePath,
  productListPath,
} from '#rules/sync/cardmarket/files.ts'

/** A row of a price guide, as Cardmarket writes it. */
export type GuideRow = Record<string, unknown> & { idProduct: number }

/** Writes the product lists of a game. */
export function writeProductLists(
  root: string,
  gameId: number,
  products: readonly ListedProduct[],
): void {
  for (const kind of PRODUCT_LISTS) {
    const listed = products.filter(({ is_sealed }) => is_sealed === (kind === 'nonsingles'))
    writeFile(root, productListPath(kind, gameId), {
      version: 1,
      createdAt: '2026-08-05T10:38:58+0200',
      products: listed.map(({ id, name, expansion_id, added_on }) => ({
        idProduct: id,
        name,
        idCategory: 51,
        categoryName: 'Single',
        idExpansion: expansion_id,
        idMetacard: 0,
        dateAdded: added_on === null ? '0000-00-00 00:00:00' : `${formatDate(added_on)} 12:40:51`,
      })),
    })
  }
}

/** Writes a price guide. */
export function writePriceGuide(
  root: string,
  gameId: number,
  priceGuides: readonly GuideRow[],
  createdAt = '2026-08-05T02:44:32+0200',
): void {
  writeFile(root, priceGuidePath(gameId), { version: 1, createdAt, priceGuides })
}

/** Returns a row with all columns of a game's guide; amounts in euros. */
export function guideRow(
  idProduct: number,
  trend: number | null,
  foilTrend: number | null = null,
  column: 'foil' | 'holo' = 'holo',
): GuideRow {
  const share = (price: number | null, part: number) =>
    price === null ? null : Math.round(price * part * 100) / 100
  const columns = (price: number | null, suffix: string) => ({
    [`avg${suffix}`]: share(price, 1.1),
    [`low${suffix}`]: share(price, 0.6),
    [`trend${suffix}`]: price,
    [`avg1${suffix}`]: share(price, 1.05),
    [`avg7${suffix}`]: null,
    [`avg30${suffix}`]: share(price, 0.9),
  })
  return { idProduct, idCategory: 51, ...columns(trend, ''), ...columns(foilTrend, `-${column}`) }
}

/** Writes text or JSON to a path in a root folder. */
export function writeFile(root: string, path: string, content: string | object): void {
  const target = join(root, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content))
}
