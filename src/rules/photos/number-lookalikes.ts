// Resolves letters and digits of collector numbers that look the same in most fonts: O and 0, I and 1.
import { numberShape } from '../catalog/number-forms.ts'

/** Maximum number of letters to exchange; a number with more stays as read. */
const LOOKALIKES_MAX = 6

/**
 * Returns the catalog's number that looks like the number that was read. Empty if several numbers look like it, or if
 * none is listed and a lookalike has the shape of listed numbers.
 *
 * @param shapes shapes of the numbers in the catalog (number-shapes.ts)
 */
export function resolveLookalikes(
  number: string,
  shapes: ReadonlySet<string>,
  isListed: (number: string) => boolean,
): string {
  // A number of digits is never mistaken for letters.
  if (!/[A-Z]/.test(number)) return number
  const others = lookalikes(number).filter((other) => other !== number)
  const listed = [number, ...others].filter(isListed)
  const [only = ''] = listed
  if (listed.length > 0) return listed.length === 1 ? only : ''
  return others.some((other) => shapes.has(numberShape(other))) ? '' : number
}

/** Returns all numbers that look like a number, including itself. */
export function lookalikes(number: string): string[] {
  const count = number.match(/[O0I1]/g)?.length ?? 0
  if (count > LOOKALIKES_MAX) return [number]
  return [...number].reduce<string[]>(
    (starts, letter) => starts.flatMap((start) => sameLook(letter).map((one) => start + one)),
    [''],
  )
}

function sameLook(letter: string): readonly string[] {
  return ['O0', 'I1'].find((pair) => pair.includes(letter))?.split('') ?? [letter]
}
