import type { AddCollectionItemsRequest, Card, CollectionItem } from '#client/endpoints.ts'
import * as texts from '#texts/collections/items.ts'
import { parseTypedAmount } from '../alerts/alert-text.ts'
import { DOLLARS } from '../format.ts'

/** Fields of an item: their labels, and how typed texts become values of the API. */
const FIELDS = {
  printing: { label: texts.printing, parse: parseText },
  condition: { label: texts.condition, parse: parseText },
  grade: { label: texts.grade, parse: parseText },
  language: { label: texts.language, parse: parseText },
  quantity: { label: texts.quantity, parse: Number },
  price_paid: { label: texts.pricePaid, parse: parseAmount },
  paid_currency: { label: texts.paidIn, parse: parseText },
  target_price: { label: texts.targetPriceUsd, parse: parseAmount },
  acquired_on: { label: texts.date, parse: parseText },
  place: { label: texts.place, parse: parseText },
  note: { label: texts.note, parse: parseText },
} satisfies Partial<Record<keyof CollectionItem, Field>>

type Field = { label: string; parse: (typed: string) => string | number | null }

type FieldName = keyof typeof FIELDS

// Object.keys returns strings; these are the keys of the table above.
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[]

/** Texts of the owner, as the form asks for them and the list of items shows them. */
export const OWNER_TEXTS: readonly OwnerText[] = [
  { name: 'place', maxLength: 100, placeholder: texts.placeExample },
  { name: 'note', maxLength: 1_000, isWide: true },
]

type OwnerText = { name: FieldName; maxLength: number; placeholder?: string; isWide?: true }

/** Members of an item as typed; an empty text means unknown. */
export type ItemDraft = Record<FieldName, string>

/** An item to edit. Items of scan sessions have only members that describe their copies. */
export type DraftedItem = Partial<Pick<CollectionItem, FieldName>>

export type ItemChange = Partial<Omit<AddCollectionItemsRequest['items'][number], 'card_id'>>

/** Returns an empty draft. */
export function emptyDraft(): ItemDraft {
  return draftOf({})
}

/** Returns true for a product that is not a single card. */
export function isSealedProduct({ product_type }: Pick<Card, 'product_type'>): boolean {
  return product_type === 'Sealed Products'
}

/** Returns a draft of one copy. */
export function newDraft(printing: string | undefined, isSealed: boolean): ItemDraft {
  const condition = isSealed ? 'unopened' : 'near_mint'
  return { ...emptyDraft(), printing: printing ?? '', condition, quantity: '1' }
}

export function draftOf(item: DraftedItem): ItemDraft {
  // Each field has a text in the draft.
  return Object.fromEntries(
    FIELD_NAMES.map((name) => [name, String(item[name] ?? '')]),
  ) as ItemDraft
}

/** Lists the errors of a draft, by field. */
export function draftErrors(draft: ItemDraft): Partial<Record<FieldName, string>> {
  const isAmount = (text: string) => text.trim() === '' || parseTypedAmount(text) !== undefined
  return {
    ...(!/^[1-9]\d{0,5}$/.test(draft.quantity.trim()) && { quantity: texts.enterAWholeNumber }),
    ...(!isAmount(draft.price_paid) && { price_paid: texts.enterAnAmount }),
    ...(!isAmount(draft.target_price) && { target_price: INVALID }),
  }
}

const INVALID = texts.enterAnAmountInDollars

/** Returns the members of a draft that differ from another one, in the format of the API. */
export function changesOf(draft: ItemDraft, before: ItemDraft): ItemChange {
  const changed = FIELD_NAMES.filter((name) => draft[name].trim() !== before[name].trim())
  // The selects only have values of the API.
  return Object.fromEntries(
    changed.map((name) => [name, FIELDS[name].parse(draft[name].trim())]),
  ) as ItemChange
}

/**
 * Returns what a draft changes in many items at once: the fields that are not empty. A price paid always has its
 * currency, because the items may have different ones, and a currency alone would give their prices another meaning.
 */
export function commonChangesOf(draft: ItemDraft): ItemChange {
  const { paid_currency, ...changes } = changesOf(draft, emptyDraft())
  if (changes.price_paid === undefined) return changes
  return { ...changes, paid_currency: paid_currency ?? DOLLARS }
}

/** Returns the label of a field, for forms and messages. */
export function fieldLabel(name: FieldName): string {
  return FIELDS[name].label
}

function parseText(typed: string): string | null {
  return typed || null
}

function parseAmount(typed: string): number | null {
  return parseTypedAmount(typed) ?? null
}
