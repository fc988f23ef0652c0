/** Texts about owned cards on pages of cards and sets. */
import type { ReactNode } from 'react'
import { pluralText } from '../../../format.ts'
import { rich } from '../../rich-text.ts'

export const addACopyOf = (name: string) => `Add a copy of ${name}`
export const addACopy = 'Add a copy'
export const copyIsIn = ({ card, collection }: Record<'card' | 'collection', string>) =>
  `${card} is in “${collection}”.`
export const undo = 'Undo'
export const aCollection = 'a collection'
export const owned = 'Owned'
export const youOwn = 'You own'
export const copiesIn = ({ copies, collection }: { copies: string; collection: ReactNode }) =>
  rich`${copies} in ${collection}`
export const atPriceEach = (price: ReactNode) => rich`at ${price} each`
export const missingCardsOf = (name: string) => `Missing cards of ${name}`
export const cardsAreIn = ({ cards, collection }: { cards: number; collection: string }) =>
  `${pluralText(cards, { one: '# card is', other: '# cards are' })} in “${collection}”.`
export const wishlistRoom = (room: number) =>
  `A wish list can have ${pluralText(room, { one: '# card', other: '# cards' })} with your plan.`
export const cancel = 'Cancel'
export const createWishlist = 'Create wish list'
/** @param unpriced how many cards have no price */
export const costOfEach = ({ cost, unpriced }: { cost: ReactNode; unpriced: number }) =>
  unpriced === 0
    ? rich`One copy of each in its base printing: ${cost}.`
    : rich`One copy of each in its base printing: ${cost} (${pluralText(unpriced, { one: '# card', other: '# cards' })} without a price).`
export const missingOf = (name: string) => `Missing of ${name}`
export const ownedOfCards = ({ owned, cards }: { owned: string; cards: number }) =>
  `${owned} of ${pluralText(cards, { one: '# card', other: '# cards' })} owned`
export const wishlistOfMissing = (missing: number) =>
  pluralText(missing, {
    one: 'Wish list of the missing # card',
    other: 'Wish list of the missing # cards',
  })
export const wishlistOfAll = (cards: number) =>
  pluralText(cards, { one: 'Wish list of the # card', other: 'Wish list of the # cards' })
export const ownedOfPrinting = ({
  printing,
  owned,
  all,
}: Record<'printing' | 'owned' | 'all', string>) => `${printing}: ${owned} of ${all}`
export const ownedOf = ({ owned, all }: Record<'owned' | 'all', string>) => `${owned} of ${all}`
