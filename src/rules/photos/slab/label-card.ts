// Parses the card that the label of a slab names.
import { parseCollectorLine } from '../parse-collector-line.ts'
import { cleanTitle } from '../read-title.ts'
import { type PrintedLine, soleValue } from '../text-line.ts'
import { parseGradeLine } from './grade.ts'

/** Returns the number of the card: "#4", or in the format of the card. */
export function parseLabelNumber(
  label: readonly PrintedLine[],
  shapes: ReadonlySet<string>,
): string {
  return soleValue(
    label.flatMap(({ text }) => {
      const [, number] =
        /#\s?([A-Z]{0,4}[0-9]{1,3}(?:\/[A-Z]{0,4}[0-9]{1,3})?)(?![^\s,])/.exec(text) ?? []
      return number ?? (parseCollectorLine(text.replace(/#/g, ' '), false, shapes)?.number || [])
    }),
  )
}

/** Returns the name of the card, without additions of the grader. */
export function parseLabelName(label: readonly PrintedLine[]): string {
  const names = label.filter(
    (line) => line.kind === 'name' && parseGradeLine(line, true) === undefined,
  )
  return soleValue(
    names
      .filter(({ text }) => !/\b(?:19|20)[0-9]{2}\b/.test(text))
      .map(({ text }) =>
        cleanTitle(text.replace(/^FA\//, '').replace(/[-\s](?:HOLO|REV\.?\s?FOIL)$/, '')),
      ),
  )
}
