import type { TSchema } from '@sinclair/typebox'
import type { ReserveBytes } from './read-body.ts'

/** Reads the body of a request, and documents it. */
export type BodySource<Body> = {
  /** Schemas by media type. */
  content: Readonly<Record<string, TSchema>>
  /** True if a request may omit the body. */
  isOptional?: boolean
  /** Maximum length of the body. */
  bytesMax: number
  /** @throws ServiceError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE or VALIDATION_ERROR */
  read(request: Request, reserve: ReserveBytes): Promise<Body>
}
