import type { Candidate, Reading } from '#client/endpoints.ts'
import { share } from '../format.ts'

/** One point on which a candidate was compared with the photo. */
export type Fit = { of: string; how: 'yes' | 'partly' | 'no' | 'unknown'; words: string }

/** Why a candidate fits the photo or does not, point by point. */
export function fitsOf({ match, suggested_printing }: Candidate, { readable }: Reading): Fit[] {
  const fits: Fit[] = [
    { of: 'number', ...(NUMBER[match.number] ?? NUMBER_UNKNOWN) },
    { of: 'name', ...wordsFit('name', readable.name, match.name) },
    { of: 'set', ...wordsFit('set', readable.set, match.set) },
  ]
  const isByArt = fits.every(({ how }) => how === 'unknown')
  if (isByArt) fits.splice(0, fits.length, BY_ART)
  if (!match.edition) fits.push({ of: 'edition', how: 'no', words: EDITION })
  if (suggested_printing !== null) {
    const words = `The photo points to the printing ${suggested_printing}`
    fits.push({ of: 'printing', how: 'yes', words })
  }
  return fits
}

const BY_ART: Fit = {
  of: 'art',
  how: 'unknown',
  words: 'By its art alone: nothing printed on it could be read to compare',
}

const NUMBER_UNKNOWN: Omit<Fit, 'of'> = { how: 'unknown', words: 'Number not compared' }

const NUMBER: Readonly<Record<string, Omit<Fit, 'of'>>> = {
  exact: { how: 'yes', words: 'Same number' },
  partial: { how: 'partly', words: 'Same number, but only one of both has the total of the set' },
  unknown: NUMBER_UNKNOWN,
}

const EDITION =
  'Edition differs: the title names a stamp that the photo does not show, or the reverse'

/** @param agreeing share of the words */
function wordsFit(of: string, isRead: boolean, agreeing: number): Omit<Fit, 'of'> {
  if (!isRead) return { how: 'unknown', words: `No ${of} could be read to compare` }
  if (agreeing >= 1) return { how: 'yes', words: `Same ${of}` }
  if (agreeing > 0) {
    return { how: 'partly', words: `${share(agreeing)} of the words of the ${of} agree` }
  }
  return { how: 'no', words: `Another ${of} was read` }
}
