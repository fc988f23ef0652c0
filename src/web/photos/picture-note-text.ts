import type { ScanUsage } from '#client/endpoints.ts'
import { clockText, count, dateTimeText } from '../format.ts'

/** Returns the texts of the note; undefined if none is needed. */
export function pictureNote(
  pictures: ScanUsage['pictures'] | undefined,
): { title: string; text: string } | undefined {
  if (pictures === undefined) return undefined
  const { indexed, cards, waiting, is_enabled, ready_at } = pictures
  const isGrowing = waiting > WAITING_SHARE * cards
  if (!isGrowing && indexed >= INDEXED_SHARE * cards) return undefined
  const ready = !isGrowing || ready_at === null ? '' : `, ready ${aboutText(new Date(ready_at))}`
  const state = isGrowing ? IN_BACKGROUND : TRIED
  return {
    title: `Pictures: ${count(indexed)} of ${count(cards)} indexed${ready}`,
    text: `${PRINT_ONLY} ${is_enabled ? state : OFF}`,
  }
}

/** Share of pictures that may wait without a note: every sync adds some. */
const WAITING_SHARE = 0.05

/** Share of pictures below which few are indexed, however many were tried: hosts have placeholders, too. */
const INDEXED_SHARE = 0.5

/** Minutes to which an estimate is rounded up. */
const ROUND_MINUTES = 5

/** Formats an estimated time: "at about 18:05", or with its day if that is not today. */
function aboutText(estimate: Date): string {
  const step = ROUND_MINUTES * 60_000
  const time = new Date(Math.ceil(estimate.getTime() / step) * step)
  return time.toDateString() === new Date().toDateString()
    ? `at about ${clockText(time.toISOString())}`
    : `about ${dateTimeText(time.toISOString())}`
}

const PRINT_ONLY =
  'Without its picture, a card is found by its print: photograph it so that you can read its name and number.'
const IN_BACKGROUND =
  'The server indexes them in the background, sets that you scan and own first. If it cannot reach them, it tries again every hour.'
const TRIED =
  'Most of the others are placeholders, or could not be indexed yet. The server tries again in the background.'
const OFF = 'The operator has turned their index off (INDEX_PICTURES).'
