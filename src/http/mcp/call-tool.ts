import { ServiceError } from '#rules/primitives/errors.ts'
import type { DeclaredInput } from '../endpoint/create-endpoint.ts'
import type { DataSource, Reply, Tool } from './tool.ts'
import { toolRequest } from './tool-input.ts'

/** Result of a call, as the protocol sends it. */
export type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
}

/** Answers a request of this process as if it had come over the network. */
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

  /** Names tools and arguments in place of endpoints and their fields. */
  function forModel(tool: Tool, message: string): string {
    let text = message
    for (const [name, { field }] of Object.entries(tool.arguments)) {
      if (field !== undefined) text = text.replaceAll(`"${field}"`, `"${name}"`)
    }
    return text.replace(ENDPOINT, (endpoint) => TOOL_OF_ENDPOINT[endpoint] ?? endpoint)
  }
}

const ENDPOINT = /\b(?:GET|POST) \/v1\/[a-z/]*[a-z]/g

/** Tools that do what error messages recommend. */
const TOOL_OF_ENDPOINT: Readonly<Record<string, string>> = {
  'GET /v1/search': 'search_cards',
  'GET /v1/sets': 'list_sets',
  'GET /v1/games': 'get_freshness',
}
