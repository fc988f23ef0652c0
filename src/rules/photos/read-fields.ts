// Reads the fields of a card from its lines, at high confidence only: a wrong number excludes the right card,
// a missing one excludes none.
import { numberKey } from '../catalog/names.ts'
import { detectFinish } from './finish.ts'
import { type CollectorLine, parseCollectorLine } from './parse-collector-line.ts'
import { type PhotoQuality, type PhotoReading, type PrintReading, UNREAD } from './photo-reading.ts'
import { readCardName } from './read-title.ts'
import { parseGrade, parseLabelName, parseLabelNumber } from './slab-label.ts'
import { isAtEdge, LEGIBLE_MIN, type PrintedLine, type Script, soleValue } from './text-line.ts'
import { THRESHOLDS } from './thresholds.ts'

/**
 * Minimum confidence of numbers, codes, stamps and grades. Of 12,000 rendered number lines in held-out fonts
 * 1,931 reach it, 2 of them wrong. The error rate above it is below 0.5 % (Learn-then-Test at 5 %,
 * scripts/training/cardstock_training/evaluate/calibrate_reading.py).
 */
const CONFIDENCE_MIN = 0.97
/** For grades whose number and words agree. */
const LIKELY_MIN = 0.75

/** Maximum height of numbers; power and toughness, hit points and costs are larger. */
const NUMBER_MM_MAX = 3
/** Lines that end above it are on the label of a slab. */
const LABEL_BOTTOM_MAX = 0.02

type FieldContext = Pick<PhotoReading, 'kind' | 'quality' | 'finish'>

/**
 * Returns the fields of a card; empty, and `unclear` for stamps, if not read with confidence.
 *
 * @param shapes shapes of the numbers in the catalog, in addition to the formats of known games
 */
export function readFields(
  lines: readonly PrintedLine[],
  context: FieldContext,
  shapes: ReadonlySet<string>,
): PrintReading {
  // The text on backs and boxes does not identify a card.
  if (context.kind !== 'raw' && context.kind !== 'graded slab') return UNREAD
  const onCard = lines.filter((line) => !isOnLabel(line))
  const onLabel = context.kind === 'graded slab' ? lines.filter(isOnLabel) : []
  const label = onLabel.filter((line) => isConfident(line))
  const likely = onLabel.filter((line) => isConfident(line, LIKELY_MIN))
  const parsed = onCard
    .filter((line) => isConfident(line) && isSmallPrint(line, context.quality))
    .flatMap((line) => parseLine(line, shapes) ?? [])
  const own = bestNumber(parsed)
  const number = own?.number ?? (isDense(context.quality) ? parseLabelNumber(label, shapes) : '')
  const set = own?.set || soleValue(parsed.flatMap(codeWithoutNumber))
  const name = readCardName(onCard) || parseLabelName(label)
  return {
    ...UNREAD,
    name,
    number,
    set,
    language: findLanguage(onCard, parsed),
    finish: detectFinish(context),
    // finish.ts decides on the absence of a stamp, once the candidates are known.
    stamp:
      findStamps(
        onCard.filter((line) => isConfident(line)),
        label,
      ) || 'unclear',
    grade: parseGrade(label, false) || parseGrade(likely, true),
    readable: { name: name !== '', number: number !== '', set: set !== '' },
  }
}

function isOnLabel({ box }: PrintedLine): boolean {
  return box.bottom <= LABEL_BOTTOM_MAX
}

function isConfident(
  { confidence, legibility, script }: PrintedLine,
  confidenceMin = CONFIDENCE_MIN,
): boolean {
  return confidence >= confidenceMin && legibility >= LEGIBLE_MIN && script === 'latin'
}

/** Returns whether a line has the size and position of a collector line. */
function isSmallPrint(line: PrintedLine, quality: PhotoQuality | undefined): boolean {
  const isPlaced =
    line.kind === 'number' || (line.kind === 'other' && (isAtEdge(line) || isAlone(line)))
  return isPlaced && isDense(quality) && line.heightPx / quality.px_per_mm <= NUMBER_MM_MAX
}

/** Returns whether small print is large enough: below the limit even confident readings are wrong. */
function isDense(quality: PhotoQuality | undefined): quality is PhotoQuality {
  return quality !== undefined && quality.px_per_mm >= THRESHOLDS.quality.pxPerMmMin
}

/** Returns whether a line is one word with the separator of a number, such as a number below the art. */
function isAlone({ text }: PrintedLine): boolean {
  return /^[^\s]*[0-9A-Z][-/][0-9A-Z][^\s]*$/.test(text)
}

