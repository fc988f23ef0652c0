import { normalizeName } from '#rules/catalog/trigrams.ts'
import { choosePrinting } from '#rules/matching/choose-printing.ts'
import type { CollectionRow, LeftOut } from '#rules/matching/collection-columns.ts'
import type { ListSection } from '#rules/matching/parse-list.ts'
import type { LineFacts } from '#rules/matching/trailing-words.ts'
import type { NamedCard, PricedCard, PricedPrinting } from '#store/catalog/priced-cards.ts'
import type { CardMatch, IgnoredPart, NameItem, NameMiss } from './name-index.ts'
import type { RowQuery } from './resolve-rows.ts'

/** Part of a row that was ignored so that it could be resolved. */
export type CollectionNote =
  | 'product_id_not_found'
  | 'game_not_found'
  | 'printing_not_found'
  | 'printing_assumed'
  | IgnoredPart

/** Reason why a row could not be resolved. */
export type CollectionReason =
  | NameMiss['reason']
  | 'no_name'
  | 'no_copies'
  | 'invalid_quantity'
  | 'line_too_long'
  | LeftOut

export type ResolvedRow = MatchedRow | UnmatchedRow

/** `section` is the part of a deck list; undefined for a row of a table. */
export type MatchedRow = {
  input: CollectionRow
  section: ListSection | undefined
  quantity: number
  /** Facts about the copies that a line of a list states. */
  facts: LineFacts | undefined
  found: FoundCard
}

export type UnmatchedRow = {
  input: CollectionRow
  section: ListSection | undefined
  reason: CollectionReason
  suggestions?: NamedCard[]
}

/** Money is in US cents. */
export type FoundCard = Pick<CardMatch, 'confidence' | 'certainty' | 'corrected_name'> & {
  card: NamedCard
  printing: PricedPrinting | undefined
  /** Value of all copies; null if the price is unknown. */
  value: number | null
  alternatives: NamedCard[]
  notes: CollectionNote[]
}

/** A row that is being resolved. A line of a list has a section; its parts are known after a match. */
export type RowSearch = {
  input: CollectionRow
  section: ListSection | undefined
  /** Slug. */
  game: string | undefined
  quantity: number | undefined
  /** True if the card is sought although nobody owns it. */
  isWanted?: boolean
  /** Undefined if the row cannot be searched by a name. */
  query: NameItem | RowQuery | undefined
  match?: CardMatch
  miss?: CollectionReason
  suggestions?: readonly number[]
  facts?: LineFacts | undefined
  notes: CollectionNote[]
}

/** Returns what was found for a row. @param cards the cards of all matches and suggestions, by their ids */
export function createResult(
  search: RowSearch,
  cards: ReadonlyMap<number, PricedCard>,
): ResolvedRow {
  const { input, section, quantity, isWanted = false, match, miss, notes } = search
  if (quantity === undefined) return { input, section, reason: 'invalid_quantity' }
  if (input.left_out !== null && !isWanted) return { input, section, reason: input.left_out }
  if (quantity === 0) return { input, section, reason: 'no_copies' }
  const [priced, ...others] = match === undefined ? [] : rankCards(match, input, cards)
  if (match === undefined || priced === undefined) {
    const unnamed = [input.name, input.product_id, input.cardmarket_id, input.number].every(
      (part) => part === null,
    )
    const reason = unnamed ? 'no_name' : (miss ?? 'no_match')
    const suggestions = search.suggestions?.flatMap((id) => cards.get(id)?.card ?? []) ?? []
    return { input, section, reason, ...(suggestions.length > 0 && { suggestions }) }
  }
  const { printing, isFound } = choosePrinting(match.printing ?? input.printing, priced.printings)
  if (!isFound && !notes.includes('printing_not_found')) notes.push('printing_not_found')
  const { confidence, corrected_name } = match
  // A card of another game may have the same name.
  const certainty = notes.includes('game_not_found') ? 'guessed' : match.certainty
  if (certainty === 'assumed') notes.push('printing_assumed')
  const price = printing?.market_price ?? null
  return {
    input,
    section,
    quantity,
    facts: search.facts,
    found: {
      confidence,
      certainty,
      ...(corrected_name !== undefined && { corrected_name }),
      card: priced.card,
      printing,
      value: price === null ? null : quantity * price,
      alternatives: others.map(({ card }) => card),
      notes,
    },
  }
}

/**
 * Returns the match and its alternatives. Among cards with exactly this name, one with the row's printing comes
 * first: a foil must be a card that exists as foil.
 */
function rankCards(
  { card_id, alternatives, confidence, printing: left }: CardMatch,
  input: CollectionRow,
  cards: ReadonlyMap<number, PricedCard>,
): PricedCard[] {
  const all = [card_id, ...alternatives].flatMap((id) => cards.get(id) ?? [])
  const [first] = all
  const printing = left ?? input.printing
  if (first === undefined || confidence !== 'exact' || printing === null) return all
  const name = normalizeName(first.card.name)
  const best = all.find(
    ({ card, printings }) =>
      normalizeName(card.name) === name &&
      // A card without prices may have any printing.
      (printings.length === 0 || choosePrinting(printing, printings).isFound),
  )
  return best === undefined ? all : [best, ...all.filter((one) => one !== best)]
}
