/** Texts of the field that chooses a card. */
import { pluralText } from '../../../format.ts'

export const card = 'Card'
export const nameSetOrNumber = 'Name, set or number'
export const cards = 'Cards'
export const typeAtLeastTwoLetters = 'Type at least two letters.'
export const noMatchingCardsTryFewer = 'No matching cards. Try fewer words.'
export const found = (total: number) =>
  pluralText(total, {
    one: '# card found. Choose one.',
    other: '# cards found. Choose one.',
  })
export const foundMany = ({ total, shown }: { total: number; shown: string }) =>
  pluralText(total, {
    one: `# card found, showing the best ${shown}. Choose one.`,
    other: `# cards found, showing the best ${shown}. Choose one.`,
  })
