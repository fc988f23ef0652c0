import type { ApiKeyPrincipal } from '#actions/accounts/authenticate-api-key.ts'
import type { Deps } from '#deps.ts'
import { ERRORS, ServiceError } from '#rules/primitives/errors.ts'
import packageJson from '../../../../package.json' with { type: 'json' }
import type { RequestContext } from '../../endpoint/request-context.ts'
import { readJsonBody } from '../../input/json-body.ts'
import { createToolCaller, inputSchema } from '../../mcp/call-tool.ts'
import { createMcpServer } from '../../mcp/mcp-server.ts'
import { TOOLS } from '../../mcp/tools.ts'
import type { Server } from '../../server.ts'

/** Five times the longest list of cards that a tier may resolve, with a hundred characters per line. */
const MESSAGE_BYTES_MAX = 512 * 1024

/**
 * The MCP server (modelcontextprotocol.io) at `/mcp`: endpoints of the API as tools for language models. Each
 * call is dispatched to its endpoint within this process. Call it after the routes of the tools.
 */
export function mcpRoutes(server: Server, deps: Deps): void {
  const { app, pipeline, declared, responses, quota, uploads, clientAddress } = server
  const { publicUrl, corsOrigins } = deps.config
  const origins = new Set([new URL(publicUrl).origin, ...corsOrigins])
  const count = server.metrics.counter(
    'cardstock_mcp_calls_total',
    'Calls of MCP tools, by tool.',
    'tool',
  )

  const tools = TOOLS.map((tool) => {
    const fields = declared.get(tool.endpoint)
    if (fields === undefined) throw new Error(`no endpoint is ${tool.endpoint}`)
    return { tool, declared: fields, input: inputSchema(tool, fields) }
  })
  const callTool = createToolCaller({
    tools: new Map(tools.map((one) => [one.tool.name, one])),
    dispatch: async (request) => app.handle(request),
    source: () => ({ publicUrl, published_at: deps.catalog.publication.getCurrent().published_at }),
  })
  const answerMessage = createMcpServer({
    version: packageJson.version,
    publicUrl,
    tools,
    log: deps.log,
    call(name, values, credentials) {
      count(name)
      return callTool(name, values, credentials)
    },
    describeFailure: (error, requestId) => server.translateFailure(requestId, error).message,
  })

  /** Reads one message. @throws ServiceError for a body that is not a JSON object */
  function readMessage({ request }: RequestContext, { account_id }: ApiKeyPrincipal) {
    const sender = { account_id, address: clientAddress(request), bytesMax: MESSAGE_BYTES_MAX }
    return uploads.hold(request, sender, async (reserve) => {
      const message = await readJsonBody(request, { bytesMax: MESSAGE_BYTES_MAX, reserve })
      if (typeof message === 'object' && message !== null && !Array.isArray(message)) return message
      throw NOT_ONE_MESSAGE
    })
  }

  pipeline.mount({
    method: 'POST',
    path: '/mcp',
    label: '/mcp',
    cors: 'public',
    isCompressible: true,
    authenticate(requestContext) {
      assertOrigin(requestContext.request.headers.get('origin'), origins)
      return server.authenticators.anyApiKey(requestContext)
    },
    async respond(requestContext, principal) {
      const message = await readMessage(requestContext, principal)
      // Without the body and the abort signal, because a call that has begun is answered and charged, as over HTTP.
      const { url, headers: sent } = requestContext.request
      const request = new Request(url, { method: 'POST', headers: sent })
      request.headers.set('x-request-id', requestContext.id)
      const answer = await answerMessage(request, message)
      requestContext.quota = await quota.get(principal)
      const headers = responses.headers(requestContext)
      const type = answer.headers.get('content-type')
      if (type === null) headers.delete('content-type')
      else headers.set('content-type', type)
      return new Response(answer.body, { status: answer.status, headers })
    },
    renderFailure(requestContext, error) {
      const headers = responses.headers(requestContext)
      const status = ERRORS[error.code].status
      if (error.retryAfter !== undefined) headers.set('retry-after', String(error.retryAfter))
      if (status === 401) headers.set('www-authenticate', 'Bearer realm="Cardstock"')
      const { code, message } = error
      const body = {
        jsonrpc: '2.0',
        id: null,
        error: { code: rpcCode(requestContext, error), message, data: { code } },
      }
      return new Response(JSON.stringify(body), { status, headers })
    },
  })
}

/**
 * Refuses pages of other sites, as the protocol requires: a page could use its own host name to reach a server in a
 * private network (DNS rebinding). Programs send no origin.
 *
 * @throws ServiceError CROSS_ORIGIN_REJECTED
 */
function assertOrigin(origin: string | null, allowed: ReadonlySet<string>): void {
  if (origin === null || allowed.has(origin)) return
  throw new ServiceError(
    'CROSS_ORIGIN_REJECTED',
    'Cross-origin request rejected. The operator can allow an origin in CORS_ORIGINS.',
  )
}

const NOT_ONE_MESSAGE = new ServiceError(
  'VALIDATION_ERROR',
  'Send one JSON-RPC message, as a JSON object. Batches are not supported.',
)

/** Returns a JSON-RPC 2.0 code. Servers may define codes from -32000 down. */
function rpcCode({ principal }: RequestContext, error: ServiceError): number {
  if (error === NOT_ONE_MESSAGE) return INVALID_REQUEST
  // The body is read after the sender is known.
  if (principal !== undefined && error.code === 'VALIDATION_ERROR') return PARSE_ERROR
  return ERRORS[error.code].status >= 500 ? INTERNAL_ERROR : REFUSED
}

const PARSE_ERROR = -32700
const INTERNAL_ERROR = -32603
const INVALID_REQUEST = -32600
const REFUSED = -32000
