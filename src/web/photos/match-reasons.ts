import type { Candidate, Identification, Reading } from '#client/endpoints.ts'
import * as texts from '#texts/photos/match-reasons.ts'
import { locale } from '../format.ts'

const percent = new Intl.NumberFormat(locale, { style: 'percent' })

/**
 * Returns true if the scores help a person: beside a match, and to choose among several cards. Without a match, a
 * score beside a single card would suggest a certainty that the result does not have.
 */
export function showsScores({
  status,
  candidates,
}: Pick<Identification, 'status' | 'candidates'>): boolean {
  return status === 'matched' || (status === 'ambiguous' && candidates.length > 1)
}

/** Formats a score. A candidate that is listed is never impossible, as "0 %" would say. */
export function scoreText(score: number): string {
  return score < 0.01 ? texts.under(percent.format(0.01)) : percent.format(score)
}

/** Returns true for a photo of several cards that was read as one of a single card. */
export function showsMoreCards({ status, read }: Pick<Identification, 'status' | 'read'>): boolean {
  return status !== 'matched' && read.cards > 1
}

/** Message for such a photo on a page with a button. The API's own names the endpoint. */
export const SEVERAL_CARDS = texts.photoShowsSeveralCardsRead

/** Minimum score of a likely candidate, and minimum ratio to the score of the next one. */
const LIKELY = { scoreMin: 0.8, leadMin: 10 }

/**
 * Returns the candidate that a person most probably confirms: scores are probabilities, which include the case that the
 * photo shows another card. Photos that should be taken again suggest nothing.
 */
export function likelyCandidate({
  status,
  candidates: [best, next],
}: Pick<Identification, 'status' | 'candidates'>): Candidate | undefined {
  if (status !== 'ambiguous' || best === undefined || !best.match.edition) return undefined
  const hasLead = best.score >= LIKELY.leadMin * (next?.score ?? 0)
  return best.score >= LIKELY.scoreMin && hasLead ? best : undefined
}

/** Comparison of one aspect of a candidate with the photo. */
export type MatchReason = {
  aspect: string
  agreement: 'yes' | 'partly' | 'no' | 'unknown'
  text: string
}

/** Lists the aspects on which a candidate and the photo agree or differ. */
export function matchReasons(
  { match, suggested_printing }: Candidate,
  { readable }: Reading,
): MatchReason[] {
  const reasons: MatchReason[] = [
    { aspect: 'number', ...(NUMBER[match.number] ?? NUMBER_UNKNOWN) },
    { aspect: 'name', ...textAgreement(NAME, readable.name, match.name) },
    { aspect: 'set', ...textAgreement(SET, readable.set, match.set) },
  ]
  const isUnread = reasons.every(({ agreement }) => agreement === 'unknown')
  if (isUnread) reasons.splice(0, reasons.length, UNREAD)
  if (match.reference) reasons.unshift(REFERENCE)
  if (!match.edition) reasons.push({ aspect: 'edition', agreement: 'no', text: EDITION })
  if (suggested_printing !== null) {
    const text = texts.suggestedPrinting(suggested_printing)
    reasons.push({ aspect: 'printing', agreement: 'yes', text })
  }
  return reasons
}

/**
 * The reason for a candidate whose name and number were not read: cards may be found by their art, or by letters that
 * were too uncertain to report.
 */
const UNREAD: MatchReason = {
  aspect: 'art',
  agreement: 'unknown',
  text: texts.printedTextCouldNotBeRead,
}

/** Says that a card without a picture was found by a photo of somebody who said what card it is. */
export const FROM_REFERENCE = texts.recognizedFromAConfirmed

const REFERENCE: MatchReason = {
  aspect: 'reference',
  agreement: 'yes',
  text: FROM_REFERENCE,
}

const NUMBER_UNKNOWN: Omit<MatchReason, 'aspect'> = {
  agreement: 'unknown',
  text: texts.numberNotCompared,
}

const NUMBER: Readonly<Record<string, Omit<MatchReason, 'aspect'>>> = {
  exact: { agreement: 'yes', text: texts.sameNumber },
  partial: {
    agreement: 'partly',
    text: texts.sameNumberButOnlyOneSide,
  },
  unknown: NUMBER_UNKNOWN,
}

const EDITION = texts.editionStampDiffers

type AgreementTexts = {
  unread: string
  same: string
  part: (part: string) => string
  different: string
}

const NAME: AgreementTexts = {
  unread: texts.nameUnread,
  same: texts.sameName,
  part: texts.partOfName,
  different: texts.differentName,
}

const SET: AgreementTexts = {
  unread: texts.setUnread,
  same: texts.sameSet,
  part: texts.partOfSet,
  different: texts.differentSet,
}

/** @param agreeing share of the words */
function textAgreement(
  aspect: AgreementTexts,
  isRead: boolean,
  agreeing: number,
): Omit<MatchReason, 'aspect'> {
  if (!isRead) return { agreement: 'unknown', text: aspect.unread }
  if (agreeing >= 1) return { agreement: 'yes', text: aspect.same }
  if (agreeing > 0) return { agreement: 'partly', text: aspect.part(percent.format(agreeing)) }
  return { agreement: 'no', text: aspect.different }
}
