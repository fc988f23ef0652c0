import { ApiError, openClient } from '#client/client.ts'

/**
 * The public API, as a page of this server asks it: with the person's session where there is one, and
 * the header that a page of another origin cannot send.
 */
export const api = openClient({
  baseUrl: location.origin,
  headers: { 'X-Cardstock-Page': '1' },
})

export { ApiError }
