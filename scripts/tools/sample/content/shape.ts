/** A trading card game of the sample: invented, like everything in it. */
export interface Game {
  categoryId: number
  name: string
  displayName: string
  description: string
  popularity: number
  modifiedOn: string
}

export interface CardSet<Card extends { art: string }> {
  groupId: number
  name: string
  abbreviation: string
  publishedOn: string
  modifiedOn: string
  /** Products are numbered from here: the cards in order, then what is sealed from the 81st on. */
  firstProductId: number
  /** The colour of the boxes it is sold in. */
  boxColor: string
  cards: readonly Card[]
  sealed: readonly Sealed<Card['art']>[]
}

export interface Sealed<Art extends string = string> {
  name: string
  wrapping: 'booster box' | 'case' | 'tin' | 'deck'
  /** The scene on the wrapping: the art of one of the set's cards. */
  art: Art
  prices: Prices
  presale?: Presale
  description?: string
}

export interface Presale {
  releasedOn: string
  note: string
}

export type Printing =
  | 'Normal'
  | 'Holofoil'
  | 'Reverse Holofoil'
  | '1st Edition'
  | 'Unlimited'
  | '1st Edition Holofoil'
  | 'Foil'
  | 'Cold Foil'

/** The usual market price of each printing in dollars; null where too few are sold to tell. */
export type Prices = Readonly<Partial<Record<Printing, number | null>>>
