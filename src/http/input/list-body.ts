import { Type } from '@sinclair/typebox'
import { decodeList } from '#actions/matching/parse-collection.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { BodySource } from './body-source.ts'
import { CSV_BODY_MAX_BYTES, CSV_MAX_BYTES, readCsvBody } from './csv-body.ts'
import { line, optionalOrNull } from './fields.ts'
import { jsonObject } from './json-body.ts'

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
