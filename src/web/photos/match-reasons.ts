import type { Candidate, Reading } from '#client/endpoints.ts'
import { percentText } from '../format.ts'

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
  const fits: MatchReason[] = [
    { aspect: 'number', ...(NUMBER[match.number] ?? NUMBER_UNKNOWN) },
    { aspect: 'name', ...wordsFit('name', readable.name, match.name) },
    { aspect: 'set', ...wordsFit('set', readable.set, match.set) },
  ]
  const isByArt = fits.every(({ agreement }) => agreement === 'unknown')
  if (isByArt) fits.splice(0, fits.length, BY_ART)
  if (!match.edition) fits.push({ aspect: 'edition', agreement: 'no', text: EDITION })
  if (suggested_printing !== null) {
    const words = `Suggested printing: ${suggested_printing}`
    fits.push({ aspect: 'printing', agreement: 'yes', text: words })
  }
  return fits
}

const BY_ART: MatchReason = {
  aspect: 'art',
  agreement: 'unknown',
  text: 'Matched by art only: the printed text could not be read',
}

const NUMBER_UNKNOWN: Omit<MatchReason, 'aspect'> = {
  agreement: 'unknown',
  text: 'Number not compared',
}

const NUMBER: Readonly<Record<string, Omit<MatchReason, 'aspect'>>> = {
  exact: { agreement: 'yes', text: 'Same number' },
  partial: {
    agreement: 'partly',
    text: 'Same number, but only one side has the set total',
  },
  unknown: NUMBER_UNKNOWN,
}

const EDITION = 'The edition stamp differs'

/** @param agreeing share of the words */
function wordsFit(of: string, isRead: boolean, agreeing: number): Omit<MatchReason, 'aspect'> {
  if (!isRead) return { agreement: 'unknown', text: `The ${of} could not be read` }
  if (agreeing >= 1) return { agreement: 'yes', text: `Same ${of}` }
  if (agreeing > 0) {
    return { agreement: 'partly', text: `${percentText(agreeing)} of the ${of} matches` }
  }
  return { agreement: 'no', text: `Different ${of}` }
}
