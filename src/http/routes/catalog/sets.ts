import { type Static, Type } from '@sinclair/typebox'
import { summarizeSet } from '#actions/pricing/summarize-set.ts'
import type { Deps } from '#deps.ts'
import { cardsVolume, setsVolume } from '#rules/accounts/visitors.ts'
import { firstDay } from '#rules/pricing/history.ts'
import { formatSetValues, type SetValuePoint } from '#rules/pricing/set-value.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import { SET_SORTS } from '#store/catalog/set-cards.ts'
import type { SetRecord } from '#store/catalog/sets.ts'
import type { Catalog } from '#store/open-catalog.ts'
import { jsonArray } from '../../endpoint/envelope.ts'
import { historyDaysOf } from '../../endpoint/request-context.ts'
import { createResultCache } from '../../endpoint/result-cache.ts'
import {
  GAME_SLUG,
  HISTORY_RANGE,
  ID,
  line,
  PAGING,
  PRODUCT_TYPE,
  stringEnum,
  UPDATED_AFTER,
} from '../../input/fields.ts'
import {
  CardSetSchema,
  CardWithPricesSchema,
  SetPriceSchema,
  SetSummarySchema,
  SetValueSchema,
} from '../../schemas/catalog.ts'
import { PagingSchema } from '../../schemas/members.ts'
import { HistoryMetaSchema } from '../../schemas/prices.ts'
import type { Server } from '../../server.ts'
import { findGameFilter, findVersionFilter } from './games.ts'
import { createSetValues } from './set-values.ts'

const SET_QUERY = {
  q: Type.Optional(
    line({ description: 'Words of a name, a slug or a code. The last letters can be missing.' }),
  ),
  code: Type.Optional(
    line({
      description: 'Code of a set, as the catalog or apps write it: `SVI` or `SV01`.',
    }),
  ),
}

