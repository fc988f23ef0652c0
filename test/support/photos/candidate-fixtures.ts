// Cards and readings for the tests of the verdict: each says only what its test is about.
import type { CandidateCard } from '#rules/photos/candidate-card.ts'
import { type PhotoQuality, type PhotoReading, UNREAD } from '#rules/photos/photo-reading.ts'
import type { CtcOutput, PrintedLine } from '#rules/photos/text-line.ts'

/** A card like no other: a name, a number and an art of its own. */
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

/** A good photo of one card. */
export function photoReading(facts: Partial<PhotoReading> = {}): PhotoReading {
  const seen = { kind: 'raw', items: 1, quality: GOOD_QUALITY, finish: undefined } as const
  return { ...seen, print: UNREAD, lines: [], neighbors: [], ...facts }
}

/** A line that was read surely, as a name unless it says otherwise. */
export function printedLine(text: string, facts: Partial<PrintedLine> = {}): PrintedLine {
  const box = { left: 0.1, top: 0.05, right: 0.6, bottom: 0.09 }
  const read = { text, confidence: 0.99, legibility: 0.99, script: 'latin', kind: 'name' } as const
  return { ...read, box, heightPx: 24, ctc: recognizedLetters(text), ...facts }
}

const ALPHABET = ['', ...' 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz/-']

/** What a recogniser says of a line of this text; the less sure, the more all letters are alike. */
export function recognizedLetters(text: string, sure = 0.95): CtcOutput {
  const rest = (1 - sure) / ALPHABET.length
  const step = (letter: string) => ALPHABET.map((one) => Math.log(one === letter ? sure : rest))
  const logs = [...text].flatMap((letter) => [...step(letter), ...step('')])
  return { alphabet: ALPHABET, logProbabilities: Float32Array.from(logs) }
}
