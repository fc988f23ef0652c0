import { Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { parseTimestamp } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import { line, PAGING, UPDATED_AFTER } from '../../input/fields.ts'
import { CardSetSchema, GameSchema } from '../../schemas/catalog.ts'
import { PagingSchema } from '../../schemas/members.ts'
import type { Server } from '../../server.ts'
import { createSetValues } from './set-values.ts'

const SLUG = { slug: line({ description: 'Slug of a game, or its marketplace category ID.' }) }

/** Games and their sets, without a key. */
export function gameRoutes({ endpoint }: Server, { catalog }: Deps): void {
  const { showValues } = createSetValues(catalog)

  endpoint('GET /v1/games', {
    auth: 'anyone',
    id: 'listGames',
    tag: 'Games',
    summary: 'List games',
    query: PAGING,
    returns: 'A page of games.',
    reply: Type.Array(GameSchema),
    meta: PagingSchema,
    entryId: 'id',
    respond({ query }) {
      const paging = computePaging(query)
      const { rows, total } = catalog.games.list(paging)
      return { data: rows, meta: pagingMeta(paging, total) }
    },
  })

  endpoint('GET /v1/games/:slug', {
    auth: 'anyone',
    id: 'getGame',
    tag: 'Games',
    summary: 'Get a game',
    params: SLUG,
    returns: 'The game.',
    reply: GameSchema,
    respond: ({ params }) => ({ data: getGame(params.slug) }),
  })

  endpoint('GET /v1/games/:slug/sets', {
    auth: 'anyone',
    id: 'listGameSets',
    tag: 'Games',
    summary: 'List the sets of a game, newest first',
    hasPrices: true,
    params: SLUG,
    query: { updated_after: UPDATED_AFTER, ...PAGING },
    returns: 'A page of sets.',
    reply: Type.Array(CardSetSchema),
    meta: PagingSchema,
    entryId: 'id',
    async respond({ params, query, view }) {
      const paging = computePaging(query)
      const after_version = findVersionFilter(catalog, query.updated_after)
      const filter = { game_id: getGame(params.slug).id, after_version }
      const { rows, total } = view.sets.list(filter, paging)
      return { data: await showValues(view, rows), meta: pagingMeta(paging, total) }
    },
  })

  function getGame(path: string) {
    const game = catalog.games.getBySlugOrId(path)
    if (game === undefined) throw gameNotFound(path)
    return game
  }
}

/** Finds the game that a list is restricted to; undefined for all games. */
export function findGameFilter({ games }: Deps['catalog'], path: string | undefined) {
  if (path === undefined) return undefined
  const game = games.getBySlugOrId(path)
  if (game === undefined) throw gameNotFound(path)
  return game
}

/** Returns the catalog version after which changes are listed; undefined to list everything. */
export function findVersionFilter(
  { publication }: Deps['catalog'],
  updatedAfter: string | undefined,
) {
  const time = updatedAfter === undefined ? undefined : parseTimestamp(updatedAfter)
  return time === undefined ? undefined : publication.findVersionAt(time)
}

export function gameNotFound(path: string): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    `No game has the slug or ID "${path}". GET /v1/games lists all games.`,
  )
}
