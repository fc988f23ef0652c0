import type { TSchema } from '@sinclair/typebox'

/** Reads the body of a request, and documents it. */
export type BodySource<Body> = {
  /** Schemas by media type. */
  content: Readonly<Record<string, TSchema>>
  /** True if a request may omit the body. */
  isOptional?: boolean
  /** @throws ServiceError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE or VALIDATION_ERROR */
  read(request: Request): Promise<Body>
}