/** Sets, their cards and their prices. */
export function setRoutes({ endpoint }: Server, { catalog, now }: Deps): void {
  const { showValue, showValues } = createSetValues(catalog)
  // The total of a large set in a view reads some hundred histories.
  const histories = createResultCache<SetValuePoint[]>(catalog.publication)
  // Rating the prices of a large set takes some 20 ms.
  const summaries = createResultCache<ReturnType<typeof summarizeSet>>(catalog.publication)

  endpoint('GET /v1/sets', {
    auth: 'key',
    needs: 'catalog',
    cost: 1,
    id: 'listSets',
    tag: 'Sets',
    summary: 'List sets, newest first',
    description: 'With `q`, the best matches come first.',
    hasPrices: true,
    query: { ...SET_QUERY, game: GAME_SLUG, updated_after: UPDATED_AFTER, ...PAGING },
    returns: 'A page of sets.',
    reply: Type.Array(CardSetSchema),
    meta: PagingSchema,
    entryId: 'id',
    async respond({ query, view }) {
      const paging = computePaging(query)
      const game_id = findGameFilter(catalog, query.game)?.id
      const after_version = findVersionFilter(catalog, query.updated_after)
      const { q, code } = query
      const { rows, total } = view.sets.list({ game_id, after_version, q, code }, paging)
      const data = await showValues(view, rows)
      return { data, meta: pagingMeta(paging, total), volume: setsVolume(rows) }
    },
  })

  endpoint('GET /v1/sets/:id', {
    auth: 'key',
    needs: 'catalog',
    cost: 1,
    id: 'getSet',
    tag: 'Sets',
    summary: 'Get a set',
    hasPrices: true,
    params: { id: ID },
    returns: 'The set.',
    reply: CardSetSchema,
    async respond({ params, view }) {
      const data = await showValue(view, getSet(catalog, params.id))
      return { data, volume: setsVolume([data]) }
    },
  })

  endpoint('GET /v1/sets/:id/cards', {
    auth: 'key',
    needs: 'catalog',
    cost: 1,
    id: 'listSetCards',
    tag: 'Sets',
    summary: 'List the cards of a set with their prices, by collector number',
    description:
      '`market_price` and the orders by price and by its change in a week refer to `printing`, or to the base printing without it.',
    hasPrices: true,
    params: { id: ID },
    query: {
      type: PRODUCT_TYPE,
      rarity: Type.Optional(line({ description: 'Exact name of a rarity.' })),
      printing: Type.Optional(
        line({ description: 'Exact name of a printing: only cards that have it, with its price.' }),
      ),
      sort: stringEnum(SET_SORTS, 'Cards without a number, price or change come last.', 'number'),
      updated_after: UPDATED_AFTER,
      ...PAGING,
    },
    returns: 'A page of cards.',
    includes: ['confidence', 'ids'],
    reply: Type.Array(CardWithPricesSchema),
    meta: PagingSchema,
    entryId: 'id',
    respond({ params, query, view, form }) {
      const paging = computePaging(query)
      const { type, rarity, printing, sort, updated_after } = query
      const after_version = findVersionFilter(catalog, updated_after)
      const filter = {
        type,
        rarity,
        printing,
        sort,
        after_version,
        set_id: getSet(catalog, params.id).id,
      }
      const { rows, total } = view.cards.listBySet(filter, paging, form)
      const data = jsonArray<Static<typeof CardWithPricesSchema>>(rows.map(({ data }) => data))
      return { data, meta: pagingMeta(paging, total), volume: cardsVolume(rows) }
    },
  })

  endpoint('GET /v1/sets/:id/summary', {
    auth: 'key',
    needs: 'catalog',
    cost: 1,
    id: 'getSetSummary',
    tag: 'Sets',
    summary: 'Get the value of a set, with its rarities and printings',
    description: 'Totals of the single cards, without sealed products.',
    hasPrices: true,
    params: { id: ID },
    returns: 'The figures.',
    reply: SetSummarySchema,
    async respond({ params, view }) {
      const { id } = getSet(catalog, params.id)
      const variant = `${dayOf(now())}`
      const summary = await summaries.getInTurn(`${id} ${view.view?.variant} ${variant}`, () =>
        summarizeSet({ catalog: view, now }, id),
      )
      const records = [summary, ...summary.rarities, ...summary.printings]
      return { data: summary, variant, volume: setsVolume(records) }
    },
  })

  endpoint('GET /v1/sets/:id/history', {
    auth: 'key',
    needs: 'history',
    cost: 1,
    id: 'getSetHistory',
    tag: 'Sets',
    summary: 'Get the value of a set by day',
    description:
      'Ends in the value of the summary, and changes as the cards with a price on both days do. Limited to the history depth of your tier; `meta.from` is the first day.',
    hasPrices: true,
    params: { id: ID },
    query: { range: HISTORY_RANGE },
    returns: 'The values, oldest day first.',
    reply: Type.Array(SetValueSchema),
    meta: HistoryMetaSchema,
    async respond({ params, query: { range }, principal, view }) {
      const { id } = getSet(catalog, params.id)
      const today = dayOf(now())
      const from = firstDay(range, historyDaysOf(principal), today)
      const values = await histories.getInTurn(`${id} ${view.view?.variant}`, () =>
        view.sets.getHistory(id),
      )
      const data = formatSetValues(values, from)
      const days = { from: from === 0 ? null : formatDate(from), to: formatDate(today) }
      const variant = `${principal.tier}-${today}`
      return { data, meta: { range, ...days }, variant, volume: setsVolume(data) }
    },
  })

  endpoint('GET /v1/sets/:id/prices', {
    auth: 'key',
    needs: 'set_prices',
    cost: 1,
    id: 'listSetPrices',
    tag: 'Sets',
    summary: 'List all prices of a set, one per printing',
    description:
      'A card without prices has one row, with nulls. With `updated_after`, it is listed if the card has changed.',
    hasPrices: true,
    params: { id: ID },
    query: { type: PRODUCT_TYPE, updated_after: UPDATED_AFTER },
    returns: 'The prices.',
    includes: ['confidence'],
    reply: Type.Array(SetPriceSchema),
    entryId: 'card_id',
    respond({ params, query: { type, updated_after }, view }) {
      const { id } = getSet(catalog, params.id)
      const version = findVersionFilter(catalog, updated_after)
      const { listBySet, listBySetSince } = view.prices
      const prices = [...(version === undefined ? listBySet(id) : listBySetSince(id, version))]
      const data = type === undefined ? prices : prices.filter((row) => row.product_type === type)
      return { data }
    },
  })
}

/** @throws ServiceError NOT_FOUND */
export function getSet({ sets }: Pick<Catalog, 'sets'>, id: number): SetRecord {
  const set = sets.getById(id)
  if (set !== undefined) return set
  throw new ServiceError('NOT_FOUND', `No set has the ID ${id}. GET /v1/sets lists all sets.`)
}
