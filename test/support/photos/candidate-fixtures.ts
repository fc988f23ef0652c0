// Cards and readings with defaults, for tests of the verdict.
import type { CandidateCard } from '#rules/photos/candidate-card.ts'
import {
  type PhotoQuality,
  type PhotoReading,
  type PrintReading,
  UNREAD,
} from '#rules/photos/photo-reading.ts'
import type { CtcOutput, PrintedLine } from '#rules/photos/text-line.ts'

/** Creates a card with a unique name, number and art. */
export function candidateCard(id: number, facts: Partial<CandidateCard> = {}): CandidateCard {
  const name = facts.name ?? `Card ${id}`
  return {
    id,
    name,
    clean_name: name,
    number: `${id}/200`,
    rarity: 'Common',
    product_type: 'Cards',
    image_url: null,
    set: { id: 1, name: 'Lantern Season', code: 'LTS' },
    release_date: '2026-01-01',
    game: { id: 9001, slug: 'wickerwild', name: 'Wickerwild' },
    printings: ['Normal'],
    art_group: id,
    ...facts,
  }
}

export const GOOD_QUALITY: PhotoQuality = {
  px_per_mm: 9,
  blur_mm: 0.2,
  glare: 0,
  brightness: 130,
  is_cut_off: false,
  cornerConfidence: 0.97,
}

/** Creates the reading of a good photo of one card. */
export function photoReading(facts: Partial<PhotoReading> = {}): PhotoReading {
  const sent = { photo: { width: 1536, height: 2048 }, isMirrored: false }
  const observed = { kind: 'raw', items: 1, quality: GOOD_QUALITY, finish: undefined } as const
  return { ...sent, ...observed, print: UNREAD, lines: [], neighbors: [], ...facts }
}

/** Creates a confident line, by default a name. */
export function printedLine(text: string, facts: Partial<PrintedLine> = {}): PrintedLine {
  const box = { left: 0.1, top: 0.05, right: 0.6, bottom: 0.09 }
  const ctc = recognizedLine(text, facts.confidence ?? 0.99)
  const read = { text, confidence: 0.99, legibility: 0.99, script: 'latin', kind: 'name' } as const
  return { ...read, box, heightPx: 24, ctc, ...facts }
}

const ALPHABET = ['', ...' 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz/-']

/** Creates the recognizer's output for a text between two margins, with this probability per step. */
export function recognizedText(text: string, probability = 0.95): CtcOutput {
  const alphabet = [...new Set([...ALPHABET, ...text])]
  const rest = (1 - probability) / alphabet.length
  const step = (letter: string) =>
    alphabet.map((one) => Math.log(one === letter ? probability : rest))
  const logs = [...step(''), ...[...text].flatMap((letter) => [...step(letter), ...step('')])]
  return { alphabet, logProbabilities: Float32Array.from(logs) }
}

/** Creates the output for a text with about this total probability. */
export function recognizedLine(text: string, confidence: number): CtcOutput {
  const steps = 2 * text.length + 1
  return recognizedText(text, confidence ** (1 / steps))
}

/** Creates a line of low confidence, whose letters have this probability. */
export function unsureLine(
  text: string,
  facts: Partial<PrintedLine> = {},
  probability = 0.7,
): PrintedLine {
  return printedLine(text, { confidence: 0.4, ctc: recognizedText(text, probability), ...facts })
}

/** Creates the reading of some fields; the others could not be read. */
export function printOf(
  read: Partial<Pick<PrintReading, 'name' | 'number' | 'set' | 'language'>>,
): PrintReading {
  const { name = '', number = '', set = '' } = read
  const readable = { name: name !== '', number: number !== '', set: set !== '' }
  return { ...UNREAD, ...read, readable }
}
