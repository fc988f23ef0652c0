// Decides by its label whether a card is in a slab.
import type { PhotoObservation } from '../photo-reading.ts'
import { isOnLabel, LEGIBLE_MIN, type PrintedLine } from '../text-line.ts'
import { parseGradeLine } from './grade.ts'

/** Minimum confidence of a text of a label. On 15 raw cards taken for slabs, patterns of the table reached 0.1. */
const CONFIDENCE_MIN = 0.3

/** A word, or the number of a certificate; a price sticker has neither. */
const LABEL_TEXT = /\p{L}{3}|[0-9]{6}/u

/**
 * Returns the observation with the kind `raw` if the card was taken for a slab, but nothing above it is the text of a
 * label: a border or a sleeve may look like a case. Without corners, no place is above the card.
 */
export function settleSlab<
  Observation extends Pick<PhotoObservation, 'kind' | 'lines' | 'quality'>,
>(observation: Observation): Observation {
  const { kind, lines, quality } = observation
  if (kind !== 'graded slab' || quality?.cornerConfidence === 0 || lines.some(isOfLabel)) {
    return observation
  }
  return { ...observation, kind: 'raw' }
}

function isOfLabel(line: PrintedLine): boolean {
  if (!isOnLabel(line) || line.legibility < LEGIBLE_MIN || line.confidence < CONFIDENCE_MIN)
    return false
  return LABEL_TEXT.test(line.text) || parseGradeLine(line, true) !== undefined
}
