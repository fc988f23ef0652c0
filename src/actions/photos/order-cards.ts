import { arrangeCards, type PagePosition } from '#rules/photos/arrange-cards.ts'
import type { CutCard, Outline } from '#rules/photos/page-cut.ts'

/** Position of a card on its page, and its corners in the photo. */
export type CardPlace = PagePosition & { outline: Outline }

/** Orders the cards of a page by rows and columns. */
export function orderCards(cards: readonly CutCard[]): { card: CutCard; place: CardPlace }[] {
  const positions = arrangeCards(cards.map(({ outline }) => outline))
  return cards
    .map((card, index) => {
      const { row, column } = positions[index] ?? { row: 1, column: 1 }
      return { card, place: { row, column, outline: card.outline } }
    })
    .sort((one, other) => one.place.row - other.place.row || one.place.column - other.place.column)
}
