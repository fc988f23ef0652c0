import { type TSchema, Type } from '@sinclair/typebox'
import {
  GRADE_CHARACTERS_MAX,
  HOLDING_QUANTITY_MAX,
  mapHoldingTexts,
  PRICE_PAID_MAX,
  TARGET_PRICE_MAX,
} from '#rules/collections/holding.ts'
import { LANGUAGE_CODES } from '#rules/collections/languages.ts'
import { CONDITIONS } from '#rules/pricing/price-key.ts'
import { line, stringEnum } from './fields.ts'

// Fields of items, in collections and in scan sessions.

/**
 * Optional member that may be null, meaning unknown. Null comes first in the schema, so that it does not count as
 * missing.
 */
export function clearable<S extends TSchema>(field: S) {
  return Type.Optional(Type.Union([Type.Null(), field]))
}

const amount = (centsMax: number, description: string) =>
  Type.Number({ minimum: 0, maximum: centsMax / 100, description })

/** Named, because the list of codes is long. */
const LANGUAGE = Type.Union([Type.Null(), stringEnum(LANGUAGE_CODES, 'Code of the language.')], {
  $id: 'Language',
})

/** Named, because many schemas have it. */
export const ITEM_CONDITION = {
  ...stringEnum(CONDITIONS, 'New items: `near_mint`, and `unopened` for sealed products.'),
  $id: 'Condition',
}

/** Members of an item that its owner can change. */
export const ITEM_FACTS = {
  printing: clearable(
    line({ description: 'Exact name of a printing of the card. New items: its base printing.' }),
  ),
  condition: Type.Optional(ITEM_CONDITION),
  grade: clearable(
    line({ maxLength: GRADE_CHARACTERS_MAX, description: 'Grader and grade, such as `PSA 10`.' }),
  ),
  language: Type.Optional(LANGUAGE),
  quantity: Type.Optional(
    Type.Integer({ minimum: 1, maximum: HOLDING_QUANTITY_MAX, description: 'New items: 1.' }),
  ),
  price_paid: clearable(amount(PRICE_PAID_MAX, 'For one copy, with at most two decimals.')),
  paid_currency: Type.Optional(
    line({ maxLength: 3, description: 'Currency of `price_paid`. New items: `USD`.' }),
  ),
  acquired_on: clearable(line({ maxLength: 10, description: 'Date such as `2026-05-31`.' })),
  ...mapHoldingTexts(({ charactersMax, description }) =>
    clearable(line({ maxLength: charactersMax, description })),
  ),
  target_price: clearable(
    amount(TARGET_PRICE_MAX, 'Highest price for one copy in US dollars, on a wish list.'),
  ),
}

/** Error for a change that is based on an older revision of an item. */
export const ITEM_CONFLICT = {
  409: 'The item has another revision; `error.current` is the item.',
}
