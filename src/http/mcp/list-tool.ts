import { type Static, Type } from '@sinclair/typebox'
import { CollectionMetaSchema, CollectionRowsSchema } from '../schemas/bulk.ts'
import { Text } from '../schemas/members.ts'
import { OriginSchema } from '../schemas/prices.ts'
import { GAME_ARGUMENT } from './set-tools.ts'
import { defineTool, type Tool } from './tool.ts'
import { cardUrl, PRICE_ARGUMENTS, PRICES_NOTE, pricesNote } from './tool-schemas.ts'
import { joined, money, priceNote } from './tool-text.ts'

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

/** Tool for lists of cards. */
export const LIST_TOOL: Tool = defineTool({
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
      ...{ line: row, quantity, value, notes, ...(section !== undefined && { section }) },
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

/** Describes a card of the list, with what makes its match uncertain. */
function describeLine(card: Static<typeof MatchedLine>): string {
  const { quantity, name, number, set_name, game_slug, printing, card_id, notes } = card
  const doubt = card.confidence === 'exact' ? '' : `confidence ${card.confidence}`
  const price = joined(`${money(card.market_price, card)} each`, doubt, ...notes)
  return `- ${quantity} × ${joined(name, number, set_name, game_slug, printing)}, card_id ${card_id}: ${price}`
}
