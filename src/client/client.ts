import type { Endpoints, RateLimit } from './endpoints.ts'

export type * from './endpoints.ts'

export type ClientOptions = {
  /** Where the service is, such as `https://cards.example`. */
  baseUrl: string
  /** Sent with every request. Pages of the service itself are known by their session instead. */
  key?: string | undefined
  /** Sent with every request, too. */
  headers?: Readonly<Record<string, string>>
  /** What sends requests, unless it is the platform's own `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Whether a browser sends its session, as for `fetch`. */
  credentials?: RequestCredentials
  /** How often a GET is tried again after a 503 or a network fault; 2 unless it is given. */
  retries?: number
}

export type Client = ReturnType<typeof openClient>

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The paths that take a method, as the API document writes them. */
export type MethodPath<M extends Method> = keyof Endpoints extends infer Name
  ? Name extends `${M} ${infer Path}`
    ? Path
    : never
  : never

type EndpointAt<M extends Method, Path extends string> = Endpoints[`${M} ${Path}` & keyof Endpoints]

/** What an endpoint answers. */
export type ApiResponse<M extends Method, Path extends MethodPath<M>> = EndpointAt<M, Path>['reply']

/** What an endpoint is asked with: what it needs must be there, and there is nothing else. */
export type ApiRequest<M extends Method, Path extends MethodPath<M>> = RequestPart<
  'path',
  EndpointAt<M, Path>['path']
> &
  RequestPart<'query', QueryInput<EndpointAt<M, Path>['query']>, Empty> &
  RequestPart<'body', EndpointAt<M, Path>['body']> & { signal?: AbortSignal | undefined }

type Empty = Record<never, never>

/** A part of an ask: optional where the endpoint also does with `Without`. */
type RequestPart<Name extends string, Value, Without = undefined> = [Value] extends [undefined]
  ? { [N in Name]?: undefined }
  : Without extends Value
    ? { [N in Name]?: Value | undefined }
    : { [N in Name]: Value }

/** A list of ids may be one; what may be left away may be undefined. */
type QueryInput<Query> = {
  [Name in keyof Query]:
    | Query[Name]
    | (Name extends 'ids' ? readonly number[] : never)
    | (Empty extends Pick<Query, Name> ? undefined : never)
}

type RequestArguments<Ask> = Empty extends Ask ? [ask?: Ask] : [ask: Ask]

/** An ask of whichever endpoint, as it is sent. */
type AnyRequest = {
  path?: object | undefined
  query?: object | undefined
  body?: unknown
  signal?: AbortSignal | undefined
}

/**
 * Why a request failed: what the service refused, or what came instead of its answer. A request that
 * was aborted rejects with the reason of its signal, not with this.
 */
export class ApiError extends Error {
  override name = 'ApiError'
  /** The HTTP status; 0 where there was no answer. */
  status: number
  /** The service's own word, such as `NOT_FOUND`; `NETWORK` without an answer, `NOT_JSON` for one of another kind. */
  code: string
  /** Seconds after which it may be tried again. */
  retryAfter: number | undefined
  /** What the operator finds this request by. */
  requestId: string | undefined
  /** The quota, where the answer tells it. */
  rateLimit: RateLimit | undefined

  constructor(code: string, message: string, errorDetails: ErrorDetails = {}) {
    super(message, { cause: errorDetails.cause })
    this.code = code
    this.status = errorDetails.response?.status ?? 0
    this.retryAfter = parseSeconds(errorDetails.response?.headers.get('retry-after'))
    this.requestId = errorDetails.response?.headers.get('x-request-id') ?? undefined
    this.rateLimit = errorDetails.rateLimit
  }
}

type ErrorDetails = { response?: Response; rateLimit?: RateLimit | undefined; cause?: unknown }

/**
 * Speaks with one service. What it answers is typed by its API document; each call rejects with
 * ApiError where the service refuses or cannot be reached.
 */
