// Recognizes the print of several cards in a photo in which no card was found: a list, or cards side by side.
import { numberKey } from '../catalog/names.ts'
import { parseCollectorLine } from './parse-collector-line.ts'
import type { PrintVocabulary } from './read-fields.ts'
import { listPrintedNames } from './read-title.ts'
import { spanConfidence } from './span-confidence.ts'
import { LEGIBLE_MIN, type PrintedLine } from './text-line.ts'
import { THRESHOLDS } from './thresholds.ts'

const { nameLikelyMin, numberLikelyMin } = THRESHOLDS.reading

/** Returns true if lines state several names of the catalog, or several numbers. */
export function statesSeveral(
  lines: readonly PrintedLine[],
  { shapes, namesakes }: Pick<Required<PrintVocabulary>, 'shapes' | 'namesakes'>,
): boolean {
  const numbers = lines.flatMap((line) => numberOf(line, shapes) ?? [])
  return (
    listPrintedNames(lines, nameLikelyMin, namesakes).length > 1 ||
    new Set(numbers.map(numberKey)).size > 1
  )
}

/** Returns the number of a line; none if it may count something else, such as power or hit points. */
function numberOf(
  { text, legibility, ctc }: PrintedLine,
  shapes: ReadonlySet<string>,
): string | undefined {
  const parsed = parseCollectorLine(text, false, shapes)
  if (parsed === undefined || parsed.number === '' || parsed.isTentative) return undefined
  const isRead = legibility >= LEGIBLE_MIN && spanConfidence(ctc, parsed.number) >= numberLikelyMin
  return isRead ? parsed.number : undefined
}
