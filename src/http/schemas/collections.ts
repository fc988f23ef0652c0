import { Type } from '@sinclair/typebox'
import { mapHoldingTexts } from '#rules/collections/holding.ts'
import { COLLECTION_KINDS, ITEM_OUTCOMES } from '#rules/collections/list-kinds.ts'
import { stringEnum } from '../input/fields.ts'
import { ITEM_CONDITION } from '../input/item-fields.ts'
import { extendObject, namedObject } from '../openapi/schemas.ts'
import { ColumnUses } from './bulk.ts'
import {
  DateTime,
  Day,
  Described,
  Integer,
  Money,
  nullable,
  PagingSchema,
  Percent,
  Text,
  Url,
} from './members.ts'

// Schemas of collections, their items and their values.

/** Currency of values. By default they are in US dollars and not converted. */
export const CURRENCY = {
  currency: Described('Currency of the values.'),
  rate: Type.Optional(
    Type.Number({
      description: 'Units per US dollar.',
    }),
  ),
  rate_date: Type.Optional(Day),
}

/** Parts of a value whose prices do not exactly fit. */
export const ValueNotes = Type.Array(
  namedObject('CollectionNote', {
    note: Type.String(),
    items: Type.Integer(),
    value: Type.Number({ description: 'Part of the value.' }),
  }),
  { description: 'Why prices do not exactly fit the copies.' },
)

const ComputedAt = Type.String({ ...DateTime, description: 'Time of the values.' })

export const CollectionSchema = namedObject('Collection', {
  id: Type.String(),
  kind: stringEnum(COLLECTION_KINDS, 'Owned cards, or a wish list.'),
  name: Type.String(),
  item_count: Type.Integer(),
  value: Money('Last computed value; null: none yet.'),
  unpriced: nullable(Type.Integer()),
  notes: ValueNotes,
  ...CURRENCY,
  computed_at: nullable(ComputedAt),
  shared_at: nullable(
    Type.String({
      ...DateTime,
      description: 'Time of its link; null: none.',
    }),
  ),
  revision: Integer('Grows when the name changes.'),
  created_at: DateTime,
  updated_at: DateTime,
})

export const CollectionLimitsSchema = extendObject('CollectionLimits', PagingSchema, {
  collections_max: nullable(Integer('Collections, and wish lists; null: no limit.')),
  items_max: nullable(Integer('Items of each; null: no limit.')),
})

/** Members of an item that describe its copies, after their printing. */
export const COPIES_OF_ITEM = {
  condition: ITEM_CONDITION,
  grade: nullable(Described('Grader and grade, such as `PSA 10`; null for a raw card.')),
  language: nullable(Described('Code such as `en`; null if unknown.')),
  quantity: Type.Integer(),
}

const CARD_OF_ITEM = {
  id: Type.String(),
  card_id: Type.Integer(),
  name: Type.String(),
  number: Text,
  game: Described('Slug of the game.'),
  set_id: Type.Integer(),
  set_name: Type.String(),
  image_url: Url,
  printing: nullable(Described('Null if the card had none.')),
  ...COPIES_OF_ITEM,
}

/** Value of an item, and the reason if its price is not exactly that of the copies. */
export const VALUE_OF_ITEM = {
  market_price: Money('Price of one copy; null if unknown.'),
  value: Money('Value of all copies.'),
  ...CURRENCY,
  notes: Type.Array(Described('Why the price does not exactly fit, such as `low_confidence`.')),
}

export const CollectionItemSchema = namedObject('CollectionItem', {
  ...CARD_OF_ITEM,
  price_paid: Money('Price paid for one copy.'),
  paid_currency: Type.String(),
  acquired_on: nullable(Day),
  ...mapHoldingTexts(() => Text),
  target_price: Money('Highest price for one copy.'),
  target_reached: Type.Boolean({ description: 'True at or below the target.' }),
  ...VALUE_OF_ITEM,
  gain: Money('Value minus the price paid.'),
  revision: Integer('Grows with each change.'),
  created_at: DateTime,
  updated_at: DateTime,
})

/** Outcome of the change of one of many items. */
export const ItemOutcomeSchema = namedObject('ItemOutcome', {
  id: Type.String(),
  outcome: stringEnum(
    ITEM_OUTCOMES,
    '`conflict`: of another revision. `refused`: no such printing.',
  ),
  item: nullable(CollectionItemSchema),
})

/** Copies that are alike, in one collection. */
export const OwnedCopiesSchema = namedObject('OwnedCopies', {
  card_id: Type.Integer(),
  is_single: Type.Boolean({ description: 'False for sealed products and removed cards.' }),
  collection_id: Type.String(),
  printing: Text,
  condition: ITEM_CONDITION,
  grade: Text,
  language: Text,
  quantity: Type.Integer(),
})

export const OwnedSetSchema = namedObject('OwnedSet', {
  set_id: Type.Integer(),
  cards: Integer('Different single cards.'),
})

/** An item as shown by a link: without prices paid, targets, dates, notes and places. */
const SharedItemSchema = namedObject('SharedItem', { ...CARD_OF_ITEM, ...VALUE_OF_ITEM })

