import { describeNetworkError, readBody } from './http-client.ts'

/** Result of a POST. `unclear` means that the server may or may not have processed it. */
export type PostResult =
  | { kind: 'response'; status: number; value: unknown }
  | { kind: 'unclear'; why: string }

/** Posts JSON and parses the response. The result is unclear if the response is too long, too late or not JSON. */
export async function postJson(
  url: string,
  body: object,
  { server, timeoutMs, bytesMax }: { server: string; timeoutMs: number; bytesMax: number },
): Promise<PostResult> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
      // A redirect would send the body to a host that nobody configured.
      redirect: 'manual',
    })
    const bytes = await readBody(response, bytesMax)
    if (bytes === undefined) return { kind: 'unclear', why: `${server} sent too long a response` }
    const { status } = response
    const value = parseJson(bytes)
    if (value === undefined)
      return { kind: 'unclear', why: `${server} responded with ${status} without JSON` }
    return { kind: 'response', status, value }
  } catch (cause) {
    return { kind: 'unclear', why: describeNetworkError(cause, server, timeoutMs) }
  }
}

/** Parses JSON; undefined if it is invalid. */
export function parseJson(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
