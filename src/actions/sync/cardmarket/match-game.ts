import { CARDMARKET, priceGuidePath } from '#rules/sync/cardmarket/files.ts'
import { matchCatalog } from '#rules/sync/cardmarket/match-products.ts'
import type { MatchableCard } from '#rules/sync/cardmarket/matchable.ts'
import { mergeMatches, NO_MATCH, type StoredMatch } from '#rules/sync/cardmarket/merge-matches.ts'
import type { StoredProduct } from '#store/catalog/sources/source-products.ts'
import type { StagedFiles } from '#store/files/staged-files.ts'
import type { CatalogWriter } from '#store/open-catalog-writer.ts'
import type { ReadProducts } from './read-products.ts'

/** Products of a game with their cards. */
export type MatchedGame = {
  matches: Map<number, StoredMatch>
  cards: Map<number, MatchableCard>
  /** True if products have other cards than before, so that unchanged prices must be published again. */
  isChanged: boolean
}

/** Matches the products of a game with the cards of the catalog, and stores what has changed in one transaction. */
export function matchGame(
  {
    catalogWriter,
    staged,
    now,
  }: { catalogWriter: CatalogWriter; staged: StagedFiles; now: () => Date },
  game: { id: number; categories: readonly number[] },
  { products, fresh }: Pick<ReadProducts, 'products' | 'fresh'>,
  stored: readonly StoredProduct[],
): MatchedGame {
  const { sourceProducts } = catalogWriter
  const { source } = CARDMARKET
  const sets = sourceProducts.listSets(game.categories)
  const setIds = new Set(sets.map(({ id }) => id))
  const expansionsKnown = new Map(
    [...sourceProducts.listExpansions(source)].filter(([, { set_id }]) => setIds.has(set_id)),
  )
  const cards = sourceProducts.listCards(game.categories)
  const cardsById = new Map(cards.map((card) => [card.id, card]))
  const found = matchCatalog({ products, cards, sets, known: expansionsKnown })
  const known = new Map(stored.map((product) => [product.id, product]))
  const matches = mergeMatches(products, known, found.products, cardsById)
  const missing_since = now().toISOString()
  const listed = products.map(
    ({ added_on, ...product }): StoredProduct => ({
      ...product,
      ...(matches.get(product.id) ?? NO_MATCH),
      is_sealed: product.is_sealed ? 1 : 0,
      // A list without the date does not remove a known one.
      added_on: added_on ?? known.get(product.id)?.added_on ?? null,
      missing_since: null,
    }),
  )
  const ids = new Set(listed.map(({ id }) => id))
  const vanished = stored
    .filter((product) => !ids.has(product.id) && product.missing_since === null)
    .map((product) => ({ ...product, missing_since }))
  const changed = [
    ...listed.filter((product) => isOther(known.get(product.id), product)),
    ...vanished,
  ]
  const isChanged = changed.some((product) => {
    const before = known.get(product.id)
    return (
      product.card_id !== (before?.card_id ?? null) ||
      product.printing !== (before?.printing ?? null)
    )
  })
  const expansions = [...found.expansions].filter(([id]) => !expansionsKnown.has(id))
  if (changed.length + expansions.length + fresh.length > 0) {
    sourceProducts.putChanges({
      source,
      sourceGame: game.id,
      products: changed,
      expansions: new Map(expansions),
      files: fresh.flatMap((path) => {
        const validator = staged.get(path)
        return validator === undefined ? [] : [{ path, ...validator }]
      }),
      forget: isChanged ? [priceGuidePath(game.id)] : [],
    })
  }
  return { matches, cards: cardsById, isChanged }
}

function isOther(before: StoredProduct | undefined, product: StoredProduct): boolean {
  return before === undefined || STORED.some((field) => before[field] !== product[field])
}

const STORED = [
  'expansion_id',
  'name',
  'is_sealed',
  'added_on',
  'missing_since',
  'card_id',
  'printing',
  'method',
  'confidence',
  'card_name',
  'card_set_id',
] as const
