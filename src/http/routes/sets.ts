import { Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/errors.ts'
import { metaOf, pagingOf } from '#rules/paging.ts'
import type { Doors } from '../endpoint.ts'
import { jsonArray } from '../envelope.ts'
import { GAME, ID, PAGING, PRODUCT_TYPE } from '../inputs.ts'
import { CardSet, CardWithPrices, Paged, SetPrice } from '../shapes.ts'
import { gameFilter } from './games.ts'

/** Sets and what is in them. */
export function setRoutes(doors: Doors, { catalog }: Deps): void {
  doors.keyed('/v1/sets', 'catalog', {
    tag: 'Sets',
    summary: 'List sets, newest first',
    query: { game: GAME, ...PAGING },
    reply: Type.Array(CardSet),
    meta: Paged,
    answer({ query }) {
      const paging = pagingOf(query)
      const game = gameFilter(catalog, query.game)
      const { rows, total } =
        game === undefined ? catalog.sets.list(paging) : catalog.sets.ofGame(game.id, paging)
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
    query: { type: PRODUCT_TYPE, ...PAGING },
    reply: Type.Array(CardWithPrices),
    meta: Paged,
    answer({ params, query }) {
      const paging = pagingOf(query)
      const { rows, total } = catalog.cards.ofSet(setAt(params.id).id, query.type, paging)
      return { data: jsonArray(rows), meta: metaOf(paging, total) }
    },
  })

  doors.keyed('/v1/sets/:id/prices', 'set_prices', {
    tag: 'Sets',
    summary: 'All prices of a set, one entry a printing',
    params: { id: ID },
    query: { type: PRODUCT_TYPE },
    reply: Type.Array(SetPrice),
    answer({ params, query: { type } }) {
      const prices = [...catalog.prices.ofSet(setAt(params.id).id)]
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
