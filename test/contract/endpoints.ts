import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Auth, isCatalogAuth } from '#http/endpoint/declaration.ts'
import type { AccessPolicy, Tier } from '#rules/accounts/tiers.ts'
import { createTestApp, type TestUser } from '../support/test-app.ts'
import { ACCESS } from './access-table.ts'
import { documentOf, type OpenApi, type Operation, openBodyCheck, operationAt } from './openapi.ts'

/** A request without its method; names in braces represent the caller's data. */
export type Sample = { path: string; json?: unknown; csv?: string; list?: string; bytes?: string }

/** A golden body with its request. */
export type Golden = Omit<Sample, 'path'> & {
  name: string
  /** Method and path, with the query. */
  request: string
  as?: TestUser
  session?: TestUser
  body: unknown
}

/** An endpoint of the API: who may call it, its declaration in the API document, and a request that succeeds. */
export type Endpoint = {
  /** Method and path. */
  name: string
  method: string
  path: string
  auth: Auth
  /** The lowest tier that may call it; undefined if all may. */
  lowest: Record<AccessPolicy, Tier> | undefined
  operation: Operation
  /** Status of a success. */
  status: number
  sample: Sample
}

export const GOLDEN_FOLDER = join(import.meta.dir, '../golden')

export const GOLDEN: readonly Golden[] = readdirSync(GOLDEN_FOLDER).map((file) => ({
  // The golden tests write these files.
  ...(JSON.parse(readFileSync(join(GOLDEN_FOLDER, file), 'utf8')) as Golden),
  name: file.replace('.json', ''),
}))

/** The API document, which every app renders from the declarations of its endpoints. */
export const DOCUMENT = await renderDocument()

/** Finds the fault of a body that the API document does not allow. */
export const faultOf = openBodyCheck(DOCUMENT)

async function renderDocument(): Promise<OpenApi> {
  const testApp = await createTestApp()
  const document = await documentOf(testApp)
  return document
}

/** All endpoints, in the order of the access table. */
export const ENDPOINTS: readonly Endpoint[] = ACCESS.map(([name, auth, fiveTier, strict]) => {
  const [method = '', path = ''] = name.split(' ')
  const [, operation] = operationAt(DOCUMENT, path, method) ?? fail(`${name} is not documented`)
  return {
    name,
    method,
    path,
    auth,
    lowest: fiveTier && strict && { 'five-tier': fiveTier, strict },
    operation,
    status: Math.min(...Object.keys(operation.responses).map(Number)),
    sample: sampleOf(method, path),
  }
})

/** Returns the request of an endpoint's golden body, by default in US dollars. */
function sampleOf(method: string, path: string): Sample {
  const golden = GOLDEN.find(
    ({ request }) => endpointOf(request) === `${method} ${path}` && !request.includes('currency='),
  )
  const { request, json, csv, list, bytes } = golden ?? fail(`${method} ${path} has no golden body`)
  return {
    path: request.split(' ')[1] ?? '',
    ...(json !== undefined && { json }),
    ...(csv !== undefined && { csv }),
    ...(list !== undefined && { list }),
    ...(bytes !== undefined && { bytes }),
  }
}

/** Returns the name of the endpoint that a request such as `GET /v1/sets?page=2` reaches. */
export function endpointOf(request: string): string {
  const [method = '', target = ''] = request.split(' ')
  const [path = target] = operationAt(DOCUMENT, target.split('?')[0] ?? '', method) ?? []
  return `${method} ${path}`
}

/** Rows for `test.each`: the name first, so that it is in the title of the test. */
export function named(
  isWanted: (endpoint: Endpoint) => boolean = () => true,
): [string, Endpoint][] {
  return ENDPOINTS.filter(isWanted).map((endpoint) => [endpoint.name, endpoint])
}

/** Endpoint by its name, such as `GET /v1/games`. */
export function endpoint(name: string): Endpoint {
  return ENDPOINTS.find((one) => one.name === name) ?? fail(`${name} is not in the table of access`)
}

/** Endpoints of the catalog: responses to GET can be cached, and are charged. */
export const isCatalog = ({ auth }: Endpoint): boolean => isCatalogAuth(auth)

/** Endpoints that an API key can call, but not everybody. */
export const takesKey = ({ auth }: Endpoint): boolean =>
  auth === 'key' || auth === 'account' || auth === 'payer'

/** Endpoints that only sessions or unknown callers can call. */
export const isForSessions = ({ auth }: Endpoint): boolean =>
  auth === 'optional session' || auth === 'session' || auth === 'operator'

/** Endpoints that send a file instead of the envelope. */
export function isFile({ operation, status }: Endpoint): boolean {
  const json = operation.responses[status]?.content?.['application/json']?.schema
  return json === undefined || !('properties' in json)
}

/** Endpoints that send a stored file, also in ranges. */
export const isStored = ({ operation }: Endpoint): boolean => '206' in operation.responses

/** Endpoints that change something. */
export const isChange = (endpoint: Endpoint): boolean =>
  endpoint.method !== 'GET' && !isCatalog(endpoint)

/** Endpoints that only read a JSON body. */
export function takesJson({ operation }: Endpoint): boolean {
  return Object.keys(operation.requestBody?.content ?? {}).join() === 'application/json'
}

/** Endpoints with a password in their body: a valid request takes 50 ms. */
export function hashes({ operation }: Endpoint): boolean {
  const { properties = {} } = operation.requestBody?.content['application/json']?.schema ?? {}
  return 'password' in properties || 'new_password' in properties
}

export function hasParameter(name: string): (endpoint: Endpoint) => boolean {
  return ({ operation }) => operation.parameters.some((one) => one.name === name)
}

function fail(problem: string): never {
  throw new Error(problem)
}
