import { type TObject, Type } from '@sinclair/typebox'
import { detectPhotoFormat } from '#rules/photos/photo-format.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { isRecord } from '#rules/primitives/json-record.ts'
import type { BodySource } from './body-source.ts'
import { decodeJson } from './json-body.ts'
import { readFormFile } from './multipart.ts'
import { type ReserveBytes, readRequestBody } from './read-body.ts'

/** Body of a request to identify a card: the photo, and the options beside it as text. */
export type PhotoBody = { photo: Uint8Array; options: [name: string, value: string][] }

/** The largest photo, in bytes (specification, Photo identification: 8 MB). */
export const PHOTO_MAX_BYTES = 8 * 1024 * 1024

/** Limit for all but the photo: the parts of a form, the members of a JSON object. */
const OVERHEAD_BYTES_MAX = 64 * 1024

/** Base64 takes four characters for three bytes. */
const BASE64_MAX_LENGTH = Math.ceil(PHOTO_MAX_BYTES / 3) * 4

/** Line breaks of base64: JSON writes them as `\r\n` with four characters, after 64 or 76 others. */
const LINE_BREAKS_MAX_LENGTH = Math.ceil(BASE64_MAX_LENGTH / 64) * 4

/** A data URL has a prefix. */
const PHOTO_TEXT_MAX_LENGTH = BASE64_MAX_LENGTH + LINE_BREAKS_MAX_LENGTH + 100

/** Maximum length of a body with a photo, in its longest form: base64 in lines. */
export const PHOTO_BODY_MAX_BYTES = BASE64_MAX_LENGTH + LINE_BREAKS_MAX_LENGTH + OVERHEAD_BYTES_MAX

/** Media types of a photo, each with its reader and the limit of its body. */
const FORMATS = new Map<string, { bytesMax: number; read: (sent: Sent) => Promise<Parts> }>([
  ['multipart/form-data', { bytesMax: PHOTO_MAX_BYTES + OVERHEAD_BYTES_MAX, read: readForm }],
  ['application/json', { bytesMax: PHOTO_BODY_MAX_BYTES, read: readJson }],
  ['image/jpeg', { bytesMax: PHOTO_MAX_BYTES, read: readRaw }],
  ['image/png', { bytesMax: PHOTO_MAX_BYTES, read: readRaw }],
  ['image/webp', { bytesMax: PHOTO_MAX_BYTES, read: readRaw }],
  // Programs that do not know the type of a file send one of these.
  ['application/octet-stream', { bytesMax: PHOTO_MAX_BYTES, read: readUntyped }],
  ['', { bytesMax: PHOTO_MAX_BYTES, read: readUntyped }],
])

type Sent = { bytes: Uint8Array; type: string }

type Parts = { photo: Uint8Array; beside: [name: string, value: unknown][] }

/**
 * Reads the photo of a request. Its first bytes decide its format, not its name or type.
 *
 * @param optionNames fields that may stand beside the photo; others are ignored
 * @throws ServiceError INVALID_IMAGE, or VALIDATION_ERROR if an option is not a string
 */
export async function readPhotoBody(
  request: Request,
  optionNames: readonly string[],
  reserve: ReserveBytes,
): Promise<PhotoBody> {
  const type = request.headers.get('content-type') ?? ''
  const format = FORMATS.get(type.toLowerCase().split(';', 1)[0]?.trim() ?? '')
  if (format === undefined) throw unknownType()
  const bytes = await readRequestBody(request, { bytesMax: format.bytesMax, reserve }, refuse)
  if (bytes.length === 0) throw noImage()
  const { photo, beside } = await format.read({ bytes, type })
  assertPhoto(photo)
  const options = beside.filter(([name]) => optionNames.includes(name)).map(textOption)
  return { photo, options }
}

