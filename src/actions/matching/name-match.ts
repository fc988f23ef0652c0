/** Card name to resolve. */
export type NameItem = {
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

export type NameMatch = {
  card_id: number
  confidence: Confidence
  /** Other possible cards, at most three. */
  alternatives: number[]
  /** Name that was searched instead, if the given one has no match. */
  corrected_name?: string
}

export type NameMiss = {
  reason: 'no_match' | 'game_not_found' | 'set_not_found' | 'name_too_short'
}
