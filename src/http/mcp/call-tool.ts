import type { TSchema } from '@sinclair/typebox'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { DeclaredInput } from '../endpoint/create-endpoint.ts'
import type { DataSource, Reply, Tool } from './tool.ts'

/** Result of a call, as the protocol sends it. */
export type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
}

/** Answers an internal request like one from the network. */
export type Dispatch = (request: Request) => Promise<Response>

type CallContext = {
  tools: ReadonlyMap<string, { tool: Tool; declared: DeclaredInput }>
  dispatch: Dispatch
  source: () => DataSource
}

/** Calls a known tool for the sender of `credentials`. */
export type CallTool = (
  name: string,
  values: Record<string, unknown>,
  credentials: Headers,
) => Promise<ToolResult>

/**
 * Creates the function that calls a tool: the endpoint of the tool answers it, so that tier, quota, checks and
 * counters are the same as over HTTP. A refusal becomes an error that the model can act on.
 */
export function createToolCaller({ tools, dispatch, source }: CallContext): CallTool {
  return async (name, values, credentials) => {
    const found = tools.get(name)
    if (found === undefined) throw new Error(`no tool is named ${name}`)
    const { tool, declared } = found
    try {
      const response = await dispatch(toolRequest(tool, declared, { values, credentials }))
      const body = (await response.json()) as Reply & { error?: { code: string; message: string } }
      if (body.error !== undefined) {
        return failure(tool, body.error, response.headers.get('retry-after'))
      }
      const { content, text } = tool.present(body, source())
      return { content: [{ type: 'text', text }], structuredContent: content }
    } catch (error) {
      if (error instanceof ServiceError) return failure(tool, error, null)
      throw error
    }
  }

  function failure(
    tool: Tool,
    { code, message }: { code: string; message: string },
    retryAfter: string | null,
  ): ToolResult {
    const wait = retryAfter === null ? '' : ` Retry after ${retryAfter} seconds.`
    const text = `${code}: ${forModel(tool, message)}${wait}`
    return { content: [{ type: 'text', text }], isError: true }
  }

  /** Replaces the names of endpoints and fields in a message with tools and arguments. */
  function forModel(tool: Tool, message: string): string {
    let text = message
    for (const [name, { field }] of Object.entries(tool.arguments)) {
      if (field !== undefined) text = text.replaceAll(`"${field}"`, `"${name}"`)
    }
    return text.replace(ENDPOINT, (endpoint) => TOOL_OF_ENDPOINT[endpoint] ?? endpoint)
  }
}

const ENDPOINT = /\b(?:GET|POST) \/v1\/[a-z/]*[a-z]/g

/** Tools for the endpoints that error messages recommend. */
const TOOL_OF_ENDPOINT: Readonly<Record<string, string>> = {
  'GET /v1/search': 'search_cards',
  'GET /v1/sets': 'list_sets',
  'GET /v1/games': 'get_freshness',
}

/** JSON Schema of the arguments of a tool. */
export type InputSchema = {
  type: 'object'
  properties: Record<string, object>
  required: string[]
  additionalProperties: false
}

/** Derives the schema of the arguments from the schemas that check the endpoint's requests. */
export function inputSchema(tool: Tool, declared: DeclaredInput): InputSchema {
  const entries = Object.entries(tool.arguments)
  const fields = entries.map(([name, argument]) => {
    const { schema, isRequired } = fieldOf(declared, argument.field ?? name)
    const { description = schema.description, default: preset = schema.default } = argument
    const property = {
      ...simplified(schema),
      ...(description !== undefined && { description }),
      ...(preset !== undefined && { default: preset }),
    }
    return { name, property, isRequired: isRequired && preset === undefined }
  })
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, property }) => [name, property])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  }
}

function fieldOf({ params, query, body }: DeclaredInput, name: string) {
  const json = body?.content['application/json']
  for (const object of [params, query, json]) {
    const schema: TSchema | undefined = object?.properties?.[name]
    if (schema !== undefined) {
      return { schema, isRequired: object?.required?.includes(name) === true }
    }
  }
  throw new Error(`the endpoint has no field ${name}`)
}

/** Keeps the keywords that all clients understand; the endpoint checks the others. */
function simplified(schema: TSchema): object {
  const { type, anyOf, minimum, maximum, minLength, maxLength } = schema
  const words = Array.isArray(anyOf) ? anyOf.map((one: TSchema) => one.const) : undefined
  const keywords = words
    ? { type: 'string', enum: words }
    : { type, minimum, maximum, minLength, maxLength }
  return Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined))
}

/**
 * Creates the request for a call of a tool.
 *
 * @param credentials headers of the sender
 * @throws ServiceError VALIDATION_ERROR for an argument that cannot be sent
 */
function toolRequest(
  tool: Tool,
  declared: DeclaredInput,
  { values, credentials }: { values: Record<string, unknown>; credentials: Headers },
): Request {
  const [method = '', template = ''] = tool.endpoint.split(' ')
  const fields = readArguments(tool, values)
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const value = fields.get(name)
    fields.delete(name)
    if (value === undefined) throw invalid(`"${argumentOf(tool, name)}" is required.`)
    return encodeURIComponent(asText(value, argumentOf(tool, name)))
  })
  const query = new URLSearchParams()
  for (const name of Object.keys(declared.query.properties)) {
    const value = fields.get(name)
    if (value !== undefined) query.set(name, asText(value, argumentOf(tool, name)))
    fields.delete(name)
  }
  const headers = new Headers(credentials)
  const url = `http://localhost${path}?${query}`
  if (declared.body === undefined) return new Request(url, { method, headers })
  headers.set('content-type', 'application/json')
  return new Request(url, { method, headers, body: JSON.stringify(Object.fromEntries(fields)) })
}

/** Returns the given values and the defaults by the names of the fields. */
function readArguments(tool: Tool, values: Record<string, unknown>): Map<string, unknown> {
  const known = Object.entries(tool.arguments)
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(tool.arguments, name))
  if (unknown !== undefined) {
    const names = known.map(([name]) => name).join(', ')
    const remedy = names === '' ? 'It has no arguments.' : `It takes: ${names}.`
    throw invalid(`The tool ${tool.name} has no argument "${unknown.slice(0, 60)}". ${remedy}`)
  }
  const fields = new Map<string, unknown>()
  for (const [name, argument] of known) {
    // Models send null for omitted arguments.
    const value = values[name] ?? argument.default
    if (value !== undefined) fields.set(argument.field ?? name, value)
  }
  return fields
}

function asText(value: unknown, name: string): string {
  if (typeof value === 'string' && value.isWellFormed()) return value
  if (typeof value === 'number') return String(value)
  throw invalid(`"${name}" must be a string or a number.`)
}

/** Returns the argument that sets a field. */
function argumentOf(tool: Tool, field: string): string {
  const found = Object.entries(tool.arguments).find(([, argument]) => argument.field === field)
  return found?.[0] ?? field
}

function invalid(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message)
}
