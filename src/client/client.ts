import type { Endpoints, RateLimit } from './endpoints.ts'

export type * from './endpoints.ts'

export type ClientOptions = {
  /** URL of the server, such as `https://cards.example`. */
  baseUrl: string
  /** API key, sent with every request. The dashboard uses its session instead. */
  key?: string | undefined
  /** Further headers of every request. */
  headers?: Readonly<Record<string, string>>
  /** Replaces the platform's `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** As for `fetch`: decides whether a browser sends its session. */
  credentials?: RequestCredentials
  /** Retries of a GET after a 503 or a network error; 2 by default. */
  retries?: number
}

/** Calls the API of one server. Every call rejects with ApiError if the server refuses or cannot be reached. */
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
  /** Most scans to be used; without it, one for each card. */
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

type Call<M extends Method> = <Path extends MethodPath<M>>(
  path: Path,
  ...[input]: RequestArguments<ApiRequest<M, Path>>
) => Promise<ApiResponse<M, Path>>

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Paths that support a method, in the notation of the API document. */
export type MethodPath<M extends Method> = keyof Endpoints extends infer Name
  ? Name extends `${M} ${infer Path}`
    ? Path
    : never
  : never

type Fields<M extends Method, Path extends string, Name extends 'path' | 'query'> =
  EndpointAt<M, Path> extends { [N in Name]: infer Part extends object } ? Part : undefined

type Body<M extends Method, Path extends string> =
  EndpointAt<M, Path> extends { body: infer Part } ? Part : undefined

type EndpointAt<M extends Method, Path extends string> = Endpoints[`${M} ${Path}` & keyof Endpoints]

/** Body of an endpoint's response. */
export type ApiResponse<M extends Method, Path extends MethodPath<M>> = EndpointAt<
  M,
  Path
>['response']

/** Input of an endpoint. Required parts are required, and unknown parts do not compile. */
export type ApiRequest<M extends Method, Path extends MethodPath<M>> = RequestPart<
  'path',
  Fields<M, Path, 'path'>
> &
  RequestPart<'query', QueryInput<Fields<M, Path, 'query'>>, Empty> &
  RequestPart<'body', Body<M, Path>> & { signal?: AbortSignal | undefined }

type Empty = Record<never, never>

/** Part of a request: optional if the endpoint also accepts `Without`. */
type RequestPart<Name extends string, Value, Without = undefined> = [Value] extends [undefined]
  ? { [N in Name]?: undefined }
  : Without extends Value
    ? { [N in Name]?: Value | undefined }
    : { [N in Name]: Value }

/** Adds lists for `ids`, and undefined for optional parameters. */
type QueryInput<Query> = {
  [Name in keyof Query]:
    | Query[Name]
    | (Name extends 'ids' ? readonly number[] : never)
    | (Empty extends Pick<Query, Name> ? undefined : never)
}

export type RequestArguments<Input> = Empty extends Input ? [input?: Input] : [input: Input]

/** Input of any endpoint. */
type AnyRequest = {
  path?: object | undefined
  query?: object | undefined
  body?: unknown
  signal?: AbortSignal | undefined
}

