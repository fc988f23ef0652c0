import type { TProperties as Fields, Static, TObject } from '@sinclair/typebox'
import type { BodySource } from './body-source.ts'
import { PAGE_MAX_BYTES, photoBodyMaxBytes, photoContent, readPhotoBody } from './photo-body.ts'
import { fieldReader, queryParams } from './validation.ts'

/** A photo of several cards, and its options from the query or beside it. */
export type PagePhotoBody<O extends Fields> = { photo: Uint8Array; options: Static<TObject<O>> }

/** Reads a photo of several cards, with its options in the query or beside the photo. */
export function pagePhotoBody<O extends Fields>(fields: O): BodySource<PagePhotoBody<O>> {
  const options = fieldReader(fields)
  const names = Object.keys(fields)
  const numberNames = names.filter((name) => fields[name]?.type === 'integer')
  const limits = { bytesMax: PAGE_MAX_BYTES, numberNames }
  return {
    ...photoContent(options.schema, PAGE_MAX_BYTES),
    bytesMax: photoBodyMaxBytes(PAGE_MAX_BYTES),
    async read(request, reserve) {
      const body = await readPhotoBody(request, names, reserve, limits)
      // An option in both places is refused like one that is twice in the query.
      const sent = [...(queryParams(request) ?? []), ...body.options]
      return { photo: body.photo, options: options.query(sent) }
    },
  }
}
