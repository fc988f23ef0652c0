// Reads the text of a card whose corners may be wrong or unknown.
import type { PrintedLine } from '#rules/photos/text-line.ts'
import type { CardObservation, TextDetail } from '../observation.ts'
import { isFound, type PictureMatch } from '../retrieval/match-pictures.ts'
import { freeMemory } from '../runtime/free-memory.ts'
import { countCharacters, readUpright } from './read-text.ts'

/** Other places that are read: each takes as long as reading a card. */
const PLACES_MAX = 2
/** Confident characters up to which a place has no text, and from which another one is the card. */
const [CHARACTERS_FEW, CHARACTERS_MIN] = [3, 12]

const NO_MATCH = { hits: [], neighbors: [] }

/**
 * Returns the card with its text. Corners that carry no text, and whose crop no picture resembles, are not believed: the
 * first other place with text is the card, otherwise the whole photo if it has text. So it is if no card was found; text
 * alone makes no card then.
 *
 * @param detail of a card that was found
 */
export function readBelieved<Card extends CardObservation>(
  { card, hits, neighbors }: Pick<PictureMatch, 'hits' | 'neighbors'> & { card: Card },
  detail: TextDetail,
): ReadCard | { card: Card; lines: PrintedLine[] } {
  const lines = readUpright(card, { hits, neighbors }, detail)
  const isBelieved = isFound(neighbors) || countCharacters(lines) > CHARACTERS_FEW
  // A back has no orientations, but a kind.
  if (isBelieved || (card.orientations === 0 && card.kind !== undefined)) return { card, lines }
  return readElsewhere(card) ?? readWholePhoto(card) ?? { card, lines }
}

type ReadCard = { card: CardObservation; lines: PrintedLine[] }

function readElsewhere(card: CardObservation): ReadCard | undefined {
  let places = 0
  for (const other of card.elsewhere?.() ?? []) {
    // The words of backs and boxes name no card.
    if (other.kind === 'back' || other.kind === 'sealed') continue
    freeMemory()
    const text = readUpright(other, NO_MATCH)
    if (countCharacters(text) >= CHARACTERS_MIN) {
      const found = card.kind === undefined ? { ...other, kind: undefined, items: 0 } : other
      return { card: found, lines: text }
    }
    if (++places === PLACES_MAX) break
  }
  return undefined
}

function readWholePhoto(card: CardObservation): ReadCard | undefined {
  const whole = card.whole?.()
  if (whole === undefined) return undefined
  freeMemory()
  const lines = readUpright(whole, NO_MATCH)
  return countCharacters(lines) >= CHARACTERS_MIN ? { card: whole, lines } : undefined
}
