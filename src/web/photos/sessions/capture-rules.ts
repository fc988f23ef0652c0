import { type FramedCard, findFramedCard, similarityTo } from './framed-card.ts'
import { frameDifference, type GrayFrame } from './gray-frame.ts'

/** A moment of the camera. */
export type CameraView = {
  /** In milliseconds. */
  at: number
  /** The part of the picture on the screen. */
  scene: GrayFrame
  /** Sharpness of the middle, at the size in which a card is sent. */
  sharpness: number
}

/** Advice to the person with the camera; `capture` is given once for each card. */
export type CaptureAdvice = 'show' | 'hold' | 'focus' | 'capture' | 'next'

/** State that is carried from one moment of the camera to the next. */
export type CaptureRecord = {
  last: CameraView | undefined
  /** Time since which the picture has been still; undefined in motion. */
  stillSince: number | undefined
  /** The card that was captured last. */
  captured: FramedCard | undefined
  /** True if the place of this card has been empty since then. */
  isGone: boolean
}

/** Maximum difference of two moments without motion, in shades: a hand that holds a phone trembles. */
const STILL_MAX = 3.5

/** Duration of stillness before a capture, in milliseconds. */
const STILL_MS = 250

/** Time for which the place must be empty before the same card counts again, in milliseconds. */
const GONE_MS = 400

/** Minimum sharpness at which the small print is readable. */
const SHARPNESS_MIN = 0.3

/**
 * Duration of stillness after which a camera has focused as well as it can, in milliseconds. Of 60 sharp cards, four with
 * large shapes and little print had a sharpness of 0.293 to 0.3.
 */
const PATIENCE_MS = 1_000

/**
 * Minimum similarity of two pictures of one card: 98 of 100 real cards reach 0.83 after being moved, and other cards
 * reach at most 0.74.
 */
const SAME_MIN = 0.82

/** Maximum similarity of a place without the card. It is higher if only a hand or a reflection covers the card. */
const GONE_MAX = 0.4

export function startCaptureRecord(): CaptureRecord {
  return { last: undefined, stillSince: undefined, captured: undefined, isGone: false }
}

/**
 * Decides whether the camera sees a card that is to be captured: a card that lies still, is sharp, and was not the
 * last one captured. The same card counts again only after its place was empty.
 */
export function adviseCapture(
  record: CaptureRecord,
  view: CameraView,
): { record: CaptureRecord; advice: CaptureAdvice } {
  const next = { ...record, last: view, stillSince: stillSince(record, view) }
  const stillMs = next.stillSince === undefined ? 0 : view.at - next.stillSince
  const card = findFramedCard(view.scene)
  if (card === undefined) {
    const isGone = record.isGone || (stillMs >= GONE_MS && isEmpty(record, view.scene))
    return { record: { ...next, isGone }, advice: isGone || !record.captured ? 'show' : 'next' }
  }
  if (!record.isGone && showsCapturedCard(record, view.scene, card))
    return { record: next, advice: 'next' }
  if (stillMs < STILL_MS) return { record: next, advice: 'hold' }
  if (view.sharpness < SHARPNESS_MIN && stillMs < PATIENCE_MS)
    return { record: next, advice: 'focus' }
  return { record: { ...next, captured: card, isGone: false }, advice: 'capture' }
}

/** Records a capture by hand, so that the card is not captured once more. */
export function recordCapture(record: CaptureRecord): CaptureRecord {
  const card = record.last && findFramedCard(record.last.scene)
  return { ...record, captured: card ?? record.captured, isGone: false }
}

function stillSince({ last, stillSince }: CaptureRecord, { scene }: CameraView) {
  if (last === undefined || frameDifference(last.scene, scene) > STILL_MAX) return undefined
  return stillSince ?? last.at
}

function isEmpty({ captured }: CaptureRecord, scene: GrayFrame): boolean {
  return captured !== undefined && similarityTo(captured, scene) <= GONE_MAX
}

/** Returns true if the scene shows the captured card at its previous place, or at the place of the card in view. */
function showsCapturedCard(
  { captured }: CaptureRecord,
  scene: GrayFrame,
  { box }: FramedCard,
): boolean {
  if (captured === undefined) return false
  const isAt = (near: FramedCard['box']) =>
    similarityTo(captured, scene, { near, enough: SAME_MIN }) >= SAME_MIN
  return isAt(captured.box) || isAt(box)
}
