// Decides on foil by the look of a card, and on the absence of a stamp. Unlit foil does not shine, so the absence of
// foil is never reported.
import type { CandidateCard } from './candidate-card.ts'
import { createLineScorer } from './ctc.ts'
import { isGoodPhoto } from './photo-quality.ts'
import type { PhotoReading, PrintReading } from './photo-reading.ts'
import type { PrintedLine } from './text-line.ts'
import { THRESHOLDS } from './thresholds.ts'

const LIMITS = THRESHOLDS.finish

/** Returns `Foil` or an empty string. A photo without a shine does not prove that the card lacks foil. */
export function detectFinish({ finish }: Pick<PhotoReading, 'finish'>): PrintReading['finish'] {
  return finish !== undefined && finish.foilProbability >= LIMITS.foilMin ? 'Foil' : ''
}

/**
 * Decides which stamp the card has: the one that was read, null if the photo shows none, or `unclear`. Stamps without
 * words are not recognized. Therefore null also requires that no candidate in the catalog has a stamp, because
 * overlooking one would name the wrong card.
 *
 * @param candidates cards that the photo may show
 */
export function decideStamp(
  reading: Omit<PhotoReading, 'neighbors'>,
  candidates: readonly CandidateCard[],
): PrintReading['stamp'] {
  const { stamp } = reading.print
  if (stamp !== 'unclear' || candidates.length === 0) return stamp
  return isClear(reading) && !reading.lines.some(mayBeStamp) && !candidates.some(hasEditions)
    ? null
    : stamp
}

/** Returns true for a good photo of a single card face, in which nothing hides a stamp. */
function isClear({ kind, items, quality }: Omit<PhotoReading, 'neighbors'>): boolean {
  const isFace = kind === 'raw' || kind === 'graded slab'
  return isFace && items === 1 && quality !== undefined && isGoodPhoto(quality)
}

/** Words of stamps, in the spellings in which they are printed. */
const STAMP_WORDS = [
  'edition',
  'prerelease',
  'pre-release',
  'staff',
  'winner',
  'finalist',
  'champion',
  'judge',
  'league',
  'promo',
].flatMap((word) => [word, word.toUpperCase(), `${word.charAt(0).toUpperCase()}${word.slice(1)}`])

/** Longer lines are rules text. */
const STAMP_LENGTH_MAX = 24

/** Returns true if the letters of a line, at any confidence, may be the words of a stamp. */
function mayBeStamp({ kind, text, ctc }: PrintedLine): boolean {
  if (kind === 'name' || text === '' || text.length > STAMP_LENGTH_MAX) return false
  const scorer = createLineScorer(ctc)
  return STAMP_WORDS.some((word) => scorer.substringFit(word) >= LIMITS.stampFitMin)
}

/** Words in names, sets and printings of cards that exist both with and without a stamp. */
const EDITIONS =
  /\b(?:1st|first|(?:un)?limited)\s*(?:ed(?:ition|\.)|$)|\b(?:pre-?\s?release|staff|stamp(?:ed)?|promos?|winner|league|champion(?:ship)?s?|judge)\b/i

function hasEditions({ name, set, printings }: CandidateCard): boolean {
  return [name, set.name, ...printings].some((text) => EDITIONS.test(text))
}
