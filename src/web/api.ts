import { ApiError, openClient } from '#client/client.ts'

/** Client of the public API with the session cookie and the header that cross-origin pages cannot send. */
export const api = openClient({
  baseUrl: location.origin,
  headers: { 'X-Cardstock-Page': '1' },
})

export { ApiError }
