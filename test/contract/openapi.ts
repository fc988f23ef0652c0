import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import type { TestApp } from '../support/test-app.ts'

// The API document, as the contract tests read it.

type SchemaType = 'integer' | 'number' | 'string' | 'boolean' | 'object' | 'array'

export type Schema = {
  /** A list if the value may be null. */
  type?: SchemaType | [SchemaType, 'null']
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minProperties?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  default?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
}

export type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

export type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: Parameter[]
  requestBody?: {
    required: boolean
    content: Record<string, { schema: Schema; example?: unknown }>
  }
  security: unknown
  responses: Record<string, { content?: Record<string, { schema: object; example?: unknown }> }>
}

export type Method = 'get' | 'post' | 'patch' | 'delete'

export type OpenApi = {
  openapi: string
  servers: unknown
  security: unknown
  paths: Record<string, Partial<Record<Method, Operation>>>
  webhooks: OpenApi['paths']
  components: { securitySchemes: Record<string, unknown> }
}

/** Returns the document as served. */
export async function servedDocumentOf(
  { client }: TestApp,
  path = '/openapi.json',
): Promise<OpenApi> {
  const { text } = await client.get(path)
  // A missing part fails the tests that read it.
  return JSON.parse(text) as OpenApi
}

/** Returns the document with its references resolved. */
export async function documentOf(testApp: TestApp, path?: string): Promise<OpenApi> {
  const document = await servedDocumentOf(testApp, path)
  const complete = resolved(document, document) as OpenApi
  for (const operation of Object.values(complete.paths).flatMap(Object.values<Operation>)) {
    operation.security ??= complete.security
    const { '5XX': fault, ...responses } = operation.responses
    if (fault !== undefined) operation.responses = { 500: fault, 503: fault, ...responses }
  }
  return complete
}

/** Resolves references. An object with several parts becomes one, so that it can be treated as closed. */
function resolved(value: unknown, document: object): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, document))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, allOf, ...rest } = value as { $ref?: string; allOf?: object[] }
  const own = mapMembers(rest, (member) => resolved(member, document))
  if ($ref !== undefined)
    return { ...(resolved(targetOf($ref, document), document) as object), ...own }
  if (allOf === undefined) return own
  const parts = allOf.map((part) => resolved(part, document) as Schema)
  return {
    type: 'object',
    required: parts.flatMap(({ required = [] }) => required),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
  }
}

/** Returns the target of a reference such as `#/components/schemas/Card`. */
function targetOf(reference: string, document: object): unknown {
  const names = reference.split('/').slice(1)
  return names.reduce((value: object, name) => Reflect.get(value, name), document)
}

function mapMembers(value: object, map: (member: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, map(one)]))
}

/** Returns the operation of a contract endpoint. */
export function operationOf(
  document: OpenApi,
  { method, path }: { method: string; path: string },
): Operation | undefined {
  return document.paths[path]?.[wordOf(method)]
}

function wordOf(method: string): Method {
  // Other methods do not occur in the document.
  return method.toLowerCase() as Method
}

/** Returns the operation of an address. */
export function operationAt(
  document: OpenApi,
  pathname: string,
  method = 'GET',
): [string, Operation] | undefined {
  const paths = pathsByDocument.get(document) ?? listPaths(document)
  pathsByDocument.set(document, paths)
  const best = paths.find(({ pattern }) => pattern.test(pathname))?.path
  const operation = best === undefined ? undefined : document.paths[best]?.[wordOf(method)]
  return best === undefined || operation === undefined ? undefined : [best, operation]
}

type PathPattern = { path: string; pattern: RegExp }

const pathsByDocument = new WeakMap<OpenApi, PathPattern[]>()

/** Lists the paths of a document. Literal segments come before parameters. */
function listPaths({ paths }: OpenApi): PathPattern[] {
  return Object.keys(paths)
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => {
      const source = path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')
      return { path, pattern: new RegExp(`^${source}$`) }
    })
}

/**
 * Checks bodies against the document: the fault for an operation and status, or undefined. Objects are treated as
 * closed, so that an undocumented field is a fault, too.
 */
export function openBodyCheck(document: OpenApi) {
  const ajv = addFormats(new Ajv2020({ strict: true, allErrors: true }))
  const known = new Map<string, ValidateFunction | undefined>()
  // Compiling is slow, and most refusals have one schema.
  const compiled = new Map<string, ValidateFunction>()

  function compile(schema: object): ValidateFunction {
    const text = JSON.stringify(schema)
    const validate = compiled.get(text) ?? ajv.compile(closed(schema))
    compiled.set(text, validate)
    return validate
  }

  return (path: string, status: number, body: unknown, method = 'GET'): string | undefined => {
    const at = `${status} ${method} ${path}`
    if (!known.has(at)) {
      const response = operationOf(document, { method, path })?.responses[status]
      const schema = response?.content?.['application/json']?.schema
      known.set(at, schema && compile(schema))
    }
    const validate = known.get(at)
    if (validate === undefined) return `${at} is not documented`
    return validate(body) ? undefined : `${at}: ${ajv.errorsText(validate.errors)}`
  }
}

/** Returns a schema that rejects undescribed members. */
export function closed(schema: object): object {
  const members = Object.entries(schema).map(([name, value]) => [name, closedIn(value)])
  const isShape = 'properties' in schema && !('additionalProperties' in schema)
  return Object.fromEntries([...members, ...(isShape ? [['additionalProperties', false]] : [])])
}

function closedIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedIn)
  return typeof value === 'object' && value !== null ? closed(value) : value
}
