import { describeNetworkError, readBody } from './http-client.ts'

/** What another machine answered; `unclear`: whether it did anything cannot be told. */
export type PostResult =
  | { kind: 'answer'; status: number; value: unknown }
  | { kind: 'unclear'; why: string }

/** Sends JSON and reads the JSON that comes back; what is too long, late or no JSON is unclear. */
export async function postJson(
  url: string,
  body: object,
  { who, timeoutMs, bytesMax }: { who: string; timeoutMs: number; bytesMax: number },
): Promise<PostResult> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
      // It would be sent there, too, without anybody having named that place.
      redirect: 'manual',
    })
    const bytes = await readBody(response, bytesMax)
    if (bytes === undefined) return { kind: 'unclear', why: `${who} answers too much` }
    const { status } = response
    const value = parseJson(bytes)
    if (value === undefined)
      return { kind: 'unclear', why: `${who} answers ${status} without JSON` }
    return { kind: 'answer', status, value }
  } catch (cause) {
    return { kind: 'unclear', why: describeNetworkError(cause, who, timeoutMs) }
  }
}

/** The value of a JSON text; undefined for what is none. */
export function parseJson(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
