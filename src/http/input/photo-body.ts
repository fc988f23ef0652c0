import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { adviceForFormat, detectPhotoFormat } from '#rules/photos/photo-quality.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { isRecord } from '#rules/primitives/json-record.ts'
import { decodeJson } from './json-body.ts'
import { readFormFile } from './multipart.ts'
import { type BodySource, type ReserveBytes, readRequestBody } from './read-body.ts'
import { fieldReader, queryParams } from './validation.ts'

/** The largest photo, in bytes (specification, Photo identification: 8 MB). */
export const PHOTO_MAX_BYTES = 8 * 1024 * 1024

/** The largest photo of many cards. */
export const PAGE_MAX_BYTES = 16 * 1024 * 1024

/** Limit for everything except the photo: the parts of a form, the members of a JSON object. */
const OVERHEAD_BYTES_MAX = 64 * 1024

/** Returns the maximum length of a photo as base64 in lines: four characters for three bytes. */
function base64MaxLength(photoBytesMax: number): number {
  const base64 = Math.ceil(photoBytesMax / 3) * 4
  // Each line break after 64 or 76 characters becomes `\r\n`, four characters in JSON.
  return base64 + Math.ceil(base64 / 64) * 4
}

const DATA_URL_PREFIX_MAX = 100

/** Returns the maximum length of a body with a photo, whose longest form is base64 in lines. */
function photoBodyMaxBytes(photoBytesMax: number): number {
  return base64MaxLength(photoBytesMax) + OVERHEAD_BYTES_MAX
}

type PhotoFormat = {
  /** Returns the limit of the body. */
  bytesMax: (photoBytesMax: number) => number
  read: (sent: Sent) => Promise<Parts>
}

const itself = (bytesMax: number) => bytesMax

/** Labels of the photo itself: some programs write `image/jpg`, and phones that of their own format for a JPEG. */
const RAW_TYPE = /^image\/(x-)?(p?jpe?g|png|webp|hei[cf]|avif)$/

const RAW: PhotoFormat = { bytesMax: itself, read: readRaw }

/** Other media types of a photo. */
const FORMATS = new Map<string, PhotoFormat>([
  [
    'multipart/form-data',
    { bytesMax: (bytesMax) => bytesMax + OVERHEAD_BYTES_MAX, read: readForm },
  ],
  ['application/json', { bytesMax: photoBodyMaxBytes, read: readJson }],
  // Programs that do not know the type of a file send one of these.
  ['application/octet-stream', { bytesMax: itself, read: readUntyped }],
  ['', { bytesMax: itself, read: readUntyped }],
])

type Sent = { bytes: Uint8Array; type: string }

type Parts = { photo: Uint8Array; beside: [name: string, value: unknown][] }

/** A photo, and its options from the query or beside it. */
type PhotoBody<O extends TProperties> = { photo: Uint8Array; options: Static<TObject<O>> }

/**
 * Declares a photo in one of the three ways of the specification, with options in the query or beside it; other
 * fields beside it are ignored. The format is determined from the first bytes, not from name or type.
 */
export function photoBody<O extends TProperties>(
  fields: O,
  photoBytesMax = PHOTO_MAX_BYTES,
): BodySource<PhotoBody<O>> {
  const options = fieldReader(fields)
  const isNumber = (name: string) => fields[name]?.type === 'integer'
  return {
    content: photoContent(fields, photoBytesMax),
    bytesMax: photoBodyMaxBytes(photoBytesMax),
    async read(request, reserve) {
      const { photo, beside } = await readPhoto(request, reserve, photoBytesMax)
      const named = beside
        .filter(([name]) => Object.hasOwn(fields, name))
        .map(([name, value]) => textOption([name, isNumber(name) ? numberText(value) : value]))
      // An option in both places is refused, like an option that occurs twice in the query.
      return { photo, options: options.query([...(queryParams(request) ?? []), ...named]) }
    },
  }
}

/** @throws ServiceError INVALID_IMAGE, or VALIDATION_ERROR if an option is not a string */
async function readPhoto(
  request: Request,
  reserve: ReserveBytes,
  bytesMax: number,
): Promise<Parts> {
  const refuse = (why: 'too large' | 'incomplete') => refusePhoto(why, bytesMax)
  const type = request.headers.get('content-type') ?? ''
  const label = type.toLowerCase().split(';', 1)[0]?.trim() ?? ''
  const format = FORMATS.get(label) ?? (RAW_TYPE.test(label) ? RAW : undefined)
  if (format === undefined) throw unknownType()
  const limits = { bytesMax: format.bytesMax(bytesMax), reserve }
  const bytes = await readRequestBody(request, limits, refuse)
  if (bytes.length === 0) throw noImage()
  const parts = await format.read({ bytes, type })
  if (parts.photo.length > bytesMax) refuse('too large')
  assertPhoto(parts.photo)
  return parts
}

function photoContent(fields: TProperties, bytesMax: number): Record<string, TSchema> {
  const size = `at most ${bytesMax / 1024 ** 2} MB`
  const bytes = Type.String({ format: 'binary', description: `JPEG, PNG or WebP, ${size}.` })
  const description = 'Base64, base64url or a data URL; padding is optional.'
  const maxLength = base64MaxLength(bytesMax) + DATA_URL_PREFIX_MAX
  const text = Type.String({ maxLength, description })
  return {
    'multipart/form-data': Type.Object({ image: bytes, ...fields }),
    'application/json': Type.Object({ image: text, ...fields }),
    'image/jpeg': bytes,
    'image/png': bytes,
    'image/webp': bytes,
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
 * Decodes base64 or base64url, bare or in a data URL. Ignores whitespace, which `base64 photo.jpg` prints. Padding
 * may be missing, but not wrong.
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

/** Returns a JSON number as the text of a form; other values unchanged. */
function numberText(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value
}

/** @throws ServiceError VALIDATION_ERROR if the value is not a string */
function textOption([name, value]: [string, unknown]): [string, string] {
  if (typeof value === 'string' && value.isWellFormed()) return [name, value]
  throw new ServiceError('VALIDATION_ERROR', `"${name}" must be a string.`)
}

function assertPhoto(photo: Uint8Array): void {
  if (photo.length === 0) throw invalid('The image is empty. Send a JPEG, PNG or WebP file.')
  if (detectPhotoFormat(photo) === undefined) throw invalid(adviceForFormat(photo))
}

function refusePhoto(why: 'too large' | 'incomplete', bytesMax: number): never {
  const limit = `${bytesMax / 1024 ** 2} MB (${bytesMax.toLocaleString('en')} bytes)`
  throw invalid(
    why === 'too large'
      ? `The image is too large. Send at most ${limit}.`
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
