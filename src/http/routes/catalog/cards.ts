import { type Static, Type } from '@sinclair/typebox'
import { getPriceLadder } from '#actions/pricing/get-price-ladder.ts'
import type { Deps } from '#deps.ts'
import { cardsVolume } from '#rules/accounts/visitors.ts'
import {
  firstDay,
  formatDetailedPoints,
  formatPrintingPoints,
  formatSimplifiedPoints,
} from '#rules/pricing/history.ts'
import type { PriceJson } from '#rules/pricing/price-json.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import { cardNotFound, ServiceError } from '#rules/primitives/errors.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import type { PricesText } from '#store/catalog/prices.ts'
import { jsonArray, jsonText } from '../../endpoint/envelope.ts'
import { historyDaysOf } from '../../endpoint/request-context.ts'
import { HISTORY_RANGE, ID, line, PAGING, PRINTING, stringEnum } from '../../input/fields.ts'
import { CardMetaSchema, CardSchema, CardWithPricesSchema } from '../../schemas/catalog.ts'
import { PagingSchema } from '../../schemas/members.ts'
import {
  DetailedPointSchema,
  HistoryMetaSchema,
  PriceSchema,
  PrintingPointSchema,
  SimplePointSchema,
} from '../../schemas/prices.ts'
import type { Server } from '../../server.ts'

