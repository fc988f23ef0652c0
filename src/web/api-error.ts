import { ApiError } from '#client/client.ts'
import * as texts from '#texts/frame.ts'

/** Converts an unknown error. Anything but an API error is a bug of the page. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError('PAGE', texts.pageFailed)
}
