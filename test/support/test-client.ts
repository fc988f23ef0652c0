import type { Quota } from '#rules/accounts/tiers.ts'
import { decodeBody } from './decode-body.ts'
import type { TestUser } from './test-app.ts'

export type Row = Record<string, unknown>

export type {
  Price as PriceRow,
  PricedCard as CardRow,
  PrintingHistoryEntry as PointRow,
} from '../../src/client/endpoints.ts'

/** Possible members of `meta`; a test expects those it needs. */
export type ResponseMeta = {
  total: number
  page: number
  per_page: number
  has_more: boolean
  range: string
  from: string | null
  to: string
  excluded: number
  corrected_query?: string
  charged: 'scan' | 'payment' | null
  scans_charged: number
  scans_credited: number
  scans_remaining: number
  not_found: number[]
  total_requested: number
  total_resolved: number
  total_matched: number
  unpriced: number
  credits_consumed: number
  version: number | null
  built_at: string | null
  notes?: string[]
}

export type TestResponse<Data> = {
  status: number
  headers: Headers
  /** The body as sent, and as decoded text. */
  bytes: Uint8Array<ArrayBuffer>
  text: string
  /** The body; missing members are undefined. */
  body: Envelope<Data>
}

export type Envelope<Data> = {
  data: Data
  meta: ResponseMeta
  rate_limit: Quota
  error: { code: string; message: string }
}

export type TestRequestOptions = {
  /** The user whose key is sent; none by default. */
  as?: TestUser | undefined
  /** The token in the session cookie; none by default. */
  session?: string | undefined
  /** Sent as JSON with its content type. */
  json?: unknown
  /** Sent unchanged, with the content type in `headers`. */
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | FormData
  headers?: Record<string, string>
}

export type TestClient = ReturnType<typeof createTestClient>

/** An HTTP client of an app, without access to its internals. */
export function createTestClient(
  handle: (request: Request) => Response | Promise<Response>,
  keys: Record<TestUser, string>,
) {
  async function request<Data = Row>(
    method: string,
    path: string,
    { as, session, json, body, headers = {} }: TestRequestOptions = {},
  ): Promise<TestResponse<Data>> {
    const own = {
      ...(as !== undefined && { 'x-api-key': keys[as] }),
      ...(session !== undefined && { cookie: `session=${session}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    }
    const sent = json === undefined ? body : JSON.stringify(json)
    const response = await handle(
      // A real host name, because Elysia finds no path with a single word.
      new Request(`http://localhost${path}`, {
        method,
        headers: { ...own, ...headers },
        ...(sent !== undefined && { body: sent }),
      }),
    )
    const bytes = await response.bytes()
    const text = new TextDecoder().decode(decodeBody(bytes, response.headers))
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      text,
      // Tests check the content.
      body: (isJson && text !== '' ? JSON.parse(text) : {}) as Envelope<Data>,
    }
  }

  return { request, ...requestMethods(request), browser: () => createCookieClient(request) }
}

type SendRequest = <Data = Row>(
  method: string,
  path: string,
  options?: TestRequestOptions,
) => Promise<TestResponse<Data>>

function requestMethods(request: SendRequest) {
  return {
    get: <Data = Row>(path: string, options?: TestRequestOptions) =>
      request<Data>('GET', path, options),
    head: (path: string, options?: TestRequestOptions) => request('HEAD', path, options),
    post: <Data = Row>(path: string, json?: unknown, options?: TestRequestOptions) =>
      request<Data>('POST', path, { ...options, json }),
    delete: <Data = Row>(path: string, options?: TestRequestOptions) =>
      request<Data>('DELETE', path, options),
  }
}

/** Stores the session cookie and sends it, as a browser does. */
function createCookieClient(request: SendRequest) {
  let session: string | undefined

  const requestWithCookies: SendRequest = async (method, path, options) => {
    const testResponse = await request<never>(method, path, { session, ...options })
    for (const cookie of testResponse.headers.getSetCookie()) {
      const [, value] = /^session=([^;]*)/.exec(cookie) ?? []
      session = value === '' || /; Max-Age=0(;|$)/.test(cookie) ? undefined : value
    }
    return testResponse
  }

  return {
    request: requestWithCookies,
    ...requestMethods(requestWithCookies),
    /** The session cookie. */
    session: () => session,
  }
}
