import { ServiceError } from '#rules/primitives/errors.ts'
import { CARDMARKET, CARDMARKET_GAMES } from '#rules/sync/cardmarket/games.ts'
import type { UnmatchedProduct } from '#store/catalog/sources/source-products.ts'
import type { Catalog } from '#store/open-catalog.ts'

/**
 * Lists products of Cardmarket that no card was found for.
 *
 * @param slug only of this game of the catalog
 * @throws ServiceError NOT_FOUND if the catalog or Cardmarket does not have the game
 */
export function listUnmatched(
  { games, sourceProducts }: Pick<Catalog, 'games' | 'sourceProducts'>,
  slug: string | undefined,
): UnmatchedProduct[] {
  const game = slug === undefined ? undefined : games.getBySlugOrId(slug)
  const asked = CARDMARKET_GAMES.filter(({ categories }) => {
    return slug === undefined || (game !== undefined && categories.includes(game.id))
  })
  if (asked.length === 0) {
    const message = `Cardmarket has no game for "${slug}", or the catalog does not have it. Use a slug of /v1/games.`
    throw new ServiceError('NOT_FOUND', message)
  }
  return sourceProducts.listUnmatched(
    CARDMARKET.source,
    asked.map(({ id }) => id),
  )
}
