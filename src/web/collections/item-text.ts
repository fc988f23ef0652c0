import type { CollectionItem } from '#client/endpoints.ts'

type Condition = CollectionItem['condition']

/** Conditions of copies with their names, best first. */
export const CONDITION_NAMES = [
  ['near_mint', 'Near mint'],
  ['lightly_played', 'Lightly played'],
  ['moderately_played', 'Moderately played'],
  ['heavily_played', 'Heavily played'],
  ['damaged', 'Damaged'],
  ['unopened', 'Unopened'],
] as const satisfies readonly (readonly [Condition, string])[]

/** Languages of copies, the usual ones first. */
export const LANGUAGE_NAMES = [
  ['en', 'English'],
  ['ja', 'Japanese'],
  ['de', 'German'],
  ['fr', 'French'],
  ['it', 'Italian'],
  ['es', 'Spanish'],
  ['pt', 'Portuguese'],
  ['ko', 'Korean'],
  ['ru', 'Russian'],
  ['zhs', 'Chinese (simplified)'],
  ['zht', 'Chinese (traditional)'],
  ['nl', 'Dutch'],
  ['pl', 'Polish'],
  ['th', 'Thai'],
  ['id', 'Indonesian'],
  ['cs', 'Czech'],
  ['hu', 'Hungarian'],
  ['la', 'Latin'],
  ['he', 'Hebrew'],
  ['ar', 'Arabic'],
  ['grc', 'Ancient Greek'],
  ['sa', 'Sanskrit'],
  ['ph', 'Phyrexian'],
] as const

/** Kinds of collections. */
export const KINDS = [
  ['owned', 'Collection'],
  ['wish', 'Wish list'],
] as const

/** Lists the conditions that a product can have: sealed ones are unopened, and cards never are. It keeps its own. */
export function conditionsOf(product: { isSealed: boolean | undefined; condition: string }) {
  const { isSealed, condition } = product
  return CONDITION_NAMES.filter(
    ([one]) => one === condition || isSealed === undefined || (one === 'unopened') === isSealed,
  )
}

function conditionName(condition: Condition): string {
  return CONDITION_NAMES.find(([value]) => value === condition)?.[1] ?? condition
}

type Copies = Pick<CollectionItem, 'printing' | 'condition' | 'grade' | 'language'>

/** Describes copies: "Foil · Near mint · Japanese". */
export function copiesText({ printing, condition, grade, language }: Copies): string {
  const known = LANGUAGE_NAMES.find(([code]) => code === language)?.[1] ?? language
  return [printing, grade ?? conditionName(condition), language === 'en' ? null : known]
    .filter(Boolean)
    .join(' · ')
}

/** Explains the price of an item; undefined if it needs no explanation. */
export function explainPrice(notes: readonly string[]): string | undefined {
  const known = notes.flatMap((note) => PRICE_NOTES[note] ?? [])
  return known.length === 0 ? undefined : known.join(', ')
}

const PRICE_NOTES: Readonly<Record<string, string>> = {
  card_not_found: 'no longer in the catalog',
  printing_not_found: 'price of another printing',
  condition_not_priced: 'near-mint price',
  grade_not_priced: 'price of an ungraded copy',
  grader_not_priced: 'price of this grade by any grader',
  price_converted: 'converted price',
  price_unknown: 'price unknown',
}

/** Ends of the sentence "$12.50 of the value is …", by the note of the prices. */
export const PRICED_OTHERWISE: Readonly<Record<string, string>> = {
  printing_not_found: 'at prices of other printings',
  condition_not_priced: 'at near-mint prices',
  grade_not_priced: 'at prices of ungraded copies',
  grader_not_priced: 'at prices of the same grade by any grader',
  price_converted: 'at prices in another currency, converted',
  low_confidence: 'at unreliable prices',
  price_paid_not_converted:
    'not in the gain, because the price paid has no exchange rate of its day',
}
