import { expect } from 'bun:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createTestApp, type TestAppOptions, type TestUser } from './test-app.ts'

/** Protocol versions: before 2026 with a handshake, later with the version in each message. */
export type ProtocolEra = 'legacy' | 'auto'

export type McpFixture = Awaited<ReturnType<typeof createMcpFixture>>

type ToolResult = { isError: boolean; text: string; data: unknown }

export const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

export function toolCall(name: string, values: object = {}) {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: values } }
}

/** Creates a server on a port, with clients of the official SDK. */
export async function createMcpFixture(options: TestAppOptions = {}) {
  const testApp = await createTestApp(options)
  const { url: origin } = testApp.listen()
  const url = `${origin}/mcp`
  const clients = new Map<string, Promise<Client>>()

  async function open(user: TestUser, mode: ProtocolEra): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const requestInit = { headers: { 'x-api-key': testApp.keys[user] } }
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
    return client
  }

  /** Sends a message without the SDK's client. */
  function post(
    body: BodyInit | object,
    headers: Record<string, string> = {},
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    return fetch(url, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-api-key': testApp.keys.pro,
        ...headers,
      },
    })
  }

  return {
    testApp,
    origin,
    url,
    keys: testApp.keys,
    post,
    /** Returns a connected client, the same one for each user and version. */
    connect(user: TestUser, mode: ProtocolEra = 'legacy'): Promise<Client> {
      const known = clients.get(`${user} ${mode}`)
      if (known !== undefined) return known
      const client = open(user, mode)
      clients.set(`${user} ${mode}`, client)
      return client
    },
    async callTool(client: Client, name: string, values: object = {}): Promise<ToolResult> {
      const result = await client.callTool({ name, arguments: { ...values } })
      const [content] = result.content
      if (content?.type !== 'text') throw new Error('the result has no text')
      const { isError = false, structuredContent: data } = result
      return { isError, text: content.text, data }
    },
    /** Returns today's remaining requests. */
    async remaining(user: TestUser): Promise<number> {
      const response = await post(PING, { 'x-api-key': testApp.keys[user] })
      expect(response.status).toBe(200)
      return Number(response.headers.get('x-ratelimit-remaining'))
    },
    async close(): Promise<void> {
      const opened = await Promise.allSettled(clients.values())
      for (const one of opened) if (one.status === 'fulfilled') await one.value.close()
      expect(testApp.log.filter(({ level }) => level !== 'debug')).toEqual([])
      testApp.close()
    },
  }
}
