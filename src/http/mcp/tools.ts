import { type Static, Type } from '@sinclair/typebox'
import { PER_PAGE_MAX } from '#rules/primitives/paging.ts'
import { CollectionMetaSchema, CollectionRowsSchema } from '../schemas/bulk.ts'
import { CardSetSchema, FreshnessSchema } from '../schemas/catalog.ts'
import { CollectionSchema, CollectionSummarySchema } from '../schemas/collections.ts'
import { PagingSchema, Text } from '../schemas/members.ts'
import { OriginSchema } from '../schemas/prices.ts'
import { CARD_TOOLS } from './card-tools.ts'
import { HISTORY_TOOL } from './history-tool.ts'
import { defineTool, type Tool } from './tool.ts'
import {
  cardUrl,
  GAME_ARGUMENT,
  type ListReply,
  PRICE_ARGUMENTS,
  PRICES_NOTE,
  pricesNote,
} from './tool-schemas.ts'
import { joined, money, pageNote, priceNote } from './tool-text.ts'

const FoundSet = Type.Object({
  set_id: Type.Integer(),
  ...Type.Pick(CardSetSchema, [
    'name',
    'abbreviation',
    'release_date',
    'card_count',
    'game_name',
    'game_slug',
  ] as const).properties,
})

const sets = defineTool({
  name: 'list_sets',
  title: 'List sets',
  description:
    'Finds sets (expansions) by name or code, or lists the sets of all games or of one game, newest first. Returns their set_id, code and number of cards.',
  endpoint: 'GET /v1/sets',
  arguments: {
    q: {},
    code: {},
    game: GAME_ARGUMENT,
    page: {},
    per_page: { description: `Sets per page, at most ${PER_PAGE_MAX}.`, default: 20 },
  },
  output: Type.Object({ sets: Type.Array(FoundSet), ...PagingSchema.properties }),
  select: ({ data, meta }: ListReply<typeof CardSetSchema>) => ({
    sets: data.map((set) => ({ ...set, set_id: set.id })),
    ...meta,
  }),
  describe: (found) => [
    pageNote(found, found.sets.length),
    ...found.sets.map(
      ({ name, abbreviation, game_slug, release_date, card_count, set_id }) =>
        `- ${joined(name, abbreviation, game_slug, release_date, `${card_count} cards`)}, set_id ${set_id}`,
    ),
  ],
})

const freshness = defineTool({
  name: 'get_freshness',
  title: 'Get freshness of the data',
  description:
    'Lists the games of the catalog with their slugs, the time at which their prices were published, and whether a game is stale. Costs no request of the quota.',
  endpoint: 'GET /v1/meta',
  arguments: {},
  output: Type.Object({
    ...Type.Pick(FreshnessSchema, ['version', 'published_at', 'stale', 'counts']).properties,
    games: Type.Array(
      Type.Pick(FreshnessSchema.properties.games.items, [
        'slug',
        'card_count',
        'published_at',
        'stale',
        'stale_since',
      ] as const),
    ),
  }),
  select: ({ data }: { data: Static<typeof FreshnessSchema>; meta: unknown }) => data,
  describe: ({ version, published_at, stale, counts, games }) => [
    `Catalog version ${version} with ${counts.games} games, ${counts.sets} sets and ${counts.cards} cards. Newest prices: ${published_at ?? 'none yet'}. ${stale ? 'Some data is stale.' : 'All data is fresh.'}`,
    ...games.map(
      (game) =>
        `- ${game.slug}: ${game.card_count} cards, prices of ${game.published_at ?? 'no time'}, ${game.stale ? `stale since ${game.stale_since}` : 'fresh'}`,
    ),
  ],
})

const { rows: Rows, unmatched: Unmatched, total_value } = CollectionRowsSchema.properties
const { market_price, confidence, card: MatchedCard } = Rows.items.properties.match.properties

const MatchedLine = Type.Object({
  line: Type.Integer({ description: 'Line number in the list, from 1.' }),
  ...Type.Pick(Rows.items, ['section', 'quantity', 'value', 'notes']).properties,
  card_id: Type.Integer(),
  ...Type.Pick(MatchedCard, ['name', 'number', 'set_name', 'game_slug']).properties,
  printing: Text,
  ...OriginSchema.properties,
  market_price,
  confidence,
  url: Type.String(),
})

type ListResult = {
  data: Static<typeof CollectionRowsSchema>
  meta: Static<typeof CollectionMetaSchema>
}