/** Documents the three ways of the specification to send a photo, with the options beside it. */
export function photoContent({ properties }: TObject): Pick<BodySource<never>, 'content'> {
  const bytes = Type.String({ format: 'binary', description: 'JPEG, PNG or WebP, at most 8 MB.' })
  const description =
    'Base64 or base64url, or a data URL with it. Line breaks and blanks are ignored; padding is optional.'
  const text = Type.String({ maxLength: PHOTO_TEXT_MAX_LENGTH, description })
  return {
    content: {
      'multipart/form-data': Type.Object({ image: bytes, ...properties }),
      'application/json': Type.Object({ image: text, ...properties }),
      'image/jpeg': bytes,
      'image/png': bytes,
      'image/webp': bytes,
    },
  }
}

async function readRaw({ bytes }: Sent): Promise<Parts> {
  return { photo: bytes, beside: [] }
}

async function readUntyped(sent: Sent): Promise<Parts> {
  if (detectPhotoFormat(sent.bytes) === undefined) throw unknownType()
  return readRaw(sent)
}

async function readForm(sent: Sent): Promise<Parts> {
  const { file, beside } = await readFormFile(sent, 'image', invalid)
  if (file === undefined) throw noImage()
  return { photo: file, beside }
}

async function readJson({ bytes }: Sent): Promise<Parts> {
  const value = decodeJson(bytes, invalid)
  if (!isRecord(value)) throw invalid('The body must be a JSON object with "image" in base64.')
  const { image, ...beside } = value
  if (image === undefined || image === '') throw noImage()
  if (typeof image !== 'string') throw invalid('The "image" must be a base64 string.')
  return { photo: decodeImage(image), beside: Object.entries(beside) }
}

/**
 * Decodes base64 or base64url, bare or in a data URL. Ignores whitespace, which `base64 photo.jpg` prints.
 * Padding may be missing, but not be wrong.
 */
function decodeImage(image: string): Uint8Array {
  const text = (image.startsWith('data:') ? dataUrlContent(image) : image).replace(WHITESPACE, '')
  const alphabet = text.includes('-') || text.includes('_') ? 'base64url' : 'base64'
  const padded = text.endsWith('=') ? text : text.padEnd(Math.ceil(text.length / 4) * 4, '=')
  try {
    return Uint8Array.fromBase64(padded, { alphabet, lastChunkHandling: 'strict' })
  } catch {
    throw invalid(
      'The "image" is not valid base64. Send only the characters A-Z, a-z, 0-9, + and / (or - and _), with correct padding or none.',
    )
  }
}

/** As in the specification of `Uint8Array.fromBase64`. */
const WHITESPACE = /[\t\n\f\r ]+/g

function dataUrlContent(url: string): string {
  const comma = url.indexOf(',')
  if (comma > 0 && url.slice(0, comma).endsWith(';base64')) return url.slice(comma + 1)
  throw invalid('The "image" is an unsupported data URL. Send data:image/jpeg;base64,…')
}

/** @throws ServiceError VALIDATION_ERROR if the value is not a string */
function textOption([name, value]: [string, unknown]): [string, string] {
  if (typeof value === 'string' && value.isWellFormed()) return [name, value]
  throw new ServiceError('VALIDATION_ERROR', `"${name}" must be a string.`)
}

function assertPhoto(photo: Uint8Array): void {
  if (photo.length === 0) throw invalid('The image is empty. Send a JPEG, PNG or WebP file.')
  if (photo.length > PHOTO_MAX_BYTES) refuse('too large')
  if (detectPhotoFormat(photo) === undefined) {
    throw invalid('The image could not be decoded. Send a JPEG, PNG or WebP file.')
  }
}

function refuse(why: 'too large' | 'incomplete'): never {
  throw invalid(
    why === 'too large'
      ? 'The image is too large. Send at most 8 MB (8,388,608 bytes); 2,000 pixels per side are enough.'
      : 'The body ended before it was complete. Send the photo again.',
  )
}

function unknownType(): ServiceError {
  return invalid(
    'Send the photo as multipart/form-data with a file "image", as JSON with "image" in base64, or as the body itself with Content-Type image/jpeg, image/png or image/webp.',
  )
}

function noImage(): ServiceError {
  return invalid('The image is missing. Send a JPEG, PNG or WebP file as "image", or as the body.')
}

function invalid(message: string): ServiceError {
  return new ServiceError('INVALID_IMAGE', message)
}
