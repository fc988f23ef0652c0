import Negotiator from 'negotiator'
import { matchesEtag } from './headers.ts'

export type Coding = 'zstd' | 'gzip'

/** Form of a body: compressed with a coding, or uncompressed. */
export type Form = Coding | 'identity'

/** Bodies up to this many bytes are sent uncompressed: headers and one packet have about this size. */
const PLAIN_BYTES_MAX = 1_024

/**
 * Lists the forms that a client accepts by its Accept-Encoding (RFC 9110, 12.5.3), best first. Equally acceptable
 * ones are in the server's order: zstd is smaller and faster than gzip. A client that sends no header, or accepts no
 * supported coding, gets the body uncompressed.
 */
export function acceptedForms(acceptEncoding: string | null): readonly Form[] {
  if (acceptEncoding === null) return PLAIN
  // Older clients send x-gzip (RFC 9110, 8.4.1.3).
  const header = acceptEncoding.toLowerCase().replaceAll('x-gzip', 'gzip')
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  const forms = negotiator.encodings(FORMS, { preferred: FORMS })
  return forms.length === 0 ? PLAIN : forms
}

const FORMS: readonly Form[] = ['zstd', 'gzip', 'identity']
const PLAIN: readonly Form[] = ['identity']

/** Returns the form in which a body of this size is sent. */
export function formOf(forms: readonly Form[], bytes: number): Form {
  const [best = 'identity'] = forms
  return bytes <= PLAIN_BYTES_MAX && forms.includes('identity') ? 'identity' : best
}

/** Returns the entity tag of a form: each has a different one, because its bytes differ (RFC 9110, 8.8.3.3). */
export function tagOfForm(tag: string, form: Form): string {
  return form === 'identity' ? tag : `${tag.slice(0, -1)}-${form}"`
}

/**
 * Returns the entity tag of the form that a client already has, if the client accepts that form now.
 *
 * @param tag entity tag of the uncompressed body
 */
export function findHeldTag({ headers }: Request, tag: string): string | undefined {
  const known = headers.get('if-none-match')
  if (known === null) return undefined
  const tags = acceptedForms(headers.get('accept-encoding')).map((form) => tagOfForm(tag, form))
  return tags.find((held) => matchesEtag(known, held))
}

/** Adds the headers that state the coding of a body. */
export function setCoding(headers: Headers, coding: Coding): void {
  headers.set('content-encoding', coding)
  const tag = headers.get('etag')
  if (tag !== null) headers.set('etag', tagOfForm(tag, coding))
}
