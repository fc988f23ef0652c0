/** Statuses and times of a kind of caller. */
export type CallerRecord = {
  /** Requests, including those that were canceled. */
  sent: number
  statuses: Record<string, number>
  /** Milliseconds of each response with status 200. */
  times: number[]
  /** Responses that would be wrong for any caller. */
  unexpected: string[]
}

export function createCallerRecord(): CallerRecord {
  return { sent: 0, statuses: {}, times: [], unexpected: [] }
}

export type Call = {
  path: string
  method?: string
  headers: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
  /** Cancels the request, which is then not recorded. */
  signal?: AbortSignal
}

const CALL_MS_MAX = 60_000

/** Sends a request and records it. @returns its status, 0 if the connection failed, and Retry-After */
export async function call(
  url: string,
  { path, body, signal, ...given }: Call,
  record: CallerRecord,
): Promise<{ status: number; retryAfter: number | undefined }> {
  const started = performance.now()
  record.sent++
  let status = 0
  let retry: string | null = null
  try {
    const late = AbortSignal.timeout(CALL_MS_MAX)
    const init = { ...given, signal: signal === undefined ? late : AbortSignal.any([late, signal]) }
    const response = await fetch(`${url}${path}`, body === undefined ? init : { ...init, body })
    await response.arrayBuffer()
    status = response.status
    retry = response.headers.get('retry-after')
  } catch {
    // A server that rejects an upload may close before the client has sent it.
  }
  if (signal?.aborted) return { status, retryAfter: undefined }
  record.statuses[status] = (record.statuses[status] ?? 0) + 1
  if (status === 200) record.times.push(performance.now() - started)
  const mustRetry = status === 429 || status === 503
  if (status >= 500 && status !== 503) record.unexpected.push(`${path} was answered with ${status}`)
  if (mustRetry && retry === null)
    record.unexpected.push(`${path} got ${status} without Retry-After`)
  return { status, retryAfter: retry === null ? undefined : Number(retry) }
}

/** Repeats a caller's work until the signal, each time after the pause in seconds that the work returns. */
export async function repeatCalls(
  signal: AbortSignal,
  work: (round: number) => Promise<number>,
): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    const until = performance.now() + 1000 * (await work(round))
    while (!signal.aborted && performance.now() < until) {
      await Bun.sleep(Math.min(50, Math.max(1, until - performance.now())))
    }
  }
}

type Login = {
  credentials: { email: string; password: string }
  address: string
  signal?: AbortSignal
}

/** Sends a login and records it. */
export function sendLogin(
  url: string,
  { credentials, address, ...more }: Login,
  record: CallerRecord,
) {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
  const request = { path: '/v1/auth/login', method: 'POST', headers, ...more }
  return call(url, { ...request, body: JSON.stringify(credentials) }, record)
}
