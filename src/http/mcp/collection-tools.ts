import { type Static, Type } from '@sinclair/typebox'
import { CollectionSchema, CollectionSummarySchema } from '../schemas/collections.ts'
import { defineTool, type Tool } from './tool.ts'
import { joined } from './tool-text.ts'

const CURRENCY = { description: 'Currency of the values, such as `EUR`. Default: US dollars.' }

const Listed = Type.Object({
  collection_id: Type.String(),
  ...Type.Pick(CollectionSchema, [
    ...['kind', 'name', 'item_count', 'value', 'currency', 'computed_at'],
  ] as const).properties,
})

const list = defineTool({
  name: 'list_collections',
  title: 'List collections',
  description:
    "Lists the account's own collections of cards and its wish lists, with their collection_id, number of items and last value. Costs no request of the quota.",
  endpoint: 'GET /v1/collections',
  arguments: { currency: CURRENCY },
  output: Type.Object({ collections: Type.Array(Listed) }),
  select: ({ data }: { data: Static<typeof CollectionSchema>[]; meta: unknown }) => ({
    collections: data.map((one) => ({ ...one, collection_id: one.id })),
  }),
  describe: ({ collections }) => [
    `${collections.length} ${collections.length === 1 ? 'collection' : 'collections'}.`,
    ...collections.map(
      ({ name, kind, item_count, value, currency, collection_id }) =>
        `- ${joined(name, kind === 'wish' ? 'wish list' : null, `items: ${item_count}`, value === null ? null : `${value} ${currency}`)}, collection_id ${collection_id}`,
    ),
  ],
})

const summary = defineTool({
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
  describe: ({ value, currency, cost, gain, items, copies, unpriced, computed_at, games }) => [
    `${value} ${currency} (items: ${items}, copies: ${copies}, without a known price: ${unpriced}) at ${computed_at}. Prices paid: ${cost}. Gain: ${gain}.`,
    ...games.map((game) => `- ${game.game}: ${game.value} ${currency}, items: ${game.items}`),
  ],
})

/** Tools for the collections of the account. */
export const COLLECTION_TOOLS: readonly Tool[] = [list, summary]
