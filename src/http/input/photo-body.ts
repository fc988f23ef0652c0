import { detectPhotoFormat } from '#rules/photos/photo-format.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { isRecord } from '#rules/primitives/json-record.ts'
import { readFormFile } from './multipart.ts'
import { readRequestBody } from './read-body.ts'

/** What a request to identify a card carries: the photo, and the options beside it, as texts. */
export type PhotoBody = { photo: Uint8Array; options: [name: string, value: string][] }

/** The largest photo, in bytes (specification, Photo identification: 8 MB). */
export const PHOTO_MAX_BYTES = 8 * 1024 * 1024

/** What stands round a photo: the parts of a form, the members of a JSON object. */
const AROUND_BYTES_MAX = 64 * 1024

/** Base64 writes three bytes in four characters; a data URL says what it is before. */
export const PHOTO_TEXT_MAX_LENGTH = Math.ceil(PHOTO_MAX_BYTES / 3) * 4 + 100

const JSON_BYTES_MAX = Math.ceil((PHOTO_MAX_BYTES * 4) / 3) + AROUND_BYTES_MAX

/** The three ways to send a photo, and how long a body each may have. */
const WAYS = new Map<string, { bytesMax: number; open: (sent: Sent) => Promise<Opened> }>([
  ['multipart/form-data', { bytesMax: PHOTO_MAX_BYTES + AROUND_BYTES_MAX, open: openForm }],
  ['application/json', { bytesMax: JSON_BYTES_MAX, open: openJson }],
  ['image/jpeg', { bytesMax: PHOTO_MAX_BYTES, open: openRaw }],
  ['image/png', { bytesMax: PHOTO_MAX_BYTES, open: openRaw }],
  ['image/webp', { bytesMax: PHOTO_MAX_BYTES, open: openRaw }],
])

type Sent = { bytes: Uint8Array; type: string }

type Opened = { photo: Uint8Array; beside: [name: string, value: unknown][] }

/**
 * Reads the photo of a request. Its first bytes alone decide what it is, not what it is called.
 *
 * @param optionNames what may stand beside the photo; everything else is left alone
 * @throws ServiceError INVALID_IMAGE, or VALIDATION_ERROR for an option that is no text
 */
export async function readPhotoBody(
  request: Request,
  optionNames: readonly string[],
): Promise<PhotoBody> {
  const type = request.headers.get('content-type') ?? ''
  const way = WAYS.get(type.toLowerCase().split(';', 1)[0]?.trim() ?? '')
  if (way === undefined) {
    throw invalid(
      'Send the photo as multipart/form-data with a file "image", as JSON with "image" in base64, or as the body itself with Content-Type image/jpeg, image/png or image/webp.',
    )
  }
  const bytes = await readRequestBody(request, way.bytesMax, refuse)
  if (bytes.length === 0) throw noImage()
  const { photo, beside } = await way.open({ bytes, type })
  assertPhoto(photo)
  const options = beside.filter(([name]) => optionNames.includes(name)).map(textOption)
  return { photo, options }
}

async function openRaw({ bytes }: Sent): Promise<Opened> {
  return { photo: bytes, beside: [] }
}

async function openForm(sent: Sent): Promise<Opened> {
  const { file, beside } = await readFormFile(sent, 'image', invalid)
  if (file === undefined) throw noImage()
  return { photo: file, beside }
}

async function openJson({ bytes }: Sent): Promise<Opened> {
  const { image, ...beside } = jsonObject(bytes)
  if (image === undefined || image === '') throw noImage()
  if (typeof image !== 'string') throw invalid('The "image" must be a text in base64.')
  return { photo: decoded(image), beside: Object.entries(beside) }
}

function jsonObject(bytes: Uint8Array): Record<string, unknown> {
  const value = parsed(bytes)
  if (isRecord(value)) return value
  throw invalid('The body must be a JSON object with "image" in base64.')
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalid('The body is not valid JSON.')
  }
}

/** The bytes of base64, bare or in a data URL. */
function decoded(image: string): Uint8Array {
  const text = image.startsWith('data:') ? dataOf(image) : image
  const bytes = strictBase64(text)
  // The decoder skips blanks and line breaks: where there were some, the text is longer than its bytes.
  if (bytes !== undefined && text.length === Math.ceil(bytes.length / 3) * 4) return bytes
  throw invalid(
    'The "image" is not valid base64: send it padded, without blanks, line breaks or other characters.',
  )
}

function strictBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' })
  } catch {
    return undefined
  }
}

function dataOf(url: string): string {
  const comma = url.indexOf(',')
  if (comma > 0 && url.slice(0, comma).endsWith(';base64')) return url.slice(comma + 1)
  throw invalid('The "image" is a data URL of another kind: send data:image/jpeg;base64,… .')
}

/** @throws ServiceError VALIDATION_ERROR for what is no text */
function textOption([name, value]: [string, unknown]): [string, string] {
  if (typeof value === 'string' && value.isWellFormed()) return [name, value]
  throw new ServiceError('VALIDATION_ERROR', `"${name}" must be a text.`)
}

function assertPhoto(photo: Uint8Array): void {
  if (photo.length === 0) throw invalid('The image is empty: send a JPEG, PNG or WebP file.')
  if (photo.length > PHOTO_MAX_BYTES) refuse('too large')
  if (detectPhotoFormat(photo) === undefined) {
    throw invalid('The image is none that can be read: send a JPEG, PNG or WebP file.')
  }
}

function refuse(why: 'too large' | 'incomplete'): never {
  throw invalid(
    why === 'too large'
      ? 'The image is too large: send at most 8 MB (8,388,608 bytes). 2,000 pixels a side are enough.'
      : 'The body ended before it was complete: send the photo again.',
  )
}

function noImage(): ServiceError {
  return invalid('There is no image: send a JPEG, PNG or WebP file as "image", or as the body.')
}

function invalid(message: string): ServiceError {
  return new ServiceError('INVALID_IMAGE', message)
}
