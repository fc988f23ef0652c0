import { ApiError } from '#client/client.ts'

/** Converts an unknown error. Anything but an API error is a bug of the page. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError('PAGE', 'Something went wrong on this page. Reload it.')
}