const resolveList = defineTool({
  name: 'resolve_list',
  title: 'Price a list of cards',
  description:
    'Matches a pasted list of cards, one per line ("4 Lightning Bolt [M10]", "Charizard 4/102"), to cards with their prices and the total value of all copies. Costs up to one request of the quota per line. Needs the Starter tier or higher.',
  endpoint: 'POST /v1/bulk/resolve/list',
  arguments: {
    list: {
      description:
        'The list as text, one card per line, as apps export it: "4 Lightning Bolt (M10) 146", "2 Absol ROS 40", "Charizard 4/102".',
    },
    game: GAME_ARGUMENT,
    prefer: {},
    ...PRICE_ARGUMENTS,
  },
  output: Type.Object({
    cards: Type.Array(MatchedLine),
    unmatched: Type.Array(
      Type.Object({
        line: Type.Integer(),
        ...Type.Pick(Unmatched.items, ['name', 'reason']).properties,
      }),
    ),
    total_value,
    ...Type.Pick(CollectionMetaSchema, ['unpriced', 'credits_consumed']).properties,
    ...PRICES_NOTE,
  }),
  select: ({ data, meta }: ListResult, source) => ({
    cards: data.rows.map(({ row, section, quantity, value, notes, match }) => ({
      line: row,
      quantity,
      value,
      notes,
      ...(section !== undefined && { section }),
      ...match.card,
      ...match,
      card_id: match.card.id,
      url: cardUrl(source, match.card.id),
    })),
    unmatched: data.unmatched.map((one) => ({ ...one, line: one.row })),
    total_value: data.total_value,
    ...meta,
    ...pricesNote(source, [data]),
  }),
  describe: (list) => [
    `Lines matched: ${list.cards.length}, not matched: ${list.unmatched.length}. Total value ${money(list.total_value, list)}; ${list.unpriced} without a price. ${priceNote([list, ...list.cards], list.published_at)} Charged to the daily quota: ${list.credits_consumed}.`,
    ...list.cards.map(describeLine),
    ...list.unmatched.map(({ line, name, reason }) => `- Line ${line}, ${name}: ${reason}`),
  ],
})

/** Describes a card of the list, and what makes its match uncertain. */
function describeLine(card: Static<typeof MatchedLine>): string {
  const { quantity, name, number, set_name, game_slug, printing, card_id, notes } = card
  const doubt = card.confidence === 'exact' ? '' : `confidence ${card.confidence}`
  const price = joined(`${money(card.market_price, card)} each`, doubt, ...notes)
  return `- ${quantity} × ${joined(name, number, set_name, game_slug, printing)}, card_id ${card_id}: ${price}`
}

const CURRENCY = { description: 'Currency of the values, such as `EUR`. Default: US dollars.' }

const Listed = Type.Object({
  collection_id: Type.String(),
  ...Type.Pick(CollectionSchema, [
    'kind',
    'name',
    'item_count',
    'value',
    'currency',
    'computed_at',
  ] as const).properties,
})

const collections = defineTool({
  name: 'list_collections',
  title: 'List collections',
  description:
    "Lists the account's own collections of cards and its wish lists, with their collection_id, number of items and last value. Costs no request of the quota.",
  endpoint: 'GET /v1/collections',
  arguments: {
    page: {},
    per_page: {
      description: `Collections per page, at most ${PER_PAGE_MAX}.`,
      default: PER_PAGE_MAX,
    },
    currency: CURRENCY,
  },
  output: Type.Object({ collections: Type.Array(Listed), ...PagingSchema.properties }),
  select: ({ data, meta }: ListReply<typeof CollectionSchema>) => ({
    collections: data.map((one) => ({ ...one, collection_id: one.id })),
    ...meta,
  }),
  describe: (found) => [
    pageNote(found, found.collections.length),
    ...found.collections.map(
      ({ name, kind, item_count, value, currency, collection_id }) =>
        `- ${joined(name, kind === 'wish' ? 'wish list' : null, `items: ${item_count}`, value === null ? null : `${value} ${currency}`)}, collection_id ${collection_id}`,
    ),
  ],
})

const collectionValue = defineTool({
  name: 'get_collection_value',
  title: 'Get the value of a collection',
  description:
    'Returns what one of the account’s own collections is worth, by game and set, the gain against the prices paid, and its largest changes within seven days. Costs no request of the quota.',
  endpoint: 'GET /v1/collections/:id/summary',
  arguments: {
    collection_id: { field: 'id', description: 'ID of the collection, from list_collections.' },
    currency: CURRENCY,
  },
  output: Type.Object(CollectionSummarySchema.properties),
  select: ({ data }: { data: Static<typeof CollectionSummarySchema>; meta: unknown }) => data,
  describe: ({ value, currency, cost, gain, items, copies, computed_at, games, ...of }) => [
    `${value} ${currency} (items: ${items}, copies: ${copies}) at ${computed_at}. Price paid: ${cost}. Gain: ${gain}.`,
    `Without a known price, and in none of these: ${of.unpriced} items. Without a known price paid, and only in the value: ${of.without_cost} items, worth ${of.without_cost_value}.`,
    ...(of.change_date === null ? [] : [`Change on ${of.change_date}: ${of.change}.`]),
    ...games.map((game) => `- ${game.game}: ${game.value} ${currency}, items: ${game.items}`),
  ],
})

/** Tools of the MCP server, in the order in which clients list them. */
export const TOOLS: readonly Tool[] = [
  ...CARD_TOOLS,
  HISTORY_TOOL,
  resolveList,
  sets,
  freshness,
  collections,
  collectionValue,
]
