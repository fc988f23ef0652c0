import type { ScanUsage } from '#client/endpoints.ts'
import * as texts from '#texts/photos/picture-note.ts'
import { clockText } from '../clock-text.ts'
import { count, dateTimeText } from '../format.ts'

/** Returns the texts of the note; undefined if none is needed. */
export function pictureNote(
  pictures: ScanUsage['pictures'] | undefined,
): { title: string; text: string } | undefined {
  if (pictures === undefined) return undefined
  const { indexed, cards, waiting, is_enabled, ready_at } = pictures
  const isGrowing = waiting > WAITING_SHARE * cards
  if (!isGrowing && indexed >= INDEXED_SHARE * cards) return undefined
  const state = isGrowing ? IN_BACKGROUND : TRIED
  const progress = { indexed: count(indexed), cards: count(cards) }
  return {
    title:
      isGrowing && ready_at !== null
        ? texts.indexedOfReady({ ...progress, ready: aboutText(new Date(ready_at)) })
        : texts.indexedOf(progress),
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
    ? texts.atAbout(clockText(time.toISOString()))
    : texts.about(dateTimeText(time.toISOString()))
}

const PRINT_ONLY = texts.withoutItsPictureACard
const IN_BACKGROUND = texts.serverIndexesThem
const TRIED = texts.mostOfTheOthers
const OFF = texts.operatorHasTurnedTheirIndex
