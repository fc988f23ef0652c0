import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

/**
 * Finds the game to which a request is restricted, by its slug in any case, but not by an id (specification, Errors).
 *
 * @returns undefined if the request names no game
 * @throws ServiceError INVALID_GAME
 */
export function findGame({ catalog }: Pick<Deps, 'catalog'>, slug: string | undefined) {
  if (slug === undefined) return undefined
  const game = catalog.games.getBySlugOrId(slug)
  if (game?.slug === slug.toLowerCase()) return game
  const message = `No game has the slug "${slug}". GET /v1/games lists them.`
  throw new ServiceError('INVALID_GAME', message)
}
