import { createTestApp, type TestApp, type TestAppOptions } from '../support/test-app.ts'
import type { Row, TestRequestOptions, TestResponse } from '../support/test-client.ts'
import type { Call, Endpoint } from './endpoints.ts'

/** Calls a catalog endpoint with its sample or with another request. */
export function callCatalog(
  { client }: TestApp,
  { method, sample }: Pick<Endpoint, 'method' | 'sample'>,
  { made = sample, ...request }: TestRequestOptions & { made?: Call } = {},
): Promise<TestResponse<Row>> {
  return client.request(method, made.path, { ...request, ...sentWith(made, request) })
}

function sentWith(
  { json, csv, list }: Call,
  { headers = {} }: TestRequestOptions,
): TestRequestOptions {
  const text = csv ?? list
  const type = csv === undefined ? 'text/plain' : 'text/csv'
  if (text !== undefined) return { body: text, headers: { 'content-type': type, ...headers } }
  return json === undefined ? {} : { json }
}

/** An app in which an endpoint has something to answer. */
export function createAppFor({ path }: Endpoint, options: TestAppOptions = {}): Promise<TestApp> {
  return createTestApp({ ...options, bulkFiles: path.startsWith('/v1/bulk-data') })
}

/** Returns the same request with a choice of prices, such as `currency=EUR`. */
export function inView<Request extends Call>(made: Request, choice: string): Request {
  return { ...made, path: `${made.path}${made.path.includes('?') ? '&' : '?'}${choice}` }
}