/** Cards, their current prices and their price history. */
export function cardRoutes({ endpoint }: Server, { catalog, now }: Deps): void {
  endpoint('GET /v1/cards/:id', {
    auth: 'key',
    needs: 'catalog',
    cost: 1,
    id: 'getCard',
    tag: 'Cards',
    summary: 'Get a card',
    description: "`meta` has the price of the card's base printing.",
    hasPrices: true,
    params: { id: ID },
    returns: 'The card.',
    includes: ['confidence', 'ids'],
    reply: CardSchema,
    meta: CardMetaSchema,
    respond({ params, view, form }) {
      const { getById, readById } = catalog.cards
      const card = form === 'text' ? getById(params.id) : readById(params.id)
      if (card === undefined) throw cardNotFound(params.id)
      const { getBase, getBaseText } = view.prices
      const base = form === 'text' ? getBaseText(params.id) : getBase(params.id)
      return {
        data: jsonText(card),
        meta: jsonText<Static<typeof CardMetaSchema>>(base),
        volume: { cards: [params.id], records: 1 },
      }
    },
  })

  endpoint('GET /v1/cards/marketplace/:marketplace_id', {
    auth: 'key',
    needs: 'catalog',
    cost: 1,
    id: 'getCardByMarketplaceId',
    tag: 'Cards',
    summary: 'Get a card by its marketplace product ID',
    hasPrices: true,
    params: { marketplace_id: ID },
    returns: 'The card with its prices.',
    includes: ['confidence', 'ids'],
    reply: CardWithPricesSchema,
    respond({ params, view, form }) {
      const [card] = view.cards.listWithPrices([params.marketplace_id], form)
      if (card === undefined) throw cardNotFound(params.marketplace_id)
      return { data: jsonText(card.data), volume: cardsVolume([card]) }
    },
  })

  endpoint('GET /v1/cards/:id/reprints', {
    auth: 'key',
    needs: 'catalog',
    cost: 1,
    id: 'listCardReprints',
    tag: 'Cards',
    summary: 'List the cards of the same name in other sets, newest first',
    description:
      'Cards of the same game, product type and name, ignoring accents and punctuation; also of the same set.',
    hasPrices: true,
    params: { id: ID },
    query: PAGING,
    returns: 'A page of cards with their prices.',
    includes: ['confidence', 'ids'],
    reply: Type.Array(CardWithPricesSchema),
    meta: PagingSchema,
    entryId: 'id',
    respond({ params: { id }, query, view, form }) {
      if (!catalog.cards.exists(id)) throw cardNotFound(id)
      const paging = computePaging(query)
      const { rows, total } = view.cards.listReprints(id, paging, form)
      const data = jsonArray<Static<typeof CardWithPricesSchema>>(rows.map(({ data }) => data))
      return { data, meta: pagingMeta(paging, total), volume: cardsVolume(rows) }
    },
  })

  endpoint('GET /v1/cards/by-id/:system/:id', {
    auth: 'key',
    needs: 'catalog',
    cost: 1,
    id: 'getCardByExternalId',
    tag: 'Cards',
    summary: 'Get a card by its ID in another system',
    description:
      'Such as `/v1/cards/by-id/cardmarket/273799`. `include=ids` lists the IDs of a card.',
    hasPrices: true,
    params: {
      system: line({
        description: '`tcgplayer`, another marketplace, or a system of the operator.',
      }),
      id: line({ description: 'ID in that system.' }),
    },
    returns: 'The card with all its prices.',
    includes: ['confidence', 'ids'],
    reply: CardWithPricesSchema,
    respond({ params: { system, id }, view, form }) {
      const found = catalog.ids.cards.findCard(system, id)
      const [card] = found === undefined ? [] : view.cards.listWithPrices([found], form)
      if (card === undefined) throw externalIdNotFound(system, id)
      return { data: jsonText(card.data), volume: cardsVolume([card]) }
    },
  })

  endpoint('GET /v1/cards/:id/prices', {
    auth: 'key',
    needs: 'catalog',
    cost: 1,
    id: 'getCardPrices',
    tag: 'Cards',
    summary: 'Get the current prices of a card',
    description:
      'One price per printing. **`data` has two types:** an array, or a single Price if the card has one printing. `[data].flat()` handles both.',
    params: { id: ID },
    hasPrices: true,
    query: {
      printing: PRINTING,
      all: stringEnum(
        ['true', 'false'],
        '`true` lists all prices, of each source, currency, condition and grade: always as an array, with the complete key and the age of each price. Cannot be combined with `currency` or `source`.',
        'false',
      ),
    },
    returns: 'The prices, or the one price of a card with a single printing.',
    includes: ['confidence'],
    reply: Type.Union([Type.Array(PriceSchema), PriceSchema]),
    respond({ params, query, view, form }) {
      const { printing } = query
      if (query.all === 'true') {
        const data = getPriceLadder({ catalog: view, now }, { id: params.id, printing })
        const variant = formatDate(dayOf(now()))
        return { data, variant, volume: { cards: [params.id], records: data.length } }
      }
      const { getByCard, listByCard } = view.prices
      const isText = form === 'text' && printing === undefined
      const prices = isText ? getByCard(params.id) : listByCard(params.id)
      if (prices === undefined && !catalog.cards.exists(params.id)) throw cardNotFound(params.id)
      const { data, count } =
        prices !== undefined && 'json' in prices
          ? unwrapText(prices)
          : selectPrices(prices ?? [], printing)
      return { data: jsonText(data), volume: { cards: [params.id], records: count } }
    },
  })

  endpoint('GET /v1/cards/:id/history', {
    auth: 'key',
    needs: 'history',
    cost: 1,
    id: 'getCardHistory',
    tag: 'Cards',
    summary: 'Get the price history of a card',
    description:
      'One entry per day, of the base printing and the most expensive other foil, or of the given `printing`. Limited to the history depth of your tier; `meta.from` is the first day.',
    hasPrices: true,
    params: { id: ID },
    query: {
      range: HISTORY_RANGE,
      printing: PRINTING,
    },
    returns: 'The history, oldest day first.',
    reply: Type.Union([Type.Array(SimplePointSchema), Type.Array(PrintingPointSchema)]),
    meta: HistoryMetaSchema,
    respond({ params, query, principal, view }) {
      if (!catalog.cards.exists(params.id)) throw cardNotFound(params.id)
      const today = dayOf(now())
      const from = firstDay(query.range, historyDaysOf(principal), today)
      const data =
        query.printing === undefined
          ? formatSimplifiedPoints(view.history.getSimplified(params.id, from))
          : view.history
              .listByCard(params.id, from)
              .filter((one) => one.printing === query.printing)
              .flatMap(formatPrintingPoints)
      const days = { from: from === 0 ? null : formatDate(from), to: formatDate(today) }
      const variant = `${principal.tier}-${today}`
      const volume = { cards: [params.id], records: data.length }
      return { data, meta: { range: query.range, ...days }, variant, volume }
    },
  })

  endpoint('GET /v1/cards/:id/history/detailed', {
    auth: 'key',
    needs: 'detailed_history',
    cost: 1,
    id: 'getDetailedCardHistory',
    tag: 'Cards',
    summary: 'Get the full price history of a card, per printing, with sales',
    hasPrices: true,
    params: { id: ID },
    query: { printing: PRINTING },
    returns: 'The history, oldest day first.',
    reply: Type.Array(DetailedPointSchema),
    respond({ params, query, view }) {
      if (!catalog.cards.exists(params.id)) throw cardNotFound(params.id)
      const series = view.history
        .listByCard(params.id, 0)
        .filter((one) => query.printing === undefined || one.printing === query.printing)
      return { data: series.flatMap(formatDetailedPoints) }
    },
  })
}

function externalIdNotFound(system: string, id: string): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    `No card has the ID "${id}" in "${system}". Use GET /v1/search to find cards by name.`,
  )
}

/** The prices of an answer; a single price is not in an array. */
type ShownPrices = { data: string | object; count: number }

function unwrapText({ json, count }: PricesText): ShownPrices {
  return { data: count === 1 ? json.slice(1, -1) : json, count }
}

/** Selects the prices of a printing, or all. */
function selectPrices(all: readonly PriceJson[], printing: string | undefined): ShownPrices {
  const prices = all.filter((price) => printing === undefined || price.printing === printing)
  const [single] = prices
  const isBare = single !== undefined && all.length === 1
  return { data: isBare ? single : prices, count: prices.length }
}
