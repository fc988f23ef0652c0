// Parses the card that the label of a slab names.
import { parseCollectorLine } from '../parse-collector-line.ts'
import { cleanTitle, type NameLookup } from '../read-title.ts'
import { spanConfidence } from '../span-confidence.ts'
import { splitColumns } from '../split-columns.ts'
import { type PrintedLine, soleValue } from '../text-line.ts'
import { parseGradeLine } from './grade.ts'

/** Returns the number of the card: "#4", or in the format of the card. */
export function parseLabelNumber(
  label: readonly PrintedLine[],
  shapes: ReadonlySet<string>,
  confidenceMin: number,
): string {
  return soleValue(
    label.flatMap(({ text, ctc }) => {
      const [, marked] =
        /#\s?([A-Z]{0,4}[0-9]{1,3}(?:\/[A-Z]{0,4}[0-9]{1,3})?)(?![^\s,])/.exec(text) ?? []
      const number =
        marked ?? parseCollectorLine(text.replace(/#/g, ' '), false, shapes)?.number ?? ''
      return number !== '' && spanConfidence(ctc, number) >= confidenceMin ? number : []
    }),
  )
}

/** Minimum confidence of a name that the catalog lists, and of another one. */
type LabelLimits = { listed: number; other: number }

/**
 * Returns the name of the card, without additions of the grader: the tallest text that the catalog lists, otherwise
 * the line that looks like a name.
 */
export function parseLabelName(
  label: readonly PrintedLine[],
  { listed, other }: LabelLimits,
  namesakes: NameLookup,
): string {
  const lines = label.filter((line) => parseGradeLine(line, true) === undefined)
  const named = lines.flatMap((line) =>
    namesIn(line)
      .filter((name) => spanConfidence(line.ctc, name) >= listed || line.confidence >= listed)
      .filter((name) => namesakes(name).length > 0)
      .slice(0, 1)
      .map((name) => ({ name, heightPx: line.heightPx })),
  )
  const most = Math.max(...named.map(({ heightPx }) => heightPx))
  const tallest = named.filter(({ heightPx }) => heightPx * 1.1 > most)
  if (tallest.length > 0) return soleValue(tallest.map(({ name }) => name))
  const others = lines.filter(
    ({ kind, confidence, text }) => kind === 'name' && confidence >= other && !/[0-9]/.test(text),
  )
  return soleValue(others.flatMap((line) => namesIn(line).slice(0, 1)))
}

/** Returns the texts of a line and of its columns that may be names. */
function namesIn(line: PrintedLine): string[] {
  const columns = splitColumns(line)
  return [line.text, ...(columns.length > 1 ? columns : [])]
    .filter((text) => !/\b(?:19|20)[0-9]{2}\b/.test(text))
    .map((text) =>
      cleanTitle(text.replace(/^FA\//, '').replace(/[-\s](?:HOLO|REV\.?\s?FOIL)$/, '')),
    )
    .filter((name) => /\p{L}{3}/u.test(name))
}
