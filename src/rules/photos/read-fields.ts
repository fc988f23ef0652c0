// What the printed lines of a card or a slab say, as far as they were surely read: a wrong number
// drops the right card, and one that was not read drops none.
import { numberKey } from '../catalog/names.ts'
import { detectFinish, isUnstamped } from './finish.ts'
import { type CollectorLine, parseCollectorLine } from './parse-collector-line.ts'
import { type PhotoQuality, type PhotoReading, type PrintReading, UNREAD } from './photo-reading.ts'
import { readCardName } from './read-title.ts'
import { parseGrade, parseLabelName, parseLabelNumber } from './slab-label.ts'
import { isAtEdge, LEGIBLE_MIN, type PrintedLine, type Script, soleValue } from './text-line.ts'
import { THRESHOLDS } from './thresholds.ts'

/**
 * How sure a line must be that decides: numbers, codes, marks and grades. Of 12,000 rendered number lines
 * in unseen fonts 1,931 are as sure, and 2 of those are wrong; from here on the share of wrong ones is below
 * 0.5 % (Learn-then-Test at 5 %, scripts/training/calibrate_reading.py).
 */
const SURE_MIN = 0.97
/** For the lines of a grade, where the number and its words say the same. */
const LIKELY_MIN = 0.75

/** Numbers are up to this high; power and toughness, hit points and costs are larger. */
const NUMBER_MM_MAX = 3
/** What ends above this is on the label of a slab. */
const LABEL_BOTTOM_MAX = 0.02

type Seen = Pick<PhotoReading, 'kind' | 'quality' | 'finish'>

/**
 * What can be said of a card's print; empty, and for stamps `unclear`, where it cannot be told.
 *
 * @param shapes those that the catalog's numbers have, beside the ones that games are known for
 */
export function readFields(
  lines: readonly PrintedLine[],
  seen: Seen,
  shapes: ReadonlySet<string>,
): PrintReading {
  // Backs and boxes have print, too, but none that is a card's.
  if (seen.kind !== 'raw' && seen.kind !== 'graded slab') return UNREAD
  const onCard = lines.filter((line) => !isOnLabel(line))
  const onLabel = seen.kind === 'graded slab' ? lines.filter(isOnLabel) : []
  const label = onLabel.filter((line) => isSure(line))
  const likely = onLabel.filter((line) => isSure(line, LIKELY_MIN))
  const marks = onCard
    .filter((line) => isSure(line) && isSmallPrint(line, seen.quality))
    .flatMap((line) => markOf(line, shapes) ?? [])
  const own = numberIn(marks)
  const number = own?.number ?? (isDense(seen.quality) ? parseLabelNumber(label, shapes) : '')
  const set = own?.set || soleValue(marks.flatMap(codeAlone))
  const name = readCardName(onCard) || parseLabelName(label)
  return {
    ...UNREAD,
    name,
    number,
    set,
    language: languageOf(onCard, marks),
    finish: detectFinish(seen),
    // Words decide: they say which stamp it is, and are too small for its look.
    stamp:
      stampIn(
        onCard.filter((line) => isSure(line)),
        label,
      ) || (isUnstamped(seen) ? null : 'unclear'),
    grade: parseGrade(label, false) || parseGrade(likely, true),
    readable: { name: name !== '', number: number !== '', set: set !== '' },
  }
}

function isOnLabel({ box }: PrintedLine): boolean {
  return box.bottom <= LABEL_BOTTOM_MAX
}

function isSure({ confidence, legibility, script }: PrintedLine, sureMin = SURE_MIN): boolean {
  return confidence >= sureMin && legibility >= LEGIBLE_MIN && script === 'latin'
}

/** Print like a number's, and not that of rules. */
function isSmallPrint(line: PrintedLine, quality: PhotoQuality | undefined): boolean {
  const isPlaced =
    line.kind === 'number' || (line.kind === 'other' && (isAtEdge(line) || isAlone(line)))
  return isPlaced && isDense(quality) && line.heightPx / quality.px_per_mm <= NUMBER_MM_MAX
}

/** The photo shows enough of small print: below that, even sure readings err. */
function isDense(quality: PhotoQuality | undefined): quality is PhotoQuality {
  return quality !== undefined && quality.px_per_mm >= THRESHOLDS.quality.pxPerMmMin
}

/** One word with a number's separators in it: rules have none, but numbers stand under pictures, too. */
function isAlone({ text }: PrintedLine): boolean {
  return /^[^\s]*[0-9A-Z][-/][0-9A-Z][^\s]*$/.test(text)
}

