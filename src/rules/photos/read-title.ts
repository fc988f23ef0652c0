// Finds the name of a card among its lines.
import { spanConfidence } from './span-confidence.ts'
import { HEAD_BOTTOM, LEGIBLE_MIN, type PrintedLine } from './text-line.ts'

/** Texts in the header of cards above or beside the name. */
const HEADER =
  /^(?:basic|stage\s*[0-9]|trainer|supporter|item|stadium|energy|tool|pok[eé]mon(?:\s+tool)?|vmax|vstar|mega|event|leader|character|evolves from\b.*|put onto\b.*|[^\p{L}]*)$/iu

/** Returns the name; empty if it was not read with confidence. */
export function readCardName(lines: readonly PrintedLine[], confidenceMin: number): string {
  const title = titleLine(lines)
  if (title === undefined || title.legibility < LEGIBLE_MIN || title.script !== 'latin') return ''
  const name = cleanTitle(title.text)
  // Symbols within the name were removed, so it is found only in the whole line.
  const confidence = Math.max(title.confidence, spanConfidence(title.ctc, name))
  return confidence >= confidenceMin ? name : ''
}

/**
 * Returns the title line at any confidence. Otherwise, the name of an attack could be returned if the title is
 * blurred.
 */
function titleLine(lines: readonly PrintedLine[]): PrintedLine | undefined {
  const named = lines.filter(
    ({ kind, text }) => kind === 'name' && (text === '' || !HEADER.test(text)),
  )
  const atHead = named.filter(({ box }) => box.top < HEAD_BOTTOM)
  const [tallest, next] = (atHead.length > 0 ? atHead : named).toSorted(
    (one, other) => other.heightPx - one.heightPx,
  )
  if (tallest === undefined || next === undefined || next.heightPx < 0.85 * tallest.heightPx) {
    return tallest
  }
  if (atHead.length === 0) return undefined
  return next.box.top < tallest.box.top ? next : tallest
}

/** Removes hit points, level, stage and symbols. */
export function cleanTitle(text: string): string {
  const name = text
    .replace(/[™®©★☆•_=]/g, ' ')
    .replace(/\bHP\s*[0-9]{2,3}\b|\b[0-9]{2,3}\s*HP\b/, ' ')
    .replace(/\bL[Vv]\.?\s*[0-9]+/, ' ')
    .replace(/^\s*(?:BASIC|STAGE\s*[0-9])\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()
    // Hit points whose letters were too small to read.
    .replace(/(?<=\p{L}) (?:[3-9]0|[1-3][0-9]0)$/u, '')
    .replace(/^[^\p{L}\p{N}]+$|[\s:;*]+$/gu, '')
  return /\p{L}.*\p{L}/u.test(name) ? name : ''
}
