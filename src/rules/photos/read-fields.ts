// Reads the fields of a card from its lines, at high confidence only: a wrong number excludes the right card, while a
// missing one excludes none.
import { numberKey } from '../catalog/names.ts'
import { detectFinish } from './finish.ts'
import { lookalikes, resolveLookalikes } from './number-lookalikes.ts'
import { type CollectorLine, NUMBER_BEHIND, parseCollectorLine } from './parse-collector-line.ts'
import { type PhotoQuality, type PhotoReading, type PrintReading, UNREAD } from './photo-reading.ts'
import { type NameLimits, type NameLookup, readCardName } from './read-title.ts'
import { parseGrade } from './slab/grade.ts'
import { parseLabelName, parseLabelNumber } from './slab/label-card.ts'
import { spanConfidence } from './span-confidence.ts'
import {
  isAtEdge,
  isAtFoot,
  isOnLabel,
  LEGIBLE_MIN,
  type PrintedLine,
  type Script,
  soleValue,
} from './text-line.ts'
import { THRESHOLDS } from './thresholds.ts'

type FieldContext = Pick<PhotoReading, 'kind' | 'quality' | 'finish'>
/** Limits of the confidence of each field. */
export type ReadingLimits = Record<keyof typeof THRESHOLDS.reading, number>

/** Knowledge of the catalog about printed texts. */
export type PrintVocabulary = {
  /** Shapes of the numbers, in addition to the formats of known games. */
  shapes: ReadonlySet<string>
  /** Returns true if a card has this number. */
  isNumber?: (number: string) => boolean
  /** Returns the cards with exactly this printed name. */
  namesakes?: NameLookup
}

/**
 * Returns the fields of a card; a field not read with confidence is empty, or `unclear` for stamps.
 *
 * @param limits other limits, for their calibration
 */
export function readFields(
  lines: readonly PrintedLine[],
  context: FieldContext,
  { shapes, isNumber = () => false, namesakes = () => [] }: PrintVocabulary,
  limits: ReadingLimits = THRESHOLDS.reading,
): PrintReading {
  // Text on backs and boxes does not identify a card.
  if (context.kind !== 'raw' && context.kind !== 'graded slab') return UNREAD
  const onCard = lines.filter((line) => !isOnLabel(line))
  const onLabel = context.kind === 'graded slab' ? lines.filter(isOnLabel).filter(isLegible) : []
  const sureOnLabel = onLabel.filter(({ confidence }) => confidence >= limits.labelMin)
  const parsed = onCard
    .filter((line) => isLegible(line) && mayHaveNumber(line))
    .flatMap((line) => parseLine(line, context.quality, shapes, limits) ?? [])
  const own = bestNumber(parsed)
  const printed =
    own?.number ?? parseLabelNumber(onLabel.filter(isLargeEnough), shapes, limits.numberMin)
  const number = resolveLookalikes(printed, shapes, isNumber)
  const set = own?.set || soleValue(parsed.flatMap(codeWithoutNumber))
  const name =
    readCardName(onCard, number, nameLimits(limits.nameMin, limits), namesakes) ||
    parseLabelName(onLabel, nameLimits(limits.labelMin, limits), namesakes)
  return {
    ...UNREAD,
    name,
    number,
    set,
    language: findLanguage(onCard, parsed),
    finish: detectFinish(context),
    // finish.ts decides on the absence of a stamp, after the candidates are known.
    stamp:
      findStamps(
        onCard.filter((line) => isLegible(line) && line.confidence >= limits.stampMin),
        sureOnLabel,
      ) || 'unclear',
    grade: parseGrade(
      onLabel,
      { withWords: limits.gradeMin, alone: limits.labelMin },
      (text) => namesakes(text).length > 0,
    ),
    readable: { name: name !== '', number: number !== '', set: set !== '' },
  }
}

function isLegible({ legibility, script }: PrintedLine): boolean {
  return legibility >= LEGIBLE_MIN && script === 'latin'
}

/** A name that the catalog lists needs less confidence than another one. */
function nameLimits(other: number, { nameLikelyMin: listed }: ReadingLimits): NameLimits {
  return { listed: Math.min(listed, other), other }
}

/** Minimum height of a line with a number, in pixels: below it, even confident readings are wrong. */
const NUMBER_PX_MIN = 11