// Numbers, and what stands with them

/** A line and what it says. */
type Marked = { line: PrintedLine; mark: CollectorLine }

function markOf(line: PrintedLine, shapes: ReadonlySet<string>): Marked | undefined {
  const collectorLine = parseCollectorLine(line.text, line.kind === 'number', shapes)
  return collectorLine && { line, mark: collectorLine }
}

/** The number that stands out. Two different ones that are equally good are none. */
function numberIn(marks: readonly Marked[]): CollectorLine | undefined {
  const found = marks.map((marked) => ({ ...marked, rank: rankOf(marked) }))
  const most = Math.max(1, ...found.map(({ rank }) => rank))
  const best = found.filter(({ rank }) => rank === most).map(({ mark }) => mark)
  const keys = new Set(best.map(({ number }) => numberKey(number)))
  return keys.size === 1 ? (best.find(({ set }) => set !== '') ?? best[0]) : undefined
}

/** The code of a line without a number: that of another number is another card's. */
function codeAlone({ mark }: Marked): string | [] {
  return mark.number === '' ? mark.set : []
}

/** More lines than this with the form of a number are rules'. */
const LIKELY_MAX = 4

/** What has the form of a number, whoever would swear to it: good for looking cards up. */
export function likelyNumbers(
  lines: readonly PrintedLine[],
  shapes: ReadonlySet<string>,
): string[] {
  const numbers = lines.flatMap((line) =>
    line.kind === 'name' ? [] : parseCollectorLine(line.text, true, shapes)?.number || [],
  )
  return [...new Set(numbers)].slice(0, LIKELY_MAX)
}

/** How good a number is by where it stands; 0 for none that counts. */
function rankOf({ line, mark: { number } }: Marked): number {
  if (number === '') return 0
  // A plain one is a number only where a number is looked for.
  const isPlain = /^[0-9]+$/.test(number)
  if (line.kind !== 'number') return isPlain ? 0 : isAtEdge(line) ? 2 : 1
  return 3 + (isPlain ? 0 : 2) + (isAtEdge(line) ? 1 : 0)
}

// Languages

/** So many lines of a script make a language; one foreign word does not. */
const SCRIPT_LINES_MIN = 3

const LANGUAGE_OF_SCRIPT: Record<Exclude<Script, 'latin'>, string> = {
  japanese: 'Japanese',
  korean: 'Korean',
  chinese: 'Chinese',
  cyrillic: 'Russian',
}

function languageOf(lines: readonly PrintedLine[], marks: readonly Marked[]): string {
  const marked = marks.flatMap(({ mark }) => mark.language || [])
  const scripts = lines
    .filter(({ legibility }) => legibility >= LEGIBLE_MIN)
    .flatMap(({ script }) => (script === 'latin' ? [] : LANGUAGE_OF_SCRIPT[script]))
  return soleValue([...marked, ...(mainOf(scripts) ?? [])])
}

/** The language of nearly all lines in other scripts than Latin, where there are enough. */
function mainOf(languages: readonly string[]): string[] | undefined {
  const counts = Map.groupBy(languages, (language) => language)
  const main = [...counts.values()].find((same) => 4 * same.length >= 3 * languages.length)
  return main !== undefined && main.length >= SCRIPT_LINES_MIN ? main : undefined
}

// Stamps

/** Marks of an edition, as the words by which titles and printings are told apart (print-match.ts). */
const STAMPS: readonly [name: string, words: string][] = [
  ['1st Edition', String.raw`(?:1st|first)\s+ed(?:ition|\.)|edition\s+1|1\s+edition`],
  ['Limited Edition', String.raw`limited\s+edition`],
  ['Prerelease', String.raw`pre-?\s?release`],
  ['Staff', 'staff'],
]

/** On a card, a stamp is a line of nothing else: the word is also in names and in rules. */
function stampIn(onCard: readonly PrintedLine[], label: readonly PrintedLine[]): string {
  const seen = STAMPS.filter(([, words]) => {
    const alone = new RegExp(`^\\W*(?:${words})\\W*$`, 'i')
    const within = new RegExp(`(?:^|\\s)(?:${words})(?=\\s|$)`, 'i')
    return (
      onCard.some(({ kind, text }) => kind === 'other' && alone.test(text)) ||
      label.some(({ kind, text }) => kind !== 'name' && within.test(text))
    )
  })
  return seen.map(([name]) => name).join(' ')
}
