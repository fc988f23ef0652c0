import { Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import { parseTimestamp } from '#rules/primitives/timestamps.ts'
import type { KeyEndpoints } from '../endpoint/key-endpoints.ts'
import { line, PAGING, UPDATED_AFTER } from '../input/fields.ts'
import { CardSetSchema, GameSchema, PagingSchema } from '../schemas/catalog.ts'

const SLUG = { slug: line({ description: 'A game slug, or a marketplace category id.' }) }

/** Games, open to all. */
export function gameRoutes(keyEndpoints: KeyEndpoints, { catalog }: Deps): void {
  keyEndpoints.getPublic('/v1/games', {
    tag: 'Games',
    summary: 'List the games',
    query: PAGING,
    reply: Type.Array(GameSchema),
    meta: PagingSchema,
    answer({ query }) {
      const paging = computePaging(query)
      const { rows, total } = catalog.games.list(paging)
      return { data: rows, meta: pagingMeta(paging, total) }
    },
  })

  keyEndpoints.getPublic('/v1/games/:slug', {
    tag: 'Games',
    summary: 'Look up a game',
    params: SLUG,
    reply: GameSchema,
    answer: ({ params }) => ({ data: gameAt(params.slug) }),
  })

  keyEndpoints.getPublic('/v1/games/:slug/sets', {
    tag: 'Games',
    summary: 'List the sets of a game, newest first',
    params: SLUG,
    query: { updated_after: UPDATED_AFTER, ...PAGING },
    reply: Type.Array(CardSetSchema),
    meta: PagingSchema,
    answer({ params, query }) {
      const paging = computePaging(query)
      const after_version = versionFilter(catalog, query.updated_after)
      const filter = { game_id: gameAt(params.slug).id, after_version }
      const { rows, total } = catalog.sets.list(filter, paging)
      return { data: rows, meta: pagingMeta(paging, total) }
    },
  })

  function gameAt(path: string) {
    const game = catalog.games.getBySlugOrId(path)
    if (game === undefined) throw noSuchGame(path)
    return game
  }
}

/** The game that a list is asked for; undefined where it is asked for all. */
export function gameFilter({ games }: Deps['catalog'], path: string | undefined) {
  if (path === undefined) return undefined
  const game = games.getBySlugOrId(path)
  if (game === undefined) throw noSuchGame(path)
  return game
}

/** The version that a list of changes goes on from; undefined where it is asked for everything. */
export function versionFilter({ publication }: Deps['catalog'], updatedAfter: string | undefined) {
  const moment = updatedAfter === undefined ? undefined : parseTimestamp(updatedAfter)
  return moment === undefined ? undefined : publication.findVersionAt(moment)
}

export function noSuchGame(path: string): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    `No game has the slug or id "${path}". GET /v1/games lists them.`,
  )
}