export function openClient(options: ClientOptions) {
  const { headers, key, credentials, retries = 2 } = options
  const { fetch: send = (url: string, init: RequestInit) => fetch(url, init) } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')

  async function ask<Reply>(method: Method, path: string, input: AnyRequest = {}): Promise<Reply> {
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
        // The document says what is answered, and the service's tests hold it to that.
        return (await readResponse(await send(url, init))) as Reply
      } catch (cause) {
        signal?.throwIfAborted()
        const error = cause instanceof ApiError ? cause : networkError(cause)
        const wait = retryDelay(error, attempt)
        if (method !== 'GET' || attempt >= retries || wait === undefined) throw error
        await sleep(wait, signal)
      }
    }
  }

  const asking =
    <M extends Method>(method: M) =>
    <Path extends MethodPath<M>>(
      path: Path,
      ...[asked]: RequestArguments<ApiRequest<M, Path>>
    ): Promise<ApiResponse<M, Path>> =>
      ask(method, path, asked)

  return {
    get: asking('GET'),
    post: asking('POST'),
    patch: asking('PATCH'),
    delete: asking('DELETE'),
    /**
     * Identifies the card on a photo, for one scan.
     *
     * @param photo JPEG, PNG or WebP, at most 8 MB
     */
    identify(
      photo: Blob | Uint8Array,
      { signal, ...given }: IdentifyOptions = {},
    ): Promise<ApiResponse<'POST', '/v1/identify'>> {
      const body = new FormData()
      // A copy of its own has an ArrayBuffer of its own, which Blob asks for.
      body.append(
        'image',
        photo instanceof Blob ? photo : new Blob([new Uint8Array(photo)]),
        'photo',
      )
      for (const [name, value] of Object.entries(given)) {
        if (value !== undefined) body.append(name, value)
      }
      return ask('POST', '/v1/identify', { body, signal })
    },
  }
}

export type IdentifyOptions = {
  /** Slug of the game to search in; else in all of them. */
  game?: string | undefined
  /** With the current prices of the top candidate. */
  include?: 'prices' | undefined
  signal?: AbortSignal | undefined
}

/**
 * `/v1/cards/{id}` with the id in its place.
 *
 * @throws ApiError for what cannot stand there: as "..", however it is written, leads to another endpoint
 */
function fillPath(path: string, values: object = {}): string {
  const texts = new Map(Object.entries(values).map(([name, value]) => [name, String(value)]))
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = texts.get(name) ?? ''
    if (!['', '.', '..'].includes(text)) return encodeURIComponent(text)
    throw new ApiError('VALIDATION_ERROR', `"${name}" must be given, and be neither "." nor "..".`)
  })
}

function formatQuery(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  // A list is written with commas, as an array's own text is.
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** A form and a file say themselves what they are; all else is sent as JSON. */
function encodeBody(body: unknown, headers: Record<string, string>): RequestInit {
  if (body === undefined) return { headers }
  if (body instanceof FormData || body instanceof Blob) return { headers, body }
  return { headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

/** @throws ApiError where the service refused, or something else than the service answered */
async function readResponse(response: Response): Promise<unknown> {
  if (response.ok && response.headers.has('content-disposition')) return response.blob()
  const body = parseObject(await response.text())
  if (body === undefined) {
    const message = `The answer (${response.status}) is not JSON: something other than the service sent it.`
    throw new ApiError('NOT_JSON', message, { response })
  }
  if (response.ok) return body
  const { error, rate_limit: rateLimit } = body
  throw new ApiError(
    error?.code ?? 'UNKNOWN',
    error?.message ?? `The answer is ${response.status}.`,
    {
      response,
      rateLimit,
    },
  )
}

type ErrorBody = { error?: { code: string; message: string }; rate_limit?: RateLimit }

/** An answer's object; undefined for what is none. */
function parseObject(text: string): ErrorBody | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // Whatever else is in it, a refusal's members are those of every refusal of the service.
    return typeof value === 'object' && value !== null ? (value as ErrorBody) : undefined
  } catch {
    return undefined
  }
}

function networkError(cause: unknown): ApiError {
  return new ApiError('NETWORK', 'The service cannot be reached. Try again later.', { cause })
}

function parseSeconds(header: string | null | undefined): number | undefined {
  return header && /^\d+$/.test(header) ? Number(header) : undefined
}

/** Nobody waits for more by themselves, in seconds. */
const MAX_RETRY_DELAY_S = 10

/** Seconds until the next attempt; undefined where there is to be none. */
function retryDelay({ status, retryAfter }: ApiError, tried: number): number | undefined {
  if (status !== 0 && status !== 503) return undefined
  // Spread, so that those who were turned away together do not come back together.
  const wait = retryAfter ?? 0.25 * 2 ** tried * (1 + Math.random())
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
