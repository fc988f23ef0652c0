import { Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { metaOf, pagingOf } from '#rules/primitives/paging.ts'
import { jsonArray } from '../endpoint/envelope.ts'
import type { Doors } from '../endpoint/key-endpoints.ts'
import { GAME, ID, PAGING, PRODUCT_TYPE, UPDATED_AFTER } from '../input/fields.ts'
import { CardSet, CardWithPrices, Paged, SetPrice } from '../schemas/catalog.ts'
import { gameFilter, versionFilter } from './games.ts'

/** Sets and what is in them. */
export function setRoutes(doors: Doors, { catalog }: Deps): void {
  doors.keyed('/v1/sets', 'catalog', {
    tag: 'Sets',
    summary: 'List sets, newest first',
    query: { game: GAME, updated_after: UPDATED_AFTER, ...PAGING },
    reply: Type.Array(CardSet),
    meta: Paged,
    answer({ query }) {
      const paging = pagingOf(query)
      const game_id = gameFilter(catalog, query.game)?.id
      const after_version = versionFilter(catalog, query.updated_after)
      const { rows, total } = catalog.sets.list({ game_id, after_version }, paging)
      return { data: rows, meta: metaOf(paging, total) }
    },
  })

  doors.keyed('/v1/sets/:id', 'catalog', {
    tag: 'Sets',
    summary: 'Look up a set',
    params: { id: ID },
    reply: CardSet,
    answer: ({ params }) => ({ data: setAt(params.id) }),
  })

  doors.keyed('/v1/sets/:id/cards', 'catalog', {
    tag: 'Sets',
    summary: 'List the cards of a set with their prices, by collector number',
    params: { id: ID },
    query: { type: PRODUCT_TYPE, updated_after: UPDATED_AFTER, ...PAGING },
    reply: Type.Array(CardWithPrices),
    meta: Paged,
    answer({ params, query }) {
      const paging = pagingOf(query)
      const { type, updated_after } = query
      const after_version = versionFilter(catalog, updated_after)
      const filter = { set_id: setAt(params.id).id, type, after_version }
      const { rows, total } = catalog.cards.ofSet(filter, paging)
      return { data: jsonArray(rows), meta: metaOf(paging, total) }
    },
  })

  doors.keyed('/v1/sets/:id/prices', 'set_prices', {
    tag: 'Sets',
    summary: 'All prices of a set, one entry a printing',
    params: { id: ID },
    query: { type: PRODUCT_TYPE, updated_after: UPDATED_AFTER },
    reply: Type.Array(SetPrice),
    answer({ params, query: { type, updated_after } }) {
      const { id } = setAt(params.id)
      const version = versionFilter(catalog, updated_after)
      const prices = [
        ...(version === undefined
          ? catalog.prices.ofSet(id)
          : catalog.prices.ofSetAfter(id, version)),
      ]
      return {
        data: type === undefined ? prices : prices.filter((row) => row.product_type === type),
      }
    },
  })

  function setAt(id: number) {
    const set = catalog.sets.byId(id)
    if (set === undefined) throw noSuchSet(id)
    return set
  }
}

export function noSuchSet(id: number): ServiceError {
  return new ServiceError('NOT_FOUND', `No set has the id ${id}. GET /v1/sets lists them.`)
}
