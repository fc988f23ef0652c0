import createTransport from 'openapi-fetch'
import type { ErrorResponse, paths, RateLimit } from './endpoints.ts'
import type { ApiResponse, Call, ClientMethod } from './requests.ts'

export type * from './endpoints.ts'
export type * from './requests.ts'

export type ClientOptions = {
  /** URL of the server, such as `https://cards.example`. */
  baseUrl: string
  /** API key, sent with every request. The dashboard uses its session instead. */
  key?: string | undefined
  /** Further headers of every request. */
  headers?: Readonly<Record<string, string>>
  /** Replaces the platform's `fetch`. */
  fetch?: (request: Request) => Promise<Response>
  /** Passed to `fetch`: decides whether a browser sends its session. */
  credentials?: RequestCredentials
  /** Retries of a GET after a 503 or a network error; 2 by default. */
  retries?: number
}

/**
 * Client of the API of one server. Every call rejects with ApiError if the server refuses the request or cannot be
 * reached.
 */
export type Client = {
  /** Sends a GET, with retries. */
  get: Call<'GET'>
  /** Sends a POST once. */
  post: Call<'POST'>
  /** Sends a PATCH once. */
  patch: Call<'PATCH'>
  /** Sends a DELETE once. */
  delete: Call<'DELETE'>
  /**
   * Identifies the card on a photo, for one scan.
   *
   * @param photo JPEG, PNG or WebP, at most 8 MB
   */
  identify(
    photo: Blob | Uint8Array,
    options?: IdentifyOptions,
  ): Promise<ApiResponse<'POST', '/v1/identify'>>
  /**
   * Identifies the cards of one photo, such as a binder page.
   *
   * @param photo JPEG, PNG or WebP, at most 16 MB
   */
  identifyPage(
    photo: Blob | Uint8Array,
    options?: IdentifyPageOptions,
  ): Promise<ApiResponse<'POST', '/v1/identify/page'>>
}

export type IdentifyPageOptions = IdentifyOptions & {
  /** Maximum number of scans to use; by default one for each card. */
  max_scans?: number | undefined
}

export type IdentifyOptions = {
  /** Slug of the game to search; without it, all games. */
  game?: string | undefined
  /** Adds the current prices of the top candidate, and how reliable each is. */
  include?: 'prices' | 'confidence' | 'prices,confidence' | undefined
  /** Currency of the prices, such as `EUR`; without it, US dollars. */
  currency?: string | undefined
  signal?: AbortSignal | undefined
}

/** A failed request. An aborted request rejects with the reason of its signal instead. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** HTTP status; 0 without a response. */
  status: number
  /**
   * Error code of the server, such as `NOT_FOUND`; `NETWORK` without a response, `NOT_JSON` for a response from
   * another server.
   */
  code: string
  /** Seconds to wait before a retry. */
  retryAfter: number | undefined
  /** Id of the request in the operator's log. */
  requestId: string | undefined
  /** Remaining quota, if the response has it. */
  rateLimit: RateLimit | undefined
  /** State that the request would have overwritten (`REVISION_CONFLICT`), in the format of its endpoint. */
  current: unknown

  constructor(
    code: string,
    message: string,
    { response, rateLimit, current, cause }: ErrorDetails = {},
  ) {
    super(message, { cause })
    this.code = code
    this.status = response?.status ?? 0
    const seconds = response?.headers.get('retry-after')
    this.retryAfter = seconds && /^\d+$/.test(seconds) ? Number(seconds) : undefined
    this.requestId = response?.headers.get('x-request-id') ?? undefined
    this.rateLimit = rateLimit
    this.current = current
  }
}

type ErrorDetails = {
  response?: Response
  rateLimit?: RateLimit | undefined
  current?: unknown
  cause?: unknown
}

