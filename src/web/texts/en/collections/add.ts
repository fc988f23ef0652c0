/** Texts of adding a card to a collection. */

export const added = 'Added'
export const openIt = 'Open it'
export const done = 'Done'
export const addToCollection = 'Add to collection'
export const addCard = (name: string) => `Add ${name}`
export const cardIsIn = ({ card, collection }: Record<'card' | 'collection', string>) =>
  `${card} is in “${collection}”.`
export const cancel = 'Cancel'
export const add = 'Add'
export const nameOfWishlist = (name: string) => `${name} (wish list)`
export const newCollection = 'New collection'
export const newWishlist = 'New wish list'
export const collection = 'Collection'
export const to = 'To'
export const nameOfTheNewOne = 'Name of the new one'
