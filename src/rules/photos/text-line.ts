// Lines of text as returned by OCR. read-fields.ts interprets them.

/** `other` means everything that is not a line in one of the scripts: sideways or upside-down text, and art. */
export const SCRIPTS = ['latin', 'japanese', 'korean', 'chinese', 'cyrillic', 'other'] as const
export type Script = (typeof SCRIPTS)[number]

/** Kind of a line by position, size and shape, before it is read. */
export const LINE_KINDS = ['name', 'number', 'other'] as const
export type LineKind = (typeof LINE_KINDS)[number]

export type PrintedLine = {
  /** Greedy reading; empty if nothing was read. */
  text: string
  /** Probability of exactly this text, 0 to 1. */
  confidence: number
  /** Estimated legibility for a person, 0 to 1. */
  legibility: number
  script: Script
  kind: LineKind
  /**
   * In shares of the card's width and height, from its top left corner. The label of a slab is above the
   * card and has negative values.
   */
  box: { left: number; top: number; right: number; bottom: number }
  /** Height from ascender to descender, in pixels of the photo. */
  heightPx: number
  /** Class probabilities, to score other texts. */
  ctc: CtcOutput
}

/** Output of the recognizer at each step along a line (CTC). */
export type CtcOutput = {
  /** Character of each class; class 0, the blank, is an empty string. */
  alphabet: readonly string[]
  /** Natural logarithms, one per class, step by step. */
  logProbabilities: Float32Array
}

/** Minimum legibility. Below it, a reading is ignored even at high confidence. */
export const LEGIBLE_MIN = 0.5

/** Bottom of the header and top of the footer in most games, in shares of the card's height. */
export const HEAD_BOTTOM = 0.14
const FOOT_TOP = 0.82

/** Returns true if a line is in the header or the footer; most lines between them are rules text. */
export function isAtEdge({ box }: Pick<PrintedLine, 'box'>): boolean {
  return isAtFoot({ box }) || box.bottom <= HEAD_BOTTOM
}

/** Returns true if a line is in the footer. */
export function isAtFoot({ box }: Pick<PrintedLine, 'box'>): boolean {
  return box.top >= FOOT_TOP
}

/** Lines that end above this are on the label of a slab. */
const LABEL_BOTTOM_MAX = 0.02

/** Returns true if a line is on the label of a slab. */
export function isOnLabel({ box }: Pick<PrintedLine, 'box'>): boolean {
  return box.bottom <= LABEL_BOTTOM_MAX
}

/** Returns the value if all are equal; otherwise an empty string. */
export function soleValue(all: readonly string[]): string {
  const [one = '', ...others] = new Set(all)
  return others.length === 0 ? one : ''
}
