// Reads ranked lines within a budget of columns: the likeliest ones, then more of them if name or number was not among
// these.
import { parseCollectorLine } from '#rules/photos/parse-collector-line.ts'
import { LEGIBLE_MIN, type LineKind } from '#rules/photos/text-line.ts'
import type { GrayImage } from '../image/gray.ts'
import type { Homography, ImagePyramid, Quad } from '../image/rectify.ts'
import type { Network } from '../runtime/model.ts'
import { cropLine, lineFormat, normalizeLine } from './crop-line.ts'
import { aspectRatio, kindOf, type RankedLine } from './rank-lines.ts'
import { batchWidth, type LineReading, recognizeLines } from './recognize.ts'

export type LinePlace = {
  /** In pixels of the rectified picture. */
  quad: Quad
  toPhoto: Homography
}

type Line = RankedLine & LinePlace
type ReadLine = { reading: LineReading; line: Line & { kind: LineKind } }

/** Limits of the reading time, which depends on the columns. */
export type ColumnLimits = {
  columnsMax: number
  /** Applies to lines that are read only while there is time. */
  lesserMax: number
  /** Columns of further lines, if no name or no number was read. */
  furtherMax: number
  /** True if further lines are read for want of a name; they always are for want of a number. */
  isNameNeeded: boolean
}

export function readLines(
  recognizer: Network,
  pyramid: ImagePyramid,
  lines: readonly Line[],
  { columnsMax, lesserMax, furtherMax, isNameNeeded }: ColumnLimits,
): ReadLine[] {
  // Stamps and numbers are short; rules text is long and slow to read.
  const ordered = lines.toSorted(
    (one, other) => one.rank - other.rank || aspectRatio(one) - aspectRatio(other),
  )
  const form = lineFormat(recognizer)
  const rest = new Set(ordered)
  const readSome = (limitOf: (line: Line) => number): ReadLine[] => {
    const chosen: { line: Line; crop: GrayImage }[] = []
    let columns = 0
    for (const line of rest) {
      const crop = normalizeLine(cropLine(pyramid, line.toPhoto, line.quad, form), form)
      columns += batchWidth(crop)
      if (columns > limitOf(line)) break
      rest.delete(line)
      chosen.push({ line, crop })
    }
    const readings = recognizeLines(
      recognizer,
      chosen.map(({ crop }) => crop),
    )
    return withoutUpsideDown(
      readings.flatMap((reading, index) => {
        const line = chosen[index]?.line
        return line === undefined
          ? []
          : { reading, line: { ...line, kind: kindOf(reading.text, line) } }
      }),
    )
  }
  const likely = readSome((line) => (line.isLesser ? lesserMax : columnsMax))
  return isComplete(likely, isNameNeeded) ? likely : [...likely, ...readSome(() => furtherMax)]
}

/** Minimum confidence of a name or a number for which no further lines are read. */
const [NAME_MIN, NUMBER_MIN] = [0.5, 0.3]

/** Returns true if a name and a number seem to have been read. */
function isComplete(lines: readonly ReadLine[], isNameNeeded: boolean): boolean {
  const legible = lines.filter(({ reading }) => reading.legibility >= LEGIBLE_MIN)
  return (
    (!isNameNeeded ||
      legible.some(
        ({ line, reading }) => line.kind === 'name' && reading.confidence >= NAME_MIN,
      )) &&
    legible.some(
      ({ line, reading: { text, confidence } }) =>
        confidence >= NUMBER_MIN &&
        parseCollectorLine(text, line.kind === 'number', NO_SHAPES)?.number,
    )
  )
}

/** Shapes of the catalog are not known here. */
const NO_SHAPES: ReadonlySet<string> = new Set()

/** Keeps a sideways line in the direction in which it is more readable. */
function withoutUpsideDown(lines: readonly ReadLine[]): ReadLine[] {
  const upright = lines.filter(({ line }) => line.isSideways !== true)
  const [surest] = lines
    .filter(({ line }) => line.isSideways)
    .toSorted((one, other) => sureness(other) - sureness(one))
  return surest === undefined ? upright : [...upright, surest]
}

function sureness({ reading: { confidence, legibility } }: ReadLine): number {
  return confidence * legibility
}
