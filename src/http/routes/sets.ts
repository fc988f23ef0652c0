import { Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import { jsonArray } from '../endpoint/envelope.ts'
import type { KeyEndpoints } from '../endpoint/key-endpoints.ts'
import { GAME_SLUG, ID, PAGING, PRODUCT_TYPE, UPDATED_AFTER } from '../input/fields.ts'
import {
  CardSetSchema,
  CardWithPricesSchema,
  PagingSchema,
  SetPriceSchema,
} from '../schemas/catalog.ts'
import { gameFilter, versionFilter } from './games.ts'

/** Sets and what is in them. */
export function setRoutes(keyEndpoints: KeyEndpoints, { catalog }: Deps): void {
  keyEndpoints.get('/v1/sets', 'catalog', {
    tag: 'Sets',
    summary: 'List sets, newest first',
    query: { game: GAME_SLUG, updated_after: UPDATED_AFTER, ...PAGING },
    reply: Type.Array(CardSetSchema),
    meta: PagingSchema,
    answer({ query }) {
      const paging = computePaging(query)
      const game_id = gameFilter(catalog, query.game)?.id
      const after_version = versionFilter(catalog, query.updated_after)
      const { rows, total } = catalog.sets.list({ game_id, after_version }, paging)
      return { data: rows, meta: pagingMeta(paging, total) }
    },
  })

  keyEndpoints.get('/v1/sets/:id', 'catalog', {
    tag: 'Sets',
    summary: 'Look up a set',
    params: { id: ID },
    reply: CardSetSchema,
    answer: ({ params }) => ({ data: setAt(params.id) }),
  })

  keyEndpoints.get('/v1/sets/:id/cards', 'catalog', {
    tag: 'Sets',
    summary: 'List the cards of a set with their prices, by collector number',
    params: { id: ID },
    query: { type: PRODUCT_TYPE, updated_after: UPDATED_AFTER, ...PAGING },
    reply: Type.Array(CardWithPricesSchema),
    meta: PagingSchema,
    answer({ params, query }) {
      const paging = computePaging(query)
      const { type, updated_after } = query
      const after_version = versionFilter(catalog, updated_after)
      const filter = { set_id: setAt(params.id).id, type, after_version }
      const { rows, total } = catalog.cards.listBySet(filter, paging)
      return { data: jsonArray(rows), meta: pagingMeta(paging, total) }
    },
  })

  keyEndpoints.get('/v1/sets/:id/prices', 'set_prices', {
    tag: 'Sets',
    summary: 'All prices of a set, one entry a printing',
    params: { id: ID },
    query: { type: PRODUCT_TYPE, updated_after: UPDATED_AFTER },
    reply: Type.Array(SetPriceSchema),
    answer({ params, query: { type, updated_after } }) {
      const { id } = setAt(params.id)
      const version = versionFilter(catalog, updated_after)
      const prices = [
        ...(version === undefined
          ? catalog.prices.listBySet(id)
          : catalog.prices.listBySetSince(id, version)),
      ]
      return {
        data: type === undefined ? prices : prices.filter((row) => row.product_type === type),
      }
    },
  })

  function setAt(id: number) {
    const set = catalog.sets.getById(id)
    if (set === undefined) throw noSuchSet(id)
    return set
  }
}

export function noSuchSet(id: number): ServiceError {
  return new ServiceError('NOT_FOUND', `No set has the id ${id}. GET /v1/sets lists them.`)
}
