// Ranks lines by position and size, before they are read: reading takes time, so the likeliest names and numbers come
// first.
import { HEAD_BOTTOM, isAtEdge, type LineKind, type PrintedLine } from '#rules/photos/text-line.ts'

export type PlacedLine = Pick<PrintedLine, 'box' | 'heightPx'> & {
  /** Confidence of the detector, 0 to 1. */
  score: number
  /** True for a line along a side of an upright card. */
  isSideways?: boolean
}

export type RankedLine = PlacedLine & {
  /** Position in the order of reading. */
  rank: number
  /** Read only while there is time: neither a likely name or number nor a title or at an edge. */
  isLesser: boolean
}

/**
 * Names and labels; small print of the footer; lines elsewhere that are short and alone, such as a number below the art;
 * other lines outside of paragraphs; the rest.
 */
const [NAME, FOOTER, SHORT, TITLE, REST] = [0, 1, 2, 3, 4]

/** Minimum ratio of width to height of a title; costs and power are shorter. */
const TITLE_LENGTH_MIN = 2.5
/** Maximum height of a collector line, as a share of the card's height. */
const SMALL_MAX = 0.045
/** Ratio of width to height of a number: three characters to a code with a language. */
const NUMBER_LENGTH = { min: 1.8, max: 12 }

/** Ranks lines. A name takes a quarter of the time, so it would not fit behind short lines. */
export function rankLines<Line extends PlacedLine>(lines: readonly Line[]): (Line & RankedLine)[] {
  const onCard = lines.filter((line) => !isAboveCard(line) && line.isSideways !== true)
  // The small print of a footer may have two short lines.
  const isApart = (line: Line) => isAtEdge(line) && aspectRatio(line) <= NUMBER_LENGTH.max
  const alone = onCard.filter((line) => isApart(line) || !isInParagraph(line, onCard))
  const names = likeliestNames(alone)
  const rankOf = (line: Line) => {
    if (names.has(line) || isAboveCard(line) || line.isSideways) return NAME
    if (!alone.includes(line)) return REST
    if (isInFooter(line)) return FOOTER
    return isShortPrint(line) ? SHORT : TITLE
  }
  return lines.map((line) => {
    const rank = rankOf(line)
    return { ...line, rank, isLesser: rank === REST }
  })
}

/** Ranks the lines of a card whose picture is certain. Drops titles that are no name, and rules. */
export function rankBriefly<Line extends PlacedLine>(
  lines: readonly Line[],
): (Line & RankedLine)[] {
  return rankLines(lines)
    .filter(({ rank }) => rank <= SHORT)
    .map((line) => ({ ...line, isLesser: line.rank === SHORT }))
}

/** Maximum distance of lines in a paragraph, in heights, and ratio of their heights. */
const [SPACING_MAX, GROWTH_MAX] = [1.35, 1.25]

/** Returns true if a line of the same size is close above or below: most likely rules. */
function isInParagraph(line: PlacedLine, lines: readonly PlacedLine[]): boolean {
  const { box } = line
  return lines.some((other) => {
    if (other === line) return false
    const growth =
      Math.max(heightOf(other), heightOf(line)) / Math.min(heightOf(other), heightOf(line))
    const apart = Math.abs(other.box.top + other.box.bottom - box.top - box.bottom) / 2
    const shared = Math.min(other.box.right, box.right) - Math.max(other.box.left, box.left)
    const isBelow = apart > heightOf(line) / 2 && apart < SPACING_MAX * heightOf(line)
    return isBelow && growth < GROWTH_MAX && shared > 0.5 * Math.min(widthOf(other), widthOf(line))
  })
}

/**
 * Returns the lines that are most likely the name: the widest and the tallest of the header, and the tallest and the
 * largest of all. The height counts twice, because notes below the art are long.
 */
function likeliestNames<Line extends PlacedLine>(lines: readonly Line[]): Set<Line> {
  const header = lines.filter(({ box }) => box.top < HEAD_BOTTOM)
  const titles = lines.filter((line) => aspectRatio(line) >= TITLE_LENGTH_MIN)
  return new Set([
    ...most(header, widthOf),
    ...most(
      titles.filter((line) => header.includes(line)),
      heightOf,
    ),
    ...most(titles, heightOf),
    ...most(titles, (line) => widthOf(line) * heightOf(line) ** 2),
  ])
}

/** Returns the line with the largest measure, if there is one. */
function most<Line>(lines: readonly Line[], measure: (line: Line) => number): Line[] {
  return lines.toSorted((one, other) => measure(other) - measure(one)).slice(0, 1)
}

/** Guesses the kind of a line that was read. The rules take it as evidence only. */
export function kindOf(text: string, line: RankedLine): LineKind {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (line.rank === NAME && letters >= 3 && 2 * letters >= text.length) return 'name'
  // Digits alone are a number only in the footer: elsewhere they are damage or power.
  const isNumber = isInFooter(line) ? /[0-9]/ : /^(?=.*[0-9])(?=.*[A-Z/-])\S+(?: \S+){0,2}$/
  return line.rank >= FOOTER && line.rank <= SHORT && isNumber.test(text) ? 'number' : 'other'
}

/** Returns true if a line is above the card, on the label of its slab. */
export function isAboveCard({ box }: PlacedLine): boolean {
  return box.top + box.bottom < 0
}

/** Returns true if a line is in the footer and as small as a collector line. */
function isInFooter(line: PlacedLine): boolean {
  return line.box.top > HEAD_BOTTOM && isAtEdge(line) && heightOf(line) <= SMALL_MAX
}

/** Returns true if a line has the size of a collector number, such as one below the art. */
function isShortPrint(line: PlacedLine): boolean {
  const length = aspectRatio(line)
  return heightOf(line) <= SMALL_MAX && length >= NUMBER_LENGTH.min && length <= NUMBER_LENGTH.max
}

function heightOf({ box }: PlacedLine): number {
  return box.bottom - box.top
}

function widthOf({ box }: PlacedLine): number {
  return box.right - box.left
}

/** Returns the approximate ratio of width to height. */
export function aspectRatio(line: PlacedLine): number {
  return widthOf(line) / heightOf(line)
}
