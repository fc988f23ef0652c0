// Shapes of collector numbers: OP01-001 and OP07-080 are both AA00-000. A text with the shape of
// many numbers, and of little else on a card, is taken for a number of any game.
import { withoutMarks } from './number-forms.ts'

/** Returns the shape of a number: A for capitals, a for other letters, 0 for digits. */
export function numberShape(number: string): string {
  return withoutMarks(number)
    .replace(/\p{Lu}/gu, 'A')
    .replace(/\p{Ll}/gu, 'a')
    .replace(/[0-9]/g, '0')
}

/**
 * Returns true if only numbers have this shape: one word with a capital and two digits. "4/4" and
 * "2000" are power or points on most cards, and numbers in some games.
 */
export function isDistinctiveShape(shape: string): boolean {
  return /^(?=.*A)(?=.*0.*0)[A0][A0a/.-]{3,14}[A0a]$/.test(shape)
}

/** Minimum number of cards with a shape; a rarer shape is an error in the data. */
export const SHAPE_CARDS_MIN = 20
