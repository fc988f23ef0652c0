import type { Candidate, Reading } from '#client/endpoints.ts'
import { percentText } from '../format.ts'

/** One point on which a candidate was compared with the photo. */
export type MatchReason = {
  aspect: string
  agreement: 'yes' | 'partly' | 'no' | 'unknown'
  text: string
}

/** Why a candidate fits the photo or does not, point by point. */
export function matchReasons(
  { match, suggested_printing }: Candidate,
  { readable }: Reading,
): MatchReason[] {
  const fits: MatchReason[] = [
    { aspect: 'number', ...(NUMBER[match.number] ?? NUMBER_UNKNOWN) },
    { aspect: 'name', ...wordsFit('name', readable.name, match.name) },
    { aspect: 'set', ...wordsFit('set', readable.set, match.set) },
  ]
  const isByArt = fits.every(({ agreement }) => agreement === 'unknown')
  if (isByArt) fits.splice(0, fits.length, BY_ART)
  if (!match.edition) fits.push({ aspect: 'edition', agreement: 'no', text: EDITION })
  if (suggested_printing !== null) {
    const words = `The photo points to the printing ${suggested_printing}`
    fits.push({ aspect: 'printing', agreement: 'yes', text: words })
  }
  return fits
}

const BY_ART: MatchReason = {
  aspect: 'art',
  agreement: 'unknown',
  text: 'By its art alone: nothing printed on it could be read to compare',
}

const NUMBER_UNKNOWN: Omit<MatchReason, 'aspect'> = {
  agreement: 'unknown',
  text: 'Number not compared',
}

const NUMBER: Readonly<Record<string, Omit<MatchReason, 'aspect'>>> = {
  exact: { agreement: 'yes', text: 'Same number' },
  partial: {
    agreement: 'partly',
    text: 'Same number, but only one of both has the total of the set',
  },
  unknown: NUMBER_UNKNOWN,
}

const EDITION =
  'Edition differs: the title names a stamp that the photo does not show, or the reverse'

/** @param agreeing share of the words */
function wordsFit(of: string, isRead: boolean, agreeing: number): Omit<MatchReason, 'aspect'> {
  if (!isRead) return { agreement: 'unknown', text: `No ${of} could be read to compare` }
  if (agreeing >= 1) return { agreement: 'yes', text: `Same ${of}` }
  if (agreeing > 0) {
    return { agreement: 'partly', text: `${percentText(agreeing)} of the words of the ${of} agree` }
  }
  return { agreement: 'no', text: `Another ${of} was read` }
}