function isLargeEnough({ heightPx }: PrintedLine): boolean {
  return heightPx >= NUMBER_PX_MIN
}

/** Returns true if a line is large enough, and stands where numbers stand, consists of little else, or ends with "#10". */
function mayHaveNumber(line: PrintedLine): boolean {
  return isLargeEnough(line) && (isPlaced(line) || isShort(line) || NUMBER_BEHIND.test(line.text))
}

/** Returns true if a line has the kind of lines with numbers, or is in the footer. */
function isPlaced(line: PrintedLine): boolean {
  return line.kind === 'number' || isAtFoot(line)
}

/** Maximum number of words of a line with a number between other lines. */
const WORDS_MAX = 3

/** Returns true if a line has few words and no lower case, unlike rules. */
function isShort({ text }: PrintedLine): boolean {
  return text.trim().split(/\s+/).length <= WORDS_MAX && !/\p{Ll}{2}/u.test(text)
}

/** Maximum height of collector lines; power and toughness, hit points and costs are larger. */
const COLLECTOR_MM_MAX = 3.6

/** Two small numbers alone, which are power and toughness unless the line has the kind of a collector line. */
const POWER = /^\W*[0-9]{1,2}\/[0-9]{1,2}\W*$/

/** Returns true if a line has the place and size of a collector line, where digits alone are a number. */
function isCollectorLine(line: PrintedLine, quality: PhotoQuality | undefined): boolean {
  if (line.kind === 'number') return true
  if (POWER.test(line.text)) return false
  return isAtFoot(line) && line.heightPx <= COLLECTOR_MM_MAX * (quality?.px_per_mm ?? 0)
}

// Numbers, set codes and languages

type ParsedLine = { line: PrintedLine; isCollectorLine: boolean; fields: CollectorLine }

/** Parses a line and keeps the fields whose part of the line was read with confidence. */
function parseLine(
  line: PrintedLine,
  quality: PhotoQuality | undefined,
  shapes: ReadonlySet<string>,
  limits: ReadingLimits,
): ParsedLine | undefined {
  const isCollector = isCollectorLine(line, quality)
  const fields = parseCollectorLine(line.text, isCollector, shapes)
  // Between other lines, a code without a number may be any word.
  if (fields === undefined || (fields.number === '' && !isPlaced(line))) return undefined
  const { number, set, language, languageCode } = fields
  const isSure = (part: string, least: number) =>
    part !== '' && spanConfidence(line.ctc, part) >= least
  const { numberMin } = THRESHOLDS.reading
  // A tentative number counts only where the catalog confirms it (confirm-print.ts).
  const isNumberSure =
    isSure(number, limits.numberMin) && (!fields.isTentative || limits.numberMin < numberMin)
  const isSetSure = isSure(set, limits.codeMin)
  const isLanguageSure = languageCode === '' ? isNumberSure : isSure(languageCode, limits.codeMin)
  return {
    line,
    isCollectorLine: isCollector,
    fields: {
      number: isNumberSure ? number : '',
      set: isSetSure ? set : '',
      language: isLanguageSure ? language : '',
      languageCode,
      isTentative: fields.isTentative ?? false,
    },
  }
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
  const numbers = lines.flatMap((line) => parseCollectorLine(line.text, true, shapes)?.number || [])
  return [...new Set(numbers)].slice(0, LIKELY_MAX).flatMap(lookalikes)
}

/** Ranks a number by the kind and the place of its line; 0 if it does not count. */
function rankNumber({ line, isCollectorLine, fields }: ParsedLine): number {
  const { number, isTentative = false } = fields
  if (number === '') return 0
  const isPlain = /^[0-9]+$/.test(number)
  // Digits alone are a number only on a collector line, or if they are announced.
  if (!isCollectorLine && isPlain && !isTentative) return 0
  return (line.kind === 'number' ? 4 : 0) + (isPlain ? 1 : 3) + (isAtEdge(line) ? 1 : 0)
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
    // Symbols alone, such as the stars of a cost, look foreign.
    .filter(({ legibility, text }) => legibility >= LEGIBLE_MIN && !/^[^\p{L}\p{N}]+$/u.test(text))
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

/** Returns the stamps. A stamp on a card is a separate line, while names and rules may contain the same words. */
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
