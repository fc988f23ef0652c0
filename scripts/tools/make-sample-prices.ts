/**
 * Writes the prices of the bundled sample catalog, `data/sample`: 90 days for every product that its
 * `products` files list, the last day equal to the current prices.
 *
 *     bun scripts/tools/make-sample-prices.ts
 *
 * Every run writes the same bytes. Games, sets, products and pictures are edited in `data/sample`
 * itself (data/README.md).
 */
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { STORIES } from './sample/price-stories.ts'
import { type PriceRow, walkPrices } from './sample/price-walk.ts'
import { USUAL_PRICES } from './sample/usual-prices.ts'

type Category = { categoryId: number }
type Group = { groupId: number; abbreviation: string }
type Product = { productId: number; name: string }

const SAMPLE = join(import.meta.dir, '../../data/sample')
const DAYS = 90

const lastUpdated = await Bun.file(join(SAMPLE, 'last-updated.txt')).text()
const lastDay = Date.parse(lastUpdated.slice(0, 10))
const priced = new Set<string>()
let files = 0

for (const { categoryId } of await read<Category>('tcgplayer/categories')) {
  for (const { groupId, abbreviation } of await read<Group>(`tcgplayer/${categoryId}/groups`)) {
    const path = `${categoryId}/${groupId}`
    const walks = (await read<Product>(`tcgplayer/${path}/products`)).map((product) => {
      const prices = USUAL_PRICES[product.productId]
      if (prices === undefined) throw new Error(`product ${product.productId} has no usual price`)
      for (const printing in prices) priced.add(`${abbreviation} ${product.name} ${printing}`)
      return walkPrices(abbreviation, { ...product, prices }, DAYS)
    })
    for (let index = 0; index < DAYS; index++) {
      const rows = walks.flatMap((walk) => walk[index] ?? [])
      const date = new Date(lastDay - (DAYS - 1 - index) * 86_400_000).toISOString().slice(0, 10)
      await write(`archive/tcgplayer/${date}/${path}/prices`, rows)
      if (index === DAYS - 1) await write(`tcgplayer/${path}/prices`, rows)
    }
  }
}

const unknown = STORIES.filter((story) => !priced.has(story.slice(0, 3).join(' ')))
if (unknown.length > 0) throw new Error(`no such printing: ${JSON.stringify(unknown)}`)
console.log(`${files} files`)

async function read<T>(path: string): Promise<T[]> {
  return (await Bun.file(join(SAMPLE, path)).json()).results
}

/** Writes a price file in the form in which the upstream publishes it. */
async function write(path: string, results: readonly PriceRow[]): Promise<void> {
  const file = join(SAMPLE, path)
  await mkdir(dirname(file), { recursive: true })
  await Bun.write(file, JSON.stringify({ success: true, errors: [], results }))
  files++
}
