import type * as Sdk from '@modelcontextprotocol/server'
import type { Log } from '#log.ts'
import type { CallTool, InputSchema } from './call-tool.ts'
import type { Tool } from './tool.ts'

/** Answers one message of the protocol, in JSON. */
export type AnswerMessage = (request: Request, message: object) => Promise<Response>

type ServerOptions = {
  version: string
  publicUrl: string
  tools: readonly { tool: Tool; input: InputSchema }[]
  call: CallTool
  /** Converts a failure of a request to the message that the client may see. */
  describeFailure(error: unknown, requestId: string): string
  log: Log
}

/**
 * Creates the MCP server. It has no state: each request gets its own server, as the SDK intends for servers without
 * sessions.
 */
export function createMcpServer(options: ServerOptions): AnswerMessage {
  let answer: Promise<AnswerMessage> | undefined
  return async (request, message) => {
    // The SDK takes 30 MB, so it is loaded for the first client. The next one tries again if that fails.
    answer ??= loadServer(options).catch((error) => {
      answer = undefined
      throw error
    })
    return (await answer)(request, message)
  }
}

async function loadServer(options: ServerOptions): Promise<AnswerMessage> {
  const { version, publicUrl, call, describeFailure, log } = options
  const sdk = await import('@modelcontextprotocol/server')
  const listed = options.tools.map(({ tool, input }) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: input,
    outputSchema: tool.output,
    annotations: ANNOTATIONS,
  }))
  // In the form in which it is sent, without names of schemas, which are only for the API document.
  const tools: Sdk.Tool[] = JSON.parse(
    JSON.stringify(listed, (key, value) => (key === '$id' ? undefined : value)),
  )
  const names = new Set(tools.map(({ name }) => name))
  const onerror = (error: Error) => log.debug('mcp message refused', { error })

  function createServer() {
    const identity = { name: 'cardstock', title: 'Cardstock', version, websiteUrl: publicUrl }
    const settings = { capabilities: { tools: {} }, instructions: INSTRUCTIONS }
    const server = new sdk.Server(identity, settings)
    server.onerror = onerror
    server.setRequestHandler('tools/list', () => ({ tools }))
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const { name, arguments: values = {} } = params
      if (!names.has(name)) {
        const message = `No tool is named "${name.slice(0, 60)}". tools/list lists all tools.`
        throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, message)
      }
      const { headers } = context.http?.req ?? new Request(publicUrl)
      try {
        return await call(name, values, credentialsOf(headers))
      } catch (error) {
        const text = describeFailure(error, headers.get('x-request-id') ?? 'mcp')
        return { content: [{ type: 'text', text }], isError: true }
      }
    })
    return server
  }

  // Clients cannot subscribe to anything.
  const modern = sdk.createMcpHandler(createServer, {
    legacy: 'reject',
    maxSubscriptions: 0,
    onerror,
  })

  /** Serves versions of the protocol before 2026. */
  async function serveLegacy(request: Request, message: object): Promise<Response> {
    const server = createServer()
    // Single answers do not need a stream, and proxies tend to delay streams.
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    try {
      return await transport.handleRequest(request, { parsedBody: message })
    } finally {
      await server.close()
    }
  }

  return async (request, message) =>
    (await sdk.isLegacyRequest(request, message))
      ? serveLegacy(request, message)
      : modern.fetch(request, { parsedBody: message })
}

/** Returns the headers that authenticate the sender of a request. */
function credentialsOf(headers: Headers): Headers {
  const names = ['x-api-key', 'authorization']
  return new Headers(
    names.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value] as [string, string]]
    }),
  )
}

/** Tools read the catalog of this server, and change nothing. */
const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

const INSTRUCTIONS = `Cardstock knows trading cards and sealed products with their market prices, in US dollars or the currency that you name.
Find a card with search_cards, then use its card_id with the other tools. Prices differ by printing (Normal, Foil,
1st Edition and so on): name the printing when you quote a price, and state when prices were published. null means
unknown. Each tool call costs one request of the user's daily quota; get_freshness is free.`
