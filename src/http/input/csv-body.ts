import { Type } from '@sinclair/typebox'
import { decodeList } from '#actions/matching/parse-collection.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { line, optionalOrNull } from './fields.ts'
import { jsonObject } from './json-body.ts'
import { readFormFile } from './multipart.ts'
import { type BodySource, type ReserveBytes, readRequestBody } from './read-body.ts'

/** Maximum size of a CSV file: far more rows than a request may match. */
export const CSV_MAX_BYTES = 5 * 1024 * 1024

/** Limit for the parts of a form around the file. */
const OVERHEAD_BYTES_MAX = 64 * 1024

/** Maximum length of a body with a CSV file. */
export const CSV_BODY_MAX_BYTES = CSV_MAX_BYTES + OVERHEAD_BYTES_MAX

const CSV_TYPES: ReadonlySet<string> = new Set([
  'text/csv',
  'application/csv',
  'text/tab-separated-values',
  'text/plain',
])

/**
 * Reads the CSV file of a request: the body itself, or the file in the field "file" of a form. The encoding is
 * detected from the bytes, because browsers guess the Content-Type.
 *
 * @throws ServiceError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE or VALIDATION_ERROR
 */
export function readCsvBody(request: Request, reserve: ReserveBytes): Promise<Uint8Array> {
  return readFileBody(request, reserve, CSV_MAX_BYTES)
}

/** Like `readCsvBody`, for files of another size. */
export async function readFileBody(
  request: Request,
  reserve: ReserveBytes,
  fileBytesMax: number,
): Promise<Uint8Array> {
  const refuse = (why: 'too large' | 'incomplete') => refuseFile(why, fileBytesMax)
  const type = request.headers.get('content-type') ?? ''
  const kind = type.toLowerCase().split(';', 1)[0]?.trim() ?? ''
  const isForm = kind === 'multipart/form-data'
  if (!isForm && !CSV_TYPES.has(kind)) {
    throw new ServiceError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the file as the body with Content-Type: text/csv, or as multipart/form-data with a file "file".',
    )
  }
  const bytesMax = isForm ? fileBytesMax + OVERHEAD_BYTES_MAX : fileBytesMax
  const bytes = await readRequestBody(request, { bytesMax, reserve }, refuse)
  const csv = isForm ? (await readFormFile({ bytes, type }, 'file', invalid)).file : bytes
  if (csv === undefined) throw invalid('The form has no file. Send it in a field "file".')
  if (csv.length > fileBytesMax) refuse('too large')
  if (csv.length === 0) throw invalid('The file is empty. Send a header and a row for each card.')
  return csv
}

function refuseFile(why: 'too large' | 'incomplete', bytesMax: number): never {
  const limit = `${bytesMax / 1024 ** 2} MB (${bytesMax.toLocaleString('en')} bytes)`
  throw why === 'too large'
    ? new ServiceError('BODY_TOO_LARGE', `The file may have at most ${limit}.`)
    : invalid('The body ended before it was complete. Send the file again.')
}

function invalid(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message)
}

/** A pasted list, and the slug of its game. */
export type ListBody = { list: string; game?: string | null | undefined }

const TEXT = Type.String({ description: 'At most 5 MB.' })

const JSON_LIST = jsonObject(
  {
    list: Type.String({
      minLength: 1,
      maxLength: CSV_MAX_BYTES,
      description: 'The list, with line breaks.',
    }),
    game: optionalOrNull(line({ description: 'Slug of the game; overrides the parameter.' })),
  },
  CSV_BODY_MAX_BYTES,
)

/** Reads a list as text, as a file of a form, or as the member `list` of a JSON object. */
export const LIST_BODY: BodySource<ListBody> = {
  content: {
    'text/plain': TEXT,
    ...JSON_LIST.content,
    'multipart/form-data': Type.Object({ file: Type.String({ format: 'binary' }) }),
  },
  bytesMax: CSV_BODY_MAX_BYTES,
  async read(request, reserve) {
    const type = request.headers.get('content-type') ?? ''
    if (/^application\/json\b/i.test(type)) return JSON_LIST.read(request, reserve)
    const list = decodeList(await readCsvBody(request, reserve))
    if (!list.includes('\0')) return { list }
    throw new ServiceError('VALIDATION_ERROR', 'The list is not text. Paste it as plain text.')
  },
}
