import type { AddCollectionItemsRequest, CollectionItem } from '#client/endpoints.ts'
import { parseTypedAmount } from '../alerts/alert-text.ts'

/** Members of an item as typed; empty: unknown. */
export type ItemDraft = Record<(typeof DRAFT_FIELDS)[number], string>

const DRAFT_FIELDS = [
  'printing',
  'condition',
  'grade',
  'language',
  'quantity',
  'price_paid',
  'target_price',
  'acquired_on',
  'place',
  'note',
] as const

/** An item to edit. Items of scan sessions only have facts about their copies. */
export type DraftedItem = Partial<Pick<CollectionItem, (typeof DRAFT_FIELDS)[number]>>

export type ItemChange = Partial<Omit<AddCollectionItemsRequest['items'][number], 'card_id'>>

/** Returns an empty draft. */
export function emptyDraft(): ItemDraft {
  return draftOf({})
}

/** Returns a draft of one copy. */
export function newDraft(printing: string | undefined, isSealed: boolean): ItemDraft {
  const condition = isSealed ? 'unopened' : 'near_mint'
  return { ...emptyDraft(), printing: printing ?? '', condition, quantity: '1' }
}

export function draftOf(item: DraftedItem): ItemDraft {
  const text = (name: (typeof DRAFT_FIELDS)[number]) => [name, String(item[name] ?? '')] as const
  // Each field has a text.
  return Object.fromEntries(DRAFT_FIELDS.map(text)) as ItemDraft
}

/** Lists the errors of a draft, by field. */
export function draftErrors(draft: ItemDraft): Partial<Record<keyof ItemDraft, string>> {
  const isAmount = (text: string) => text.trim() === '' || parseTypedAmount(text) !== undefined
  return {
    ...(!/^[1-9]\d{0,5}$/.test(draft.quantity.trim()) && { quantity: 'Enter a whole number.' }),
    ...(!isAmount(draft.price_paid) && { price_paid: INVALID }),
    ...(!isAmount(draft.target_price) && { target_price: INVALID }),
  }
}

const INVALID = 'Enter an amount in US dollars, such as 12.50.'

/** Returns the members of a draft that differ from another one, in the format of the API. */
export function changesOf(draft: ItemDraft, before: ItemDraft): ItemChange {
  const isChanged = (name: keyof ItemDraft) => draft[name].trim() !== before[name].trim()
  const text = (name: keyof ItemDraft) => draft[name].trim() || null
  const amount = (name: 'price_paid' | 'target_price') => parseTypedAmount(draft[name]) ?? null
  // The selects only have values of the API.
  return {
    ...(isChanged('printing') && { printing: text('printing') }),
    ...(isChanged('condition') && { condition: draft.condition as CollectionItem['condition'] }),
    ...(isChanged('grade') && { grade: text('grade') }),
    ...(isChanged('language') && { language: text('language') as ItemChange['language'] }),
    ...(isChanged('quantity') && { quantity: Number(draft.quantity) }),
    ...(isChanged('price_paid') && { price_paid: amount('price_paid') }),
    ...(isChanged('target_price') && { target_price: amount('target_price') }),
    ...(isChanged('acquired_on') && { acquired_on: text('acquired_on') }),
    ...(isChanged('place') && { place: text('place') }),
    ...(isChanged('note') && { note: text('note') }),
  } as ItemChange
}

/** Labels of the fields, for messages. */
export const ITEM_LABELS: Readonly<Record<keyof ItemDraft, string>> = {
  printing: 'Printing',
  condition: 'Condition',
  grade: 'Grade',
  language: 'Language',
  quantity: 'Quantity',
  price_paid: 'Price paid (USD)',
  target_price: 'Target price (USD)',
  acquired_on: 'Date',
  place: 'Place',
  note: 'Note',
}
