import type { Product, Shelf } from './catalog'
import { STORIES } from './price-stories'
import { type PriceRow, walkPrices } from './price-walks'

const LAST_UPDATED = '2026-11-15T20:05:50+0000'
const DAYS = 90
const MARKETPLACE = 'https://marketplace.example'

/**
 * Every text file of the mirror by its path, shaped and laid out as upstream publishes them:
 * compact JSON without a file extension.
 */
export function mirrorFiles(shelves: readonly Shelf[]): Map<string, string> {
  const files = new Map([['last-updated.txt', `${LAST_UPDATED}\n`]])
  files.set('tcgplayer/categories', counted(categories(shelves)))
  for (const [categoryId, sets] of byCategory(shelves)) {
    files.set(`tcgplayer/${categoryId}/groups`, counted(sets.map(group)))
    for (const shelf of sets) addGroup(files, `${categoryId}/${shelf.groupId}`, shelf)
  }
  refuseLostStories(shelves)
  return files
}

export const pictureOf = (product: Product) => `pictures/${product.productId}.webp`

function addGroup(files: Map<string, string>, path: string, shelf: Shelf): void {
  files.set(`tcgplayer/${path}/products`, counted(shelf.products.map((one) => listing(one, shelf))))
  const days = daily(shelf)
  for (const [index, day] of lastDays().entries()) {
    files.set(`archive/tcgplayer/${day}/${path}/prices`, priced(days[index] ?? []))
  }
  files.set(`tcgplayer/${path}/prices`, priced(days.at(-1) ?? []))
}

function daily({ abbreviation, products }: Shelf): PriceRow[][] {
  const walks = products.map((product) => walkPrices(abbreviation, product, DAYS))
  return Array.from({ length: DAYS }, (_, index) => walks.flatMap((walk) => walk[index] ?? []))
}

/** The days of the archive, the oldest first; the last is the day of the last update. */
function lastDays(): string[] {
  const end = Date.parse(LAST_UPDATED.slice(0, 10))
  return Array.from({ length: DAYS }, (_, index) => {
    return new Date(end - (DAYS - 1 - index) * 86_400_000).toISOString().slice(0, 10)
  })
}

function byCategory(shelves: readonly Shelf[]): Map<number, Shelf[]> {
  return Map.groupBy(shelves, (shelf) => shelf.game.categoryId)
}

function categories(shelves: readonly Shelf[]) {
  return [...new Set(shelves.map((shelf) => shelf.game))].map((game) => ({
    categoryId: game.categoryId,
    name: game.name,
    modifiedOn: game.modifiedOn,
    displayName: game.displayName,
    seoCategoryName: game.name,
    categoryDescription: game.description,
    categoryPageTitle: game.displayName,
    sealedLabel: 'Sealed Products',
    nonSealedLabel: 'Single Cards',
    conditionGuideUrl: `${MARKETPLACE}/conditions`,
    isScannable: true,
    popularity: game.popularity,
    isDirect: true,
  }))
}

const group = (shelf: Shelf) => ({
  groupId: shelf.groupId,
  name: shelf.name,
  abbreviation: shelf.abbreviation,
  isSupplemental: false,
  publishedOn: shelf.publishedOn,
  modifiedOn: shelf.modifiedOn,
  categoryId: shelf.game.categoryId,
})

function listing(product: Product, shelf: Shelf) {
  const { productId, name, presale } = product
  return {
    productId,
    name,
    cleanName: cleanName(name),
    imageUrl: pictureOf(product),
    categoryId: shelf.game.categoryId,
    groupId: shelf.groupId,
    url: `${MARKETPLACE}/product/${productId}/${slug(shelf.game.name, shelf.name, name)}`,
    modifiedOn: shelf.modifiedOn,
    imageCount: 1,
    presaleInfo: {
      isPresale: presale !== undefined,
      releasedOn: presale?.releasedOn ?? null,
      note: presale?.note ?? null,
    },
    extendedData: product.attributes,
  }
}

/** As upstream cleans: no accents, no apostrophes or dots, and a space for any other sign. */
function cleanName(name: string): string {
  const plain = name.normalize('NFD').replaceAll(/\p{Mark}/gu, '')
  return plain
    .replaceAll(/['.]/g, '')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()
}

const slug = (...names: string[]) => cleanName(names.join(' ')).toLowerCase().replaceAll(' ', '-')

const counted = (results: readonly unknown[]) =>
  JSON.stringify({ totalItems: results.length, success: true, errors: [], results })

/** Price files are the only ones that upstream does not count. */
const priced = (results: readonly PriceRow[]) =>
  JSON.stringify({ success: true, errors: [], results })

/** A misspelt story would silently leave its card at rest. */
function refuseLostStories(shelves: readonly Shelf[]): void {
  const lost = STORIES.filter(({ set, name, printing }) => {
    const shelf = shelves.find((one) => one.abbreviation === set)
    const product = shelf?.products.find((one) => one.name === name)
    return product?.prices[printing] === undefined
  })
  if (lost.length > 0) throw new Error(`no such printing: ${JSON.stringify(lost)}`)
}
