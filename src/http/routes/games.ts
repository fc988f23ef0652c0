import { Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { metaOf, pagingOf } from '#rules/primitives/paging.ts'
import { momentOf } from '#rules/primitives/timestamps.ts'
import type { Doors } from '../endpoint/key-endpoints.ts'
import { line, PAGING, UPDATED_AFTER } from '../input/fields.ts'
import { CardSet, Game, Paged } from '../schemas/catalog.ts'

const SLUG = { slug: line({ description: 'A game slug, or a marketplace category id.' }) }

/** Games, open to all. */
export function gameRoutes(doors: Doors, { catalog }: Deps): void {
  doors.open('/v1/games', {
    tag: 'Games',
    summary: 'List the games',
    query: PAGING,
    reply: Type.Array(Game),
    meta: Paged,
    answer({ query }) {
      const paging = pagingOf(query)
      const { rows, total } = catalog.games.list(paging)
      return { data: rows, meta: metaOf(paging, total) }
    },
  })

  doors.open('/v1/games/:slug', {
    tag: 'Games',
    summary: 'Look up a game',
    params: SLUG,
    reply: Game,
    answer: ({ params }) => ({ data: gameAt(params.slug) }),
  })

  doors.open('/v1/games/:slug/sets', {
    tag: 'Games',
    summary: 'List the sets of a game, newest first',
    params: SLUG,
    query: { updated_after: UPDATED_AFTER, ...PAGING },
    reply: Type.Array(CardSet),
    meta: Paged,
    answer({ params, query }) {
      const paging = pagingOf(query)
      const after_version = versionFilter(catalog, query.updated_after)
      const filter = { game_id: gameAt(params.slug).id, after_version }
      const { rows, total } = catalog.sets.list(filter, paging)
      return { data: rows, meta: metaOf(paging, total) }
    },
  })

  function gameAt(path: string) {
    const game = catalog.games.bySlugOrId(path)
    if (game === undefined) throw noSuchGame(path)
    return game
  }
}

/** The game that a list is asked for; undefined where it is asked for all. */
export function gameFilter({ games }: Deps['catalog'], path: string | undefined) {
  if (path === undefined) return undefined
  const game = games.bySlugOrId(path)
  if (game === undefined) throw noSuchGame(path)
  return game
}

/** The version that a list of changes goes on from; undefined where it is asked for everything. */
export function versionFilter({ publication }: Deps['catalog'], updatedAfter: string | undefined) {
  const moment = updatedAfter === undefined ? undefined : momentOf(updatedAfter)
  return moment === undefined ? undefined : publication.versionAt(moment)
}

export function noSuchGame(path: string): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    `No game has the slug or id "${path}". GET /v1/games lists them.`,
  )
}
