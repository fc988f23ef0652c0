import type { CollectionItem } from '#client/endpoints.ts'
import * as texts from '#texts/collections/items.ts'

type Condition = CollectionItem['condition']

/** Conditions of copies with their names, best first. */
export const CONDITION_NAMES = [
  ['near_mint', texts.nearMint],
  ['lightly_played', texts.lightlyPlayed],
  ['moderately_played', texts.moderatelyPlayed],
  ['heavily_played', texts.heavilyPlayed],
  ['damaged', texts.damaged],
  ['unopened', texts.unopened],
] as const satisfies readonly (readonly [Condition, string])[]

/** Languages of copies, the usual ones first. */
export const LANGUAGE_NAMES = [
  ['en', texts.english],
  ['ja', texts.japanese],
  ['de', texts.german],
  ['fr', texts.french],
  ['it', texts.italian],
  ['es', texts.spanish],
  ['pt', texts.portuguese],
  ['ko', texts.korean],
  ['ru', texts.russian],
  ['zhs', texts.chineseSimplified],
  ['zht', texts.chineseTraditional],
  ['nl', texts.dutch],
  ['pl', texts.polish],
  ['th', texts.thai],
  ['id', texts.indonesian],
  ['cs', texts.czech],
  ['hu', texts.hungarian],
  ['la', texts.latin],
  ['he', texts.hebrew],
  ['ar', texts.arabic],
  ['grc', texts.ancientGreek],
  ['sa', texts.sanskrit],
  ['ph', texts.phyrexian],
] as const

/** Kinds of collections. */
export const KINDS = [
  ['owned', texts.collection],
  ['wish', texts.wishlist],
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
  card_not_found: texts.noLongerInTheCatalog,
  printing_not_found: texts.priceOfAnotherPrinting,
  condition_not_priced: texts.nearMintPrice,
  grade_not_priced: texts.priceOfAnUngradedCopy,
  grader_not_priced: texts.priceOfThisGrade,
  price_converted: texts.convertedPrice,
  price_unknown: texts.priceUnknown,
}

/** Ends of the sentence "$12.50 of the value is …", by the note of the prices. */
export const PRICED_OTHERWISE: Readonly<Record<string, string>> = {
  printing_not_found: texts.atPricesOfOtherPrintings,
  condition_not_priced: texts.atNearMintPrices,
  grade_not_priced: texts.atPricesOfUngradedCopies,
  grader_not_priced: texts.atPricesOfTheGrade,
  price_converted: texts.atPricesInAnotherCurrency,
  low_confidence: texts.atUnreliablePrices,
  price_paid_not_converted: texts.notInTheGain,
}