// Numbers, set codes and languages

type ParsedLine = { line: PrintedLine; fields: CollectorLine }

function parseLine(line: PrintedLine, shapes: ReadonlySet<string>): ParsedLine | undefined {
  const fields = parseCollectorLine(line.text, line.kind === 'number', shapes)
  return fields && { line, fields }
}

/** Returns the best number; undefined if two different numbers are equally good. */
function bestNumber(parsed: readonly ParsedLine[]): CollectorLine | undefined {
  const found = parsed.map((line) => ({ ...line, rank: rankNumber(line) }))
  const most = Math.max(1, ...found.map(({ rank }) => rank))
  const best = found.filter(({ rank }) => rank === most).map(({ fields }) => fields)
  const keys = new Set(best.map(({ number }) => numberKey(number)))
  return keys.size === 1 ? (best.find(({ set }) => set !== '') ?? best[0]) : undefined
}

/** Returns the set code of a line without a number. */
function codeWithoutNumber({ fields }: ParsedLine): string | [] {
  return fields.number === '' ? fields.set : []
}

/** Maximum number of likely numbers; further ones are rules text. */
const LIKELY_MAX = 4

/** Returns numbers at any confidence, for the search of candidates. */
export function likelyNumbers(
  lines: readonly PrintedLine[],
  shapes: ReadonlySet<string>,
): string[] {
  const numbers = lines.flatMap((line) =>
    line.kind === 'name' ? [] : parseCollectorLine(line.text, true, shapes)?.number || [],
  )
  return [...new Set(numbers)].slice(0, LIKELY_MAX)
}

/** Ranks a number by its position; 0 if it does not count. */
function rankNumber({ line, fields: { number } }: ParsedLine): number {
  if (number === '') return 0
  // Plain digits are a number only on a collector line.
  const isPlain = /^[0-9]+$/.test(number)
  if (line.kind !== 'number') return isPlain ? 0 : isAtEdge(line) ? 2 : 1
  return 3 + (isPlain ? 0 : 2) + (isAtEdge(line) ? 1 : 0)
}

// Languages

/** Minimum number of lines in a script: one foreign word does not determine the language. */
const SCRIPT_LINES_MIN = 3

const LANGUAGE_OF_SCRIPT: Partial<Record<Script, string>> = {
  japanese: 'Japanese',
  korean: 'Korean',
  chinese: 'Chinese',
  cyrillic: 'Russian',
}

function findLanguage(lines: readonly PrintedLine[], parsed: readonly ParsedLine[]): string {
  const printed = parsed.flatMap(({ fields }) => fields.language || [])
  const scripts = lines
    .filter(({ legibility }) => legibility >= LEGIBLE_MIN)
    .flatMap(({ script }) => LANGUAGE_OF_SCRIPT[script] ?? [])
  return soleValue([...printed, ...(mainLanguage(scripts) ?? [])])
}

/** Returns the language of most lines in scripts other than Latin; undefined if there are too few. */
function mainLanguage(languages: readonly string[]): string[] | undefined {
  const counts = Map.groupBy(languages, (language) => language)
  const main = [...counts.values()].find((same) => 4 * same.length >= 3 * languages.length)
  return main !== undefined && main.length >= SCRIPT_LINES_MIN ? main : undefined
}

// Stamps

/** Edition parsed and the words printed for them; text-match.ts compares them with titles and printings. */
const STAMPS: readonly [name: string, words: string][] = [
  ['1st Edition', String.raw`(?:1st|first)\s+ed(?:ition|\.)|edition\s+1|1\s+edition`],
  ['Limited Edition', String.raw`limited\s+edition`],
  ['Prerelease', String.raw`pre-?\s?release`],
  ['Staff', 'staff'],
]

/** Returns the stamps. On a card a stamp is a line of its own: names and rules contain the same words. */
function findStamps(onCard: readonly PrintedLine[], label: readonly PrintedLine[]): string {
  const found = STAMPS.filter(([, words]) => {
    const alone = new RegExp(`^\\W*(?:${words})\\W*$`, 'i')
    const within = new RegExp(`(?:^|\\s)(?:${words})(?=\\s|$)`, 'i')
    return (
      onCard.some(({ kind, text }) => kind === 'other' && alone.test(text)) ||
      label.some(({ kind, text }) => kind !== 'name' && within.test(text))
    )
  })
  return found.map(([name]) => name).join(' ')
}
