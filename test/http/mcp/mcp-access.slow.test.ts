/** Access to the MCP server: keys, origins, tiers, quota, and messages that are not calls. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createMcpFixture, type McpFixture, PING, toolCall } from '../../support/mcp.ts'
import type { TestUser } from '../../support/test-app.ts'

let fixture: McpFixture

beforeAll(async () => {
  fixture = await createMcpFixture({ env: { CORS_ORIGINS: 'https://agent.example' } })
})
afterAll(() => fixture.close())

const keyOf = (user: TestUser) => ({ 'x-api-key': fixture.keys[user] })

describe('a key', () => {
  test.each<[string, TestUser | undefined, string]>([
    ['missing', undefined, 'API_KEY_REQUIRED'],
    ['unknown', 'unknown', 'INVALID_API_KEY'],
    ['deactivated', 'deactivated', 'INVALID_API_KEY'],
  ])('that is %s is 401 for every message', async (_what, user, code) => {
    const key = user === undefined ? { 'x-api-key': '' } : keyOf(user)
    for (const message of [PING, INITIALIZE, toolCall('get_freshness')]) {
      const response = await fixture.post(message, key)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="Cardstock"')
      expect(await response.json()).toMatchObject({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, data: { code } },
      })
    }
  })

  test('is refused by a client of the SDK with the remedy', async () => {
    const refusal = await fixture.connect('unknown').catch(String)
    expect(refusal).toContain('INVALID_API_KEY')
    expect(refusal).toContain('This API key is unknown or was deactivated')
  })

  test('is accepted as a bearer token', async () => {
    const authorization = `Bearer ${fixture.keys.business}`
    const headers = { 'x-api-key': '', authorization }
    const before = await fixture.remaining('business')
    const response = await fixture.post(toolCall('list_sets'), headers)
    expect(await response.json()).toMatchObject({ result: { structuredContent: { total: 5 } } })
    expect(await fixture.remaining('business')).toBe(before - 1)
  })

  test('together with another key is 400, and neither key is charged', async () => {
    const before = [await fixture.remaining('pro'), await fixture.remaining('business')]
    const authorization = `Bearer ${fixture.keys.business}`
    const response = await fixture.post(toolCall('list_sets'), { authorization })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: -32000 } })
    expect([await fixture.remaining('pro'), await fixture.remaining('business')]).toEqual(before)
  })

  test('of the dashboard is needed as well: its header admits no visitor', async () => {
    const headers = { 'x-api-key': '', 'x-cardstock-page': '1' }
    expect((await fixture.post(toolCall('get_card', { card_id: 900003 }), headers)).status).toBe(
      401,
    )
  })
})

describe('an origin', () => {
  test.each([
    ['of the service', 'https://cards.example', 200],
    ['in CORS_ORIGINS', 'https://agent.example', 200],
    ['of another site', 'https://evil.example', 403],
    ['of another site with the host of the server', 'http://127.0.0.1', 403],
    ['that is opaque', 'null', 403],
  ])('%s: %s is %d', async (_what, origin, status) => {
    const response = await fixture.post(PING, { origin })
    expect(response.status).toBe(status)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    if (status === 403) {
      expect(await response.json()).toMatchObject({
        error: {
          data: { code: 'CROSS_ORIGIN_REJECTED' },
          message: expect.stringContaining('CORS_ORIGINS'),
        },
      })
    }
  })

  test('is checked before the key', async () => {
    const headers = { origin: 'https://evil.example', 'x-api-key': '' }
    expect((await fixture.post(PING, headers)).status).toBe(403)
  })

  test('may send the headers of the protocol', async () => {
    const response = await fetch(fixture.url, {
      method: 'OPTIONS',
      headers: { origin: 'https://agent.example', 'access-control-request-method': 'POST' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS')
    const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    const needed = ['content-type', 'x-api-key', 'mcp-protocol-version', 'mcp-session-id']
    expect(allowed).toEqual(expect.arrayContaining([...needed, 'mcp-method', 'mcp-name']))
  })
})

describe('the quota', () => {
  test('is charged as by the endpoint of the tool', async () => {
    const calls: [name: string, values: object, path: string][] = [
      ['search_cards', { q: 'cindlemane' }, '/v1/search?q=cindlemane'],
      ['search_cards', { q: '!!' }, '/v1/search?q=!!'],
      ['search_cards', { q: 'a', game: 'none' }, '/v1/search?q=a&game=none'],
      ['search_cards', { q: 'marigold', game: 'none' }, '/v1/search?q=marigold&game=none'],
      ['get_card', { card_id: 900003 }, '/v1/cards/900003'],
      ['get_card', { card_id: 5 }, '/v1/cards/5'],
      ['get_card', { card_id: -1 }, '/v1/cards/-1'],
      ['get_prices', { card_id: 900003 }, '/v1/cards/900003/prices'],
      ['get_price_history', { card_id: 900003 }, '/v1/cards/900003/history'],
      ['list_movers', { limit: 99 }, '/v1/prices/top-movers?limit=99'],
      ['list_sets', {}, '/v1/sets'],
      ['get_freshness', {}, '/v1/meta'],
    ]
    for (const user of ['free', 'business'] as const) {
      const client = await fixture.connect(user)
      for (const [name, values, path] of calls) {
        const start = await fixture.remaining(user)
        const result = await fixture.callTool(client, name, values)
        const between = await fixture.remaining(user)
        const response = await fetch(fixture.origin + path, { headers: keyOf(user) })
        const end = await fixture.remaining(user)
        expect([name, values, start - between]).toEqual([name, values, between - end])
        expect(result.isError).toBe(!response.ok)
        if (!response.ok) expect(result.text).toStartWith((await errorOf(response)).code)
      }
    }
  })

  test('is charged for a list by the tier, and only if the list is resolved', async () => {
    const list = Array.from({ length: 11 }, () => 'Cindlemane Regent').join('\n')
    for (const [user, credits] of [
      ['starter', 11],
      ['pro', 6],
      ['business', 2],
    ] as const) {
      const client = await fixture.connect(user)
      const before = await fixture.remaining(user)
      const result = await fixture.callTool(client, 'resolve_list', { list })
      expect(result.data).toMatchObject({ credits_consumed: credits })
      expect(await fixture.remaining(user)).toBe(before - credits)
    }
    const client = await fixture.connect('starter')
    const before = await fixture.remaining('starter')
    for (const [refused, text] of [
      [`${list}\n`.repeat(100), 'TOO_MANY_ITEMS: Send at most 100'],
      [' \n ', 'VALIDATION_ERROR: The list has no line with a card.'],
      [7, 'VALIDATION_ERROR: "list" must be a string.'],
    ]) {
      const result = await fixture.callTool(client, 'resolve_list', { list: refused })
      expect(result).toMatchObject({ isError: true, text: expect.stringContaining(String(text)) })
    }
    expect(await fixture.remaining('starter')).toBe(before)
    const low = await fixture.callTool(await fixture.connect('free'), 'resolve_list', { list })
    expect(low.text).toMatch(/^TIER_REQUIRED: .*Starter/)
  })

  test('is not charged for messages that are not calls', async () => {
    const before = await fixture.remaining('starter')
    const client = await fixture.connect('starter')
    await client.listTools()
    await client.ping()
    await fixture.post(INITIALIZE, keyOf('starter'))
    await fixture.post(toolCall('no_such_tool'), keyOf('starter'))
    expect(await fixture.remaining('starter')).toBe(before)
  })

  test('is charged once for each of many calls at the same time', async () => {
    const before = await fixture.remaining('pro')
    const client = await fixture.connect('pro')
    const calls = Array.from({ length: 40 }, (_, index) =>
      fixture.callTool(client, 'get_prices', { card_id: 900001 + (index % 5) }),
    )
    expect((await Promise.all(calls)).every(({ isError }) => !isError)).toBe(true)
    expect(await fixture.remaining('pro')).toBe(before - 40)
  })

  test('is charged at most once for a call whose client disconnects, and the server continues', async () => {
    const before = await fixture.remaining('hobby')
    const abort = new AbortController()
    const call = fixture
      .post(toolCall('get_card', { card_id: 900003 }), keyOf('hobby'), abort.signal)
      .catch(() => undefined)
    setTimeout(() => abort.abort(), 0)
    await call
    const client = await fixture.connect('hobby')
    expect((await fixture.callTool(client, 'get_card', { card_id: 900003 })).isError).toBe(false)
    expect([1, 2]).toContain(before - (await fixture.remaining('hobby')))
  })

  test('that is used up refuses calls with the time of the reset, and nothing else', async () => {
    const client = await fixture.connect('exhausted')
    expect((await client.listTools()).tools.length).toBeGreaterThan(5)
    expect((await fixture.callTool(client, 'get_freshness')).isError).toBe(false)
    expect(await fixture.callTool(client, 'get_card', { card_id: 900003 })).toMatchObject({
      isError: true,
      text: 'RATE_LIMIT_EXCEEDED: The daily quota is used up. It resets at midnight UTC. Retry after 9000 seconds.',
    })
  })

  test('is in the headers of each response', async () => {
    const before = await fixture.remaining('business')
    const response = await fixture.post(toolCall('list_sets'), keyOf('business'))
    expect(response.headers.get('x-ratelimit-remaining')).toBe(String(before - 1))
    expect(response.headers.get('x-ratelimit-limit')).toBe('50000')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })
})

describe('a refused call', () => {
  test.each<[string, TestUser, string, object, string]>([
    ['above the tier', 'free', 'get_price_history', { card_id: 900003 }, 'TIER_REQUIRED: '],
    ['of an unknown card', 'free', 'get_card', { card_id: 5 }, 'Use search_cards to find cards'],
    ['of an unknown game', 'free', 'list_sets', { game: 'x' }, 'get_freshness lists all games.'],
    ['without an argument', 'free', 'get_card', {}, '"card_id" is required.'],
    ['with a wrong argument', 'free', 'get_card', { card_id: 'x' }, '"card_id" must be a whole'],
    ['with an unknown argument', 'free', 'list_sets', { limit: 5 }, 'It takes: q, code, game, '],
    [
      'with an argument for a tool without',
      'free',
      'get_freshness',
      { a: 1 },
      'It has no arguments.',
    ],
    ['with a list', 'free', 'search_cards', { q: ['a'] }, '"q" must be a string or a number.'],
    ['with half a character', 'free', 'search_cards', { q: '\ud800' }, '"q" must be a string'],
    ['without words', 'free', 'search_cards', { q: '  ' }, '"q" must'],
    ['with too many words', 'free', 'search_cards', { q: 'a '.repeat(200) }, '"q" must'],
    ['with a path', 'free', 'get_card', { card_id: '../search?q=abc' }, '"card_id" must'],
  ])('%s says what to do', async (_what, user, name, values, text) => {
    const client = await fixture.connect(user)
    expect(await fixture.callTool(client, name, values)).toMatchObject({
      isError: true,
      text: expect.stringContaining(text),
      data: undefined,
    })
  })

  test('of an unknown tool is an error of the protocol', async () => {
    const response = await fixture.post(toolCall('x'.repeat(500)))
    const { error } = await response.json()
    expect(error.code).toBe(-32602)
    expect(error.message).toMatch(/^No tool is named "x{60}"\. tools\/list/)
  })
})

describe('a message', () => {
  test.each<[string, BodyInit | object, Record<string, string>, number, number]>([
    ['that is not JSON', '{"jsonrpc":', {}, 400, -32700],
    ['that is empty', '', {}, 400, -32600],
    ['that is not an object', '7', {}, 400, -32600],
    ['in a batch', [PING, PING], {}, 400, -32600],
    ['that is an empty object', {}, {}, 400, -32600],
    ['of another version of JSON-RPC', { ...PING, jsonrpc: '1.0' }, {}, 400, -32600],
    ['in too many levels', '['.repeat(20_000), {}, 400, -32700],
    ['that is too large', JSON.stringify('x'.repeat(1024 * 1024)), {}, 413, -32000],
    ['in another type', PING, { 'content-type': 'text/plain' }, 415, -32000],
    ['that accepts no JSON', PING, { accept: 'text/html' }, 406, -32000],
    ['of an unknown revision', PING, { 'mcp-protocol-version': '1999-01-01' }, 400, -32000],
    ['of an unknown method', { ...PING, method: 'no/such' }, {}, 200, -32601],
    ['of a method that the server lacks', { ...PING, method: 'prompts/list' }, {}, 200, -32601],
    ['without a tool', { ...PING, method: 'tools/call', params: {} }, {}, 200, -32602],
    [
      'with arguments that are no object',
      { ...PING, method: 'tools/call', params: { name: 'list_sets', arguments: [] } },
      {},
      200,
      -32602,
    ],
  ])('%s is refused', async (_what, body, headers, status, code) => {
    const before = await fixture.remaining('pro')
    const response = await fixture.post(body, headers)
    const text = await response.text()
    expect([response.status, JSON.parse(text).error.code]).toEqual([status, code])
    expect(text).not.toContain('/src/')
    expect(await fixture.remaining('pro')).toBe(before)
  })

  test('that expects no answer is 202 without a body', async () => {
    const response = await fixture.post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([response.status, await response.text()]).toEqual([202, ''])
  })

  test('that subscribes to changes is refused, since nothing changes', async () => {
    const client = await fixture.connect('pro', 'auto')
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
    expect(await client.listen({ toolsListChanged: true }).catch(String)).toContain('limit reached')
  })

  test.each(['GET', 'DELETE', 'PUT', 'HEAD'])('by %s is 405', async (method) => {
    const headers = { accept: 'text/event-stream', ...keyOf('pro') }
    const response = await fetch(fixture.url, { method, headers })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })

  test.each(['/mcp/', '/MCP', '/mcp/sse'])('to %s is 404', async (path) => {
    const response = await fetch(fixture.origin + path, { method: 'POST', headers: keyOf('pro') })
    expect(response.status).toBe(404)
  })
})

test('a call that fails is refunded and logged, and reveals nothing', async () => {
  const broken = await createMcpFixture()
  try {
    const client = await broken.connect('pro')
    const before = await broken.remaining('pro')
    broken.testApp.catalogDb.exec('DROP TABLE movers')
    const result = await broken.callTool(client, 'list_movers')
    expect(result).toMatchObject({ isError: true, text: expect.stringMatching(/^[A-Z_]+: [^/]+$/) })
    expect(await broken.remaining('pro')).toBe(before)
    expect(broken.testApp.log.map(({ level }) => level)).toContain('error')
    broken.testApp.log.length = 0
  } finally {
    await broken.close()
  }
})

test('calls are counted by tool, and their requests by endpoint', async () => {
  const client = await fixture.connect('pro')
  await fixture.callTool(client, 'list_sets')
  await fixture.post(toolCall('a_tool_that_does_not_exist'))
  const metrics = await (await fetch(`${fixture.origin}/metrics`)).text()
  expect(metrics).toMatch(/cardstock_mcp_calls_total\{tool="list_sets"\} [1-9]/)
  expect(metrics).toMatch(/cardstock_http_requests_total\{path="\/v1\/sets",status="200"\} [1-9]/)
  expect(metrics).toMatch(/cardstock_http_requests_total\{path="\/mcp",status="200"\} [1-9]/)
  expect(metrics).not.toContain('a_tool_that_does_not_exist')
})

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
}

async function errorOf(response: Response): Promise<{ code: string }> {
  const { error } = (await response.json()) as { error: { code: string } }
  return error
}