export const SharedCollectionSchema = namedObject('SharedCollection', {
  name: Type.String(),
  kind: stringEnum(COLLECTION_KINDS),
  item_count: Type.Integer(),
  value: Type.Number(),
  unpriced: Type.Integer(),
  notes: ValueNotes,
  ...CURRENCY,
  computed_at: ComputedAt,
  updated_at: DateTime,
  items: Type.Array(SharedItemSchema),
})

export const ShareLinkSchema = namedObject('ShareLink', {
  token: Described('Token of the link.'),
  url: Type.String(),
  shared_at: DateTime,
})

export const StoredShareLinkSchema = namedObject('StoredShareLink', {
  url: nullable(Described('Null if it cannot be decrypted.')),
  shared_at: DateTime,
})

const SumsSchema = namedObject('CollectionSums', {
  items: Type.Integer(),
  copies: Type.Integer(),
  unpriced: Integer('Items without a price, in no other sum.'),
  unpriced_cost: Type.Number({ description: 'Price paid for these items.' }),
  value: Type.Number({ description: '`without_cost_value` + `cost` + `gain`.' }),
  without_cost: Integer('Items without a price paid, or a rate for it.'),
  without_cost_value: Type.Number({ description: 'Value of these items.' }),
  cost: Type.Number({ description: 'Price paid for the other items.' }),
  gain: Type.Number(),
  gain_percent: Percent,
})

const MoverSchema = namedObject('CollectionMover', {
  item_id: Type.String(),
  card_id: Type.Integer(),
  name: Type.String(),
  set_name: Type.String(),
  printing: Text,
  quantity: Type.Integer(),
  market_price: Type.Number(),
  price_7d_ago: Type.Number(),
  change: Type.Number({ description: 'Change of all copies.' }),
  change_percent: Percent,
})

const SetSumsSchema = extendObject('CollectionSetSums', SumsSchema, {
  set_id: Type.Integer(),
  set_name: Type.String(),
  game: Type.String(),
})

const ValuedAt = {
  ...CURRENCY,
  computed_at: ComputedAt,
  is_current: Type.Boolean({ description: 'False while newer are computed.' }),
}

export const CollectionSummarySchema = extendObject('CollectionSummary', SumsSchema, {
  change_date: nullable({
    ...Day,
    description: 'Day of the newest prices.',
  }),
  change: Money('Change on that day, of the items held the day before.'),
  change_percent: Percent,
  reached: Integer('Items whose target is reached.'),
  games: Type.Array(extendObject('CollectionGameSums', SumsSchema, { game: Type.String() })),
  sets: Type.Array(SetSumsSchema, { description: 'The 20 most valuable sets.' }),
  best: Type.Array(MoverSchema, { description: 'Largest gains of seven days.' }),
  worst: Type.Array(MoverSchema, { description: 'Largest losses of seven days.' }),
  notes: ValueNotes,
  printings: Type.Array(Type.String()),
  places: Type.Array(Type.String()),
  ...ValuedAt,
})

export const CollectionDaySchema = namedObject('CollectionDay', {
  date: Day,
  value: Type.Number(),
  carried_value: Type.Number({
    description: 'Part at prices of later days.',
  }),
  cost: Type.Number({
    description: 'Price paid until then.',
  }),
})

export const CollectionHistoryMetaSchema = namedObject('CollectionHistoryMeta', {
  ...ValuedAt,
  held_since: nullable({
    ...Day,
    description: 'Day of the first item.',
  }),
  untracked_value: Type.Number({
    description: 'Value of items below $1 without a history.',
  }),
  range: Type.String(),
  from: Day,
  to: Day,
})

export const SetCompletionSchema = namedObject('SetCompletion', {
  set_id: Type.Integer(),
  set_name: Type.String(),
  game: Type.String(),
  owned: Integer('Different single cards of the set.'),
  total: nullable(Integer('Its single cards; null if it is not in the catalog.')),
  percent: Percent,
  value: Type.Number(),
})

export const CompletionMetaSchema = extendObject('CompletionMeta', PagingSchema, ValuedAt)

export const ImportReportSchema = namedObject('CollectionImportReport', {
  import_id: Described('ID of the import.'),
  rows: Integer('Rows read so far.'),
  imported: Type.Integer(),
  skipped: Type.Integer(),
  unowned: Integer('Items added to the wish list.'),
  problem_count: Type.Integer(),
  problems: Type.Array(
    namedObject('CollectionImportProblem', {
      row: Integer('Row of the file.'),
      name: Text,
      card_id: nullable(Integer('Imported or possible card.')),
      card_name: Text,
      reason: Described('Certainty that was not accepted, or other reason.'),
      is_imported: Type.Boolean(),
      alternatives: Type.Optional(
        Type.Array(
          Type.Object({
            id: Type.Integer(),
            name: Type.String(),
            set_name: Type.String(),
            number: Text,
          }),
          { description: 'Other possible cards.' },
        ),
      ),
    }),
    { description: 'The first 200.' },
  ),
  columns: ColumnUses,
  is_full: Type.Boolean({
    description: 'True without room for the rest.',
  }),
  is_repeated: Type.Boolean({
    description: 'True if the file was imported before.',
  }),
})
