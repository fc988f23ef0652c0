// The shapes that the numbers of a catalog have: OP01-001 and OP07-080 are both AA00-000. What has the
// shape of many numbers, and is hardly anything else on a card, is taken for one, whatever the game.
import { withoutMarks } from './number-forms.ts'

/** A printed or listed number with A, a and 0 for its capitals, its other letters and its digits. */
export function numberShape(number: string): string {
  return withoutMarks(number)
    .replace(/\p{Lu}/gu, 'A')
    .replace(/\p{Ll}/gu, 'a')
    .replace(/[0-9]/g, '0')
}

/**
 * Whether only a number has such a shape: one word with a capital and two digits. "4/4" and "2000" are
 * power and points on most cards, and numbers of some games.
 */
export function isDistinctiveShape(shape: string): boolean {
  return /^(?=.*A)(?=.*0.*0)[A0][A0a/.-]{3,14}[A0a]$/.test(shape)
}

/** Fewer cards than this have a shape by mistake. */
export const SHAPE_CARDS_MIN = 20
