import { type Static, Type } from '@sinclair/typebox'
import { PER_PAGE_MAX } from '#rules/primitives/paging.ts'
import { CardSchema, type SearchItemSchema } from '../schemas/catalog.ts'
import { PagingSchema } from '../schemas/members.ts'
import { MoverSchema, PriceSchema } from '../schemas/prices.ts'
import { defineTool, type Tool } from './tool.ts'
import {
  CARD_URL,
  cardUrl,
  GAME_ARGUMENT,
  type ListReply,
  PRICE_ARGUMENTS,
  PRICES_NOTE,
  pricesNote,
  ToolCard,
} from './tool-schemas.ts'
import { joined, money, pageNote, percent, priceNote, printingPrices } from './tool-text.ts'

/** The argument of all tools for one card. */
export const CARD_ID = { field: 'id', description: 'ID of a card, as search_cards returns it.' }

const search = defineTool({
  name: 'search_cards',
  title: 'Search cards',
  description:
    'Finds trading cards and sealed products by words of the name, set, collector number, rarity or printing, in any order: "charizard base set", "op01-001", "sol ring foil". Returns the best matches with their card_id and the current market price of each printing. Start here: the other tools need a card_id.',
  endpoint: 'GET /v1/search',
  arguments: {
    q: {},
    game: GAME_ARGUMENT,
    set_id: { description: 'ID of a set, as list_sets returns it.' },
    rarity: {},
    printing: {},
    min_price: {},
    max_price: {},
    sort: {},
    type: {},
    ...PRICE_ARGUMENTS,
    page: {},
    per_page: { description: `Results per page, at most ${PER_PAGE_MAX}.`, default: 10 },
  },
  output: Type.Object({
    cards: Type.Array(ToolCard),
    ...PagingSchema.properties,
    corrected_query: Type.Optional(
      Type.String({ description: 'Corrected spelling that was searched instead.' }),
    ),
    ignored_words: Type.Array(Type.String(), { description: 'Words that no card has.' }),
    ...PRICES_NOTE,
  }),
  select: (
    {
      data,
      meta,
    }: ListReply<typeof SearchItemSchema, { corrected_query?: string; ignored_words: string[] }>,
    source,
  ) => ({
    cards: data.map((card) => ({ ...card, card_id: card.id, url: cardUrl(source, card.id) })),
    ...meta,
    ...pricesNote(source, data),
  }),
  describe: (found) => [
    `${pageNote(found, found.cards.length)} ${priceNote(
      [found, ...found.cards.flatMap(({ prices }) => prices)],
      ...found.cards.flatMap(publishTimes),
    )}`,
    ...(found.corrected_query === undefined
      ? []
      : [`"${found.corrected_query}" was searched instead.`]),
    ...(found.ignored_words.length === 0
      ? []
      : [`Words that were ignored: ${found.ignored_words.join(', ')}.`]),
    ...found.cards.map(
      ({ name, number, rarity, set_name, game_slug, card_id, prices, printing, url }) =>
        `- ${joined(name, number, rarity, set_name, game_slug)}, card_id ${card_id}: ${printingPrices(prices, printing)}. ${url}`,
    ),
  ],
})

const card = defineTool({
  name: 'get_card',
  title: 'Get a card',
  description:
    'Returns the facts of one card: name, set, collector number, rarity, image, link to the marketplace, and the texts printed on it. get_prices has its prices.',
  endpoint: 'GET /v1/cards/:id',
  arguments: { card_id: CARD_ID },
  output: Type.Object({
    card_id: Type.Integer(),
    ...Type.Pick(CardSchema, [
      'name',
      'number',
      'rarity',
      'product_type',
      'set_id',
      'set_name',
      'game_name',
      'game_slug',
      'image_url',
      'marketplace_url',
      'custom_attributes',
    ] as const).properties,
    url: CARD_URL,
  }),
  select: ({ data }: { data: Static<typeof CardSchema>; meta: unknown }, source) => ({
    ...data,
    card_id: data.id,
    url: cardUrl(source, data.id),
  }),
  describe: ({ name, number, rarity, product_type, set_name, set_id, game_name, ...rest }) => [
    `${joined(name, number, rarity, product_type)}, card_id ${rest.card_id}`,
    `Set: ${set_name} (set_id ${set_id}), ${game_name} (${rest.game_slug})`,
    ...Object.entries(rest.custom_attributes).map(([key, value]) => `${key}: ${value}`),
    ...links('Card', rest.url),
    ...links('Marketplace', rest.marketplace_url),
    ...links('Image', rest.image_url),
  ],
})