/** A failed request. An aborted request rejects with the reason of its signal instead. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** HTTP status; 0 without a response. */
  status: number
  /** Error code of the server, such as `NOT_FOUND`; `NETWORK` without a response, `NOT_JSON` if it is not the server's. */
  code: string
  /** Seconds to wait before a retry. */
  retryAfter: number | undefined
  /** Id of the request in the operator's log. */
  requestId: string | undefined
  /** Remaining quota, if the response has it. */
  rateLimit: RateLimit | undefined
  /** State that the request would have overwritten (`REVISION_CONFLICT`), with the members of its endpoint. */
  current: unknown

  constructor(
    code: string,
    message: string,
    { response, rateLimit, current, cause }: ErrorDetails = {},
  ) {
    super(message, { cause })
    this.code = code
    this.status = response?.status ?? 0
    this.retryAfter = parseSeconds(response?.headers.get('retry-after'))
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
  const { headers, key, credentials, retries = 2 } = options
  const { fetch: send = (url: string, init: RequestInit) => fetch(url, init) } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')

  async function request<Body>(
    method: Method,
    path: string,
    input: AnyRequest = {},
  ): Promise<Body> {
    const { signal } = input
    const url = `${baseUrl}${fillPath(path, input.path)}${formatQuery(input.query)}`
    const init: RequestInit = {
      method,
      ...encodeBody(input.body, { ...headers, ...(key !== undefined && { 'X-API-Key': key }) }),
      ...(credentials !== undefined && { credentials }),
      ...(signal !== undefined && { signal }),
    }
    for (let attempt = 0; ; attempt++) {
      try {
        // The server's contract tests compare its responses with the API document.
        return (await readResponse(await send(url, init))) as Body
      } catch (cause) {
        signal?.throwIfAborted()
        const error = cause instanceof ApiError ? cause : networkError(cause)
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

/** Returns a form with a photo and the options that have a value. */
function photoForm(photo: Blob | Uint8Array, fields: object): FormData {
  const form = new FormData()
  // Copied, because Blob accepts only views of an ArrayBuffer.
  form.append('image', photo instanceof Blob ? photo : new Blob([new Uint8Array(photo)]), 'photo')
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, String(value))
  }
  return form
}

/**
 * Replaces parameters: `/v1/cards/{id}` -> `/v1/cards/900001`.
 *
 * @throws ApiError if a value is missing, or "." or "..", which would lead to another endpoint even when encoded
 */
function fillPath(path: string, values: object = {}): string {
  const texts = new Map(Object.entries(values).map(([name, value]) => [name, String(value)]))
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = texts.get(name) ?? ''
    if (!['', '.', '..'].includes(text)) return encodeURIComponent(text)
    throw new ApiError('VALIDATION_ERROR', `"${name}" is required, and cannot be "." or "..".`)
  })
}

/** Omits undefined values and joins lists with commas. */
function formatQuery(query: object = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return ''
  return `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`
}

/** Sends forms and files as they are, with their own content type, and everything else as JSON. */
function encodeBody(body: unknown, headers: Record<string, string>): RequestInit {
  if (body === undefined) return { headers }
  if (body instanceof FormData || body instanceof Blob) return { headers, body }
  return { headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

/** @throws ApiError for an error status, or a response that is not the server's */
async function readResponse(response: Response): Promise<unknown> {
  if (response.ok && response.headers.has('content-disposition')) return response.blob()
  const { status } = response
  const body = parseObject(await response.text())
  if (body === undefined) {
    const message = `The response (${status}) is not JSON. Check the URL and the proxy of the server.`
    throw new ApiError('NOT_JSON', message, { response })
  }
  if (response.ok) return body
  const { error, rate_limit: rateLimit } = body
  const message = error?.message ?? `The request failed with status ${status}.`
  const details = { response, rateLimit, current: error?.current }
  throw new ApiError(error?.code ?? 'UNKNOWN', message, details)
}

type ErrorBody = {
  error?: { code: string; message: string; current?: unknown }
  rate_limit?: RateLimit
}

/** Parses a JSON object; undefined if the text is anything else. */
function parseObject(text: string): ErrorBody | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // The members of an error are the same for every endpoint; all others are unchecked here.
    return typeof value === 'object' && value !== null ? (value as ErrorBody) : undefined
  } catch {
    return undefined
  }
}

function networkError(cause: unknown): ApiError {
  const message = 'The server cannot be reached. Check your connection and try again.'
  return new ApiError('NETWORK', message, { cause })
}

function parseSeconds(header: string | null | undefined): number | undefined {
  return header && /^\d+$/.test(header) ? Number(header) : undefined
}

const MAX_RETRY_DELAY_S = 10

/** Returns the seconds until the next attempt; undefined if the client should not retry. */
function retryDelay({ status, retryAfter }: ApiError, attempt: number): number | undefined {
  if (status !== 0 && status !== 503) return undefined
  // Jitter keeps clients that were rejected together from returning together.
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
