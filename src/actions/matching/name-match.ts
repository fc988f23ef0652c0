/** Card name to resolve. */
export type NameItem = {
  /** Name, or a line of a list with a quantity, a set, a number and a printing. */
  name: string
  /** Slug of a game. */
  game?: string | undefined
  /** Slug, code or name of a set. */
  set?: string | undefined
  number?: string | undefined
  printing?: string | undefined
}

/**
 * Quality of a match (specification, Bulk and export). `exact`: the name is the card's name. `high`: the
 * card's name starts with it. `medium`: the card's name contains it, or a corrected name was used.
 */
export type Confidence = 'exact' | 'high' | 'medium'

/** A card that was found, and others that were possible. */
export type CardMatch = {
  card_id: number
  confidence: Confidence
  /** Other possible cards, at most three. */
  alternatives: number[]
  /** Name that was searched instead, if the given one has no match. */
  corrected_name?: string
}

export type NameMatch = CardMatch & { line: LineParts }

/** Parts of a written line. Those that no card fits are ignored, and listed. */
export type LineParts = {
  quantity: number
  name: string
  /** Code or name of a set, as written. */
  set: string | undefined
  number: string | undefined
  /** Finish that the line marks. */
  printing: string | undefined
  ignored: readonly IgnoredPart[]
}

/** Part of a line that the card does not fit: a set that the catalog lacks or without this card, or a number. */
export type IgnoredPart = 'set_not_found' | 'not_in_set' | 'number_not_found'

export type NameMiss = {
  reason: 'no_match' | 'game_not_found' | 'set_not_found' | 'name_too_short'
}
