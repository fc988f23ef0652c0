// A line of print as the reader's networks see it; what it means, rules/photos/read-fields.ts says.

export const SCRIPTS = ['latin', 'japanese', 'korean', 'chinese', 'cyrillic'] as const
export type Script = (typeof SCRIPTS)[number]

/** What a line looks like before it is read: by its place, its size and its form. */
export const LINE_KINDS = ['name', 'number', 'other'] as const
export type LineKind = (typeof LINE_KINDS)[number]

export type PrintedLine = {
  /** The likeliest letters, read freely; empty where nothing was. */
  text: string
  /** How likely these letters are to be all that the line says, 0 to 1. */
  confidence: number
  /** Whether anybody could read it, 0 to 1. */
  legibility: number
  script: Script
  kind: LineKind
  /**
   * In shares of the card's width and height, from its top left corner. The label of a slab stands
   * above its card: there, top and bottom are below zero.
   */
  box: { left: number; top: number; right: number; bottom: number }
  /** Of its letters from their top to the hanging ones' bottom, in pixels of the photo. */
  heightPx: number
  /** How likely every other text is. */
  ctc: CtcOutput
}

/** What a recogniser says at each step along a line (CTC). */
export type CtcOutput = {
  /** The character of each class; class 0, the blank, is the empty text. */
  alphabet: readonly string[]
  /** Natural logarithms of probabilities: one for each class, step after step. */
  logProbabilities: Float32Array
}

/** A line that nobody could read says nothing, however sure its letters are. */
export const LEGIBLE_MIN = 0.5

/** Where most games have the name, and where they have the number, in shares of the card's height. */
export const HEAD_BOTTOM = 0.14
const FOOT_TOP = 0.82

/** Small print at the head and at the foot of a card names it; what stands between are its rules. */
export function isAtEdge({ box }: Pick<PrintedLine, 'box'>): boolean {
  return box.top >= FOOT_TOP || box.bottom <= HEAD_BOTTOM
}

/** The one thing that all say; empty where they disagree or say nothing. */
export function soleValue(all: readonly string[]): string {
  const [one = '', ...others] = new Set(all)
  return others.length === 0 ? one : ''
}