export function openClient(options: ClientOptions): Client {
  const { key, retries = 2, headers, fetch: send = fetch, ...rest } = options
  const transport = createTransport<paths>({
    ...rest,
    headers: { ...headers, 'X-API-Key': key },
    pathSerializer: fillPath,
    querySerializer: formatQuery,
  })

  async function request<Body>(
    method: ClientMethod,
    route: string,
    input: AnyRequest = {},
  ): Promise<Body> {
    const { path = {}, query, body, signal } = input
    const init = {
      params: { path, query },
      parseAs: 'stream',
      ...((body instanceof FormData || body instanceof Blob) && AS_FILE),
      ...(body !== undefined && { body }),
      ...(signal !== undefined && { signal }),
    }
    for (let attempt = 0; ; attempt++) {
      let isSent = false
      const sendOnce = (request: Request) => {
        isSent = true
        return send(request)
      }
      try {
        const sent = transport.request(
          // The types of the client's functions have checked the input, and the server's contract tests check the
          // output.
          method as never,
          route as never,
          { ...init, fetch: sendOnce } as never,
        )
        return (await readResponse(await sent)) as Body
      } catch (cause) {
        signal?.throwIfAborted()
        if (!isSent) throw cause
        const error =
          cause instanceof ApiError ? cause : new ApiError('NETWORK', NETWORK, { cause })
        const wait = retryDelay(error, attempt)
        if (method !== 'GET' || attempt >= retries || wait === undefined) throw error
        await sleep(wait, signal)
      }
    }
  }

  return {
    get: (path, ...[input]) => request('GET', path, input),
    post: (path, ...[input]) => request('POST', path, input),
    patch: (path, ...[input]) => request('PATCH', path, input),
    delete: (path, ...[input]) => request('DELETE', path, input),
    identify: (photo, { signal, ...fields } = {}) =>
      request('POST', '/v1/identify', { body: photoForm(photo, fields), signal }),
    identifyPage: (photo, { signal, ...fields } = {}) =>
      request('POST', '/v1/identify/page', { body: photoForm(photo, fields), signal }),
  }
}

/** Input of any endpoint. */
type AnyRequest = Partial<Record<'path' | 'query' | 'body', unknown>> & {
  signal?: AbortSignal | undefined
}

/** Sends a body unchanged, with its own content type. */
const AS_FILE = { bodySerializer: (body: unknown) => body, headers: { 'Content-Type': null } }

/** Returns a form with a photo and the options that have a value. */
function photoForm(photo: Blob | Uint8Array, fields: object): FormData {
  const form = new FormData()
  // Copied, because Blob only accepts views of an ArrayBuffer.
  form.append('image', photo instanceof Blob ? photo : new Blob([new Uint8Array(photo)]), 'photo')
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, String(value))
  }
  return form
}

/**
 * Replaces parameters: `/v1/cards/{id}` becomes `/v1/cards/900001`.
 *
 * @throws ApiError if a value is missing, or is "." or "..", which would reach another endpoint even when encoded
 */
function fillPath(path: string, values: object): string {
  const texts = new Map(Object.entries(values).map(([name, value]) => [name, String(value)]))
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = texts.get(name) ?? ''
    if (!['', '.', '..'].includes(text)) return encodeURIComponent(text.toWellFormed())
    throw new ApiError('VALIDATION_ERROR', `"${name}" is required, and cannot be "." or "..".`)
  })
}

/** Omits undefined values and joins lists with commas. */
function formatQuery(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return String(new URLSearchParams(given.map(([name, value]) => [name, String(value)])))
}

/**
 * @param sent result of the transport, which has read the body only if the status is an error
 * @throws ApiError for an error status, or a response from another server
 */
async function readResponse(sent: { response: Response; error?: unknown }): Promise<unknown> {
  const { response } = sent
  const { ok, status } = response
  if (ok && response.headers.has('content-disposition')) return response.blob()
  const body = ok ? parseJson(await response.text()) : sent.error
  if (typeof body !== 'object' || body === null) {
    const message = `The response (${status}) is not JSON. Check the URL and the proxy of the server.`
    throw new ApiError('NOT_JSON', message, { response })
  }
  if (ok) return body
  // Every endpoint of Cardstock has the same members in an error. Another server may have none of them.
  const { error, rate_limit: rateLimit } = body as Partial<ErrorResponse>
  const message = error?.message ?? `The request failed with status ${status}.`
  const details = { response, rateLimit, current: error?.current }
  throw new ApiError(error?.code ?? 'UNKNOWN', message, details)
}

/** Parses JSON; undefined if the text is anything else. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const NETWORK = 'The server cannot be reached. Check your connection and try again.'
const MAX_RETRY_DELAY_S = 10

/** Returns the seconds until the next attempt; undefined if the client should not retry. */
function retryDelay({ status, retryAfter }: ApiError, attempt: number): number | undefined {
  if (status !== 0 && status !== 503) return undefined
  // Jitter spreads the retries of clients that were rejected at the same time.
  const wait = retryAfter ?? 0.25 * 2 ** attempt * (1 + Math.random())
  return wait > MAX_RETRY_DELAY_S ? undefined : wait
}

function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1_000)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
