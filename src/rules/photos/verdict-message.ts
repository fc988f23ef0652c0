// Explains to people why a photo was not matched.
import { numberKey } from '../catalog/names.ts'
import type { PhotoReading, PrintReading } from './photo-reading.ts'
import type { ScoredCandidate } from './score-candidates.ts'

/** Minimum share of the best score for a candidate to be compared in the message. */
const CLOSE_MIN = 0.05

/** Explains how the best candidates differ, and why the photo does not decide between them. */
export function explainAmbiguous(
  plausible: readonly ScoredCandidate[],
  { print }: Pick<PhotoReading, 'print'>,
): string | null {
  const [best] = plausible
  if (best === undefined) return null
  const close = plausible.filter(({ score }) => score >= CLOSE_MIN * best.score)
  if (close.length === 1) return explainDoubt(best, print)
  const shared = sharedTrait(close)
  if (shared === undefined) return 'Several cards are similar. Compare their pictures and names.'
  const fields = differingFields(close)
  if (fields.length === 0) return `${shared}. The photo does not show how they differ.`
  return `${shared}. ${differenceOf(fields, print)}`
}

/** Names the field in which a single candidate differs from the photo. */
function explainDoubt({ card, match, isConsistent }: ScoredCandidate, print: PrintReading): string {
  if (!isConsistent && !match.edition) return 'The edition of this card differs from the photo.'
  if (!isConsistent && print.readable.name && match.name < 1) {
    return `The name ${print.name} was read, but this card is ${card.name}.`
  }
  if (!isConsistent) return 'This card does not match the photo in every detail.'
  return 'This card is likely, but the photo does not confirm it.'
}

/** Returns what all cards have in common; undefined if they show different cards. */
function sharedTrait(close: readonly ScoredCandidate[]): string | undefined {
  const arts = new Set(close.map(({ card }) => card.art_group))
  if (arts.size === 1 && !arts.has(null)) return 'Same art'
  const names = new Set(close.map(({ card }) => `${card.game.id} ${card.clean_name}`))
  return names.size === 1 ? 'Same name' : undefined
}

type Field = 'set' | 'number' | 'edition'

/** Returns the fields in which the cards differ. */
function differingFields(close: readonly ScoredCandidate[]): Field[] {
  const values: Record<Field, (one: ScoredCandidate) => string> = {
    set: ({ card }) => String(card.set.id),
    number: ({ card }) => numberKey(card.number),
    edition: ({ card }) => card.clean_name,
  }
  const fields = ['set', 'number', 'edition'] as const
  return fields.filter((field) => new Set(close.map(values[field])).size > 1)
}

function differenceOf(fields: readonly Field[], { readable, stamp }: PrintReading): string {
  const isRead = (field: Field) => (field === 'edition' ? stamp !== 'unclear' : readable[field])
  const [field, ...others] = fields
  if (field !== undefined && others.length === 0) {
    return isRead(field)
      ? `Only the ${field} differs, and the photo does not decide it.`
      : `Only the ${field} differs, and it could not be read.`
  }
  const listed = `${fields.slice(0, -1).join(', ')} and ${fields.at(-1)}`
  return fields.some(isRead)
    ? `The ${listed} differ, and the photo does not decide between them.`
    : `The ${listed} differ, and could not be read.`
}

/** States what was read, and that no card of the catalog matches it. */
export function explainNotFound({ print, neighbors }: PhotoReading): string {
  const { readable, name, number } = print
  if (readable.name && readable.number) {
    return `The name ${name} and the number ${number} were read, but no card in the catalog matches.`
  }
  if (readable.name) return `The name ${name} was read, but no card in the catalog matches.`
  if (readable.number) return `The number ${number} was read, but no card in the catalog matches.`
  return neighbors.length === 0
    ? 'Neither a name nor a number could be read, and the catalog has no picture to compare.'
    : 'Neither a name nor a number could be read, and no picture in the catalog is similar.'
}