const PrintingPrice = Type.Omit(PriceSchema, [
  'card_id',
  'condition',
  'grade',
  'sale_count',
  'age_days',
] as const)

const prices = defineTool({
  name: 'get_prices',
  title: 'Get prices',
  description:
    'Returns the current prices of one card, in US dollars or another currency, for each printing (Normal, Foil, 1st Edition and so on), with their changes over 24 hours, 7 days and 30 days. null means unknown.',
  endpoint: 'GET /v1/cards/:id/prices',
  arguments: {
    card_id: CARD_ID,
    printing: { description: 'Only this printing, by its exact name: `Reverse Holofoil`.' },
    ...PRICE_ARGUMENTS,
  },
  output: Type.Object({ prices: Type.Array(PrintingPrice), ...PRICES_NOTE }),
  select: (
    { data }: { data: Static<typeof PriceSchema> | Static<typeof PriceSchema>[]; meta: unknown },
    source,
  ) => {
    const prices = Array.isArray(data) ? data : [data]
    return { prices, ...pricesNote(source, prices) }
  },
  describe: ({ prices }) => [
    priceNote(prices, ...publishTimes({ prices })),
    ...(prices.length === 0 ? ['No prices are known.'] : []),
    ...prices.map((price) => {
      const changes = [
        `24 h ${percent(price.price_change_24h)}`,
        `7 d ${percent(price.price_change_7d)}`,
        `30 d ${percent(price.price_change_30d)}`,
      ].join(', ')
      return `- ${price.printing}: market ${money(price.market_price, price)}, low ${money(price.low_price, price)}, median ${money(price.median_price, price)}; change ${changes}`
    }),
  ],
})

const movers = defineTool({
  name: 'list_movers',
  title: 'List top movers',
  description:
    'Lists the printings whose price rose or fell most within 24 hours, 7 days or 30 days, largest change first. Leaves out cards below $1, implausible changes and unreliable prices (`min_confidence`: `low` lists these, too).',
  endpoint: 'GET /v1/prices/top-movers',
  arguments: {
    game: GAME_ARGUMENT,
    direction: {},
    period: {},
    printing: {},
    type: {},
    min_confidence: {},
    min_price: {},
    ...PRICE_ARGUMENTS,
    limit: { default: 10 },
  },
  output: Type.Object({
    movers: Type.Array(
      Type.Object({
        ...Type.Pick(MoverSchema, [
          'card_id',
          'name',
          'number',
          'rarity',
          'set_id',
          'set_name',
          'game_name',
          'game_slug',
          'printing',
          'source',
          'currency',
          'converted',
          'rate',
          'rate_date',
          'previous_price',
          'market_price',
          'price_change',
          'price_change_amount',
        ] as const).properties,
        url: CARD_URL,
      }),
    ),
    ...PRICES_NOTE,
  }),
  select: ({ data }: { data: Static<typeof MoverSchema>[]; meta: unknown }, source) => ({
    movers: data.map((mover) => ({ ...mover, url: cardUrl(source, mover.card_id) })),
    ...pricesNote(source, data),
  }),
  describe: ({ movers, published_at }) => [
    priceNote(movers, published_at),
    ...(movers.length === 0 ? ['No price changed enough in this period.'] : []),
    ...movers.map(
      ({ name, number, rarity, set_name, game_name, printing, card_id, ...mover }) =>
        `- ${joined(name, number, rarity, set_name, game_name, printing)}, card_id ${card_id}: ${percent(mover.price_change)}, from ${money(mover.previous_price, mover)} to ${money(mover.market_price, mover)}`,
    ),
  ],
})

/** Tools for cards and their current prices. */
export const CARD_TOOLS: readonly Tool[] = [search, card, prices, movers]

function publishTimes({ prices }: { prices: readonly { last_updated_at: string }[] }): string[] {
  return prices.map((price) => price.last_updated_at)
}

function links(label: string, url: string | null): string[] {
  return url === null ? [] : [`${label}: ${url}`]
}
