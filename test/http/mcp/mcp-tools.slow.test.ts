/** The MCP server, called by the official SDK's client over a real connection. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tool } from '@modelcontextprotocol/client'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { createHeldCollection } from '../../contract/holdings.ts'
import { createMcpFixture, type McpFixture, type ProtocolEra } from '../../support/mcp.ts'
import { addPriceSources } from '../../support/pricing/price-sources.ts'

let fixture: McpFixture
let collection_id: string

beforeAll(async () => {
  fixture = await createMcpFixture()
  addPriceSources(fixture.testApp)
  collection_id = (await createHeldCollection(fixture.testApp, 'pro')).id
})
afterAll(() => fixture.close())

/** Calls of every tool, and what their texts contain. */
const CALLS: [name: string, values: object, text: string][] = [
  ['search_cards', { q: 'cindlemane' }, 'card_id 900003: Holofoil $23.01'],
  ['search_cards', { q: 'cindelmane' }, '"cindlemane" was searched instead'],
  ['search_cards', { q: 'cindlemane 12qz98' }, 'Words that were ignored: 12qz98.'],
  ['search_cards', { q: 'cindlemane 1st edition' }, 'card_id 900002: 1st Edition $1.64, Unlimited'],
  ['search_cards', { q: 'cindlemane', per_page: 1 }, 'Call again with page 2'],
  ['search_cards', { q: 'cindlemane', game: null, set_id: '90011' }, '2 of 2'],
  ['search_cards', { q: 'nothing has such words' }, '0 of 0'],
  ['get_card', { card_id: 900003 }, 'Set: Lantern Season (set_id 90011)'],
  ['get_prices', { card_id: 900003 }, '1st Edition Holofoil: market $92.86'],
  ['get_prices', { card_id: 900003, printing: 'Holofoil' }, 'Holofoil: market $23.01'],
  ['get_prices', { card_id: 900003, printing: 'Foil' }, 'No prices are known.'],
  ['get_price_history', { card_id: 900003 }, 'Market price: $'],
  ['get_price_history', { card_id: 900003, range: 'all', printing: 'Holofoil' }, '31 of them'],
  ['get_price_history', { card_id: 900003, printing: 'Foil' }, 'No prices are known from'],
  ['list_movers', { period: '7d', game: 'wickerwild' }, 'Café Familiar'],
  ['list_sets', { q: 'lantern' }, '1 of 1 on page 1.\n- Lantern Season, LSN'],
  ['list_sets', { code: 'tpp' }, '1 of 1 on page 1.\n- Tidepool Parade, TPP'],
  ['list_sets', { game: 'wickerwild' }, 'Tidepool Parade, TPP, wickerwild'],
  [
    'resolve_list',
    { list: '2 Cindlemane Regent\n\nHesper Ring\nno such card' },
    'Lines matched: 2, ',
  ],
  ['resolve_list', { list: '2x Cindlemane Regent', game: 'wickerwild' }, '- 2 × Cindlemane Regent'],
  [
    'resolve_list',
    { list: 'Deck\n4 Cindlemane LSN 2\n\nSideboard\n1 Hesper Ring' },
    'Lines matched: 2, ',
  ],
  ['resolve_list', { list: '1 Cindlemane Regent (XYZ) 472' }, 'medium, set_not_found'],
  ['get_freshness', {}, 'wickerwild: 51 cards'],
  ['search_cards', { q: 'cindlemane', currency: 'GBP' }, 'card_id 900003: Holofoil 17.89 GBP'],
  ['get_prices', { card_id: 900003, currency: 'GBP' }, 'Prices in GBP, published'],
  ['get_prices', { card_id: 900401, source: 'cardmarket' }, 'Cold Foil: market 38.51 EUR'],
  ['get_price_history', { card_id: 900401, currency: 'EUR' }, 'market 4.25 EUR'],
  ['list_movers', { currency: 'GBP' }, 'with reference rates of 2026-11-13'],
  ['resolve_list', { list: '2 Cindlemane Regent', currency: 'JPY' }, ' JPY each'],
  ['list_collections', {}, '1 of 1 on page 1.\n- Box, items: 1'],
  ['get_collection_value', { collection_id: '…' }, '10.24 USD (items: 1, copies: 2'],
]

/** Compiles each schema once. */
const ajv = addFormats.default(new Ajv({ strict: false }))

describe.each<ProtocolEra>(['legacy', 'auto'])('a client with version negotiation %s', (era) => {
  let declared: Tool[]
  beforeAll(async () => {
    declared = (await (await fixture.connect('pro', era)).listTools()).tools
  })

  test('receives the description of the server', async () => {
    const client = await fixture.connect('free', era)
    expect(client.getServerVersion()?.name).toBe('cardstock')
    expect(client.getInstructions()).toContain('search_cards')
    expect(client.getServerCapabilities()).toEqual({ tools: {} })
  })

  test('lists tools that only read', async () => {
    const client = await fixture.connect('free', era)
    const { tools } = await client.listTools()
    expect(new Set(tools.map(({ name }) => name))).toEqual(new Set(CALLS.map(([name]) => name)))
    expect(JSON.stringify(tools)).not.toMatch(/"\$(?:id|ref)"/)
    for (const { title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(title).toBeString()
      expect(description?.length).toBeGreaterThan(40)
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      for (const property of Object.values(inputSchema.properties ?? {})) {
        expect(property).toMatchObject({
          type: expect.any(String),
          description: expect.any(String),
        })
      }
      expect(outputSchema?.type).toBe('object')
    }
  })

  test.each(CALLS)(
    '%s %j answers with data as declared, and a text',
    async (name, values, text) => {
      const client = await fixture.connect('pro', era)
      const given = 'collection_id' in values ? { collection_id } : values
      const result = await fixture.callTool(client, name, given)
      expect(result).toMatchObject({ isError: false, text: expect.stringContaining(text) })
      const isValid = ajv.compile(
        declared.find((tool) => tool.name === name)?.outputSchema ?? false,
      )
      isValid(result.data)
      expect(isValid.errors).toBeNull()
    },
  )
})

describe('the guide', () => {
  const guide = readFileSync(join(import.meta.dir, '../../../docs/guides/clients/mcp.md'), 'utf8')

  test('lists all tools', async () => {
    const { tools } = await (await fixture.connect('free')).listTools()
    const listed = [...guide.matchAll(/^\| `(\w+)` \| .+ \| \w+ \|$/gm)].map(
      ([, name = '']) => name,
    )
    expect(listed.sort()).toEqual(tools.map(({ name }) => name).sort())
  })

  test('quotes the text of a result', async () => {
    const client = await fixture.connect('pro')
    const { text } = await fixture.callTool(client, 'search_cards', { q: 'cindlemane' })
    expect(guide).toContain(text)
  })
})
