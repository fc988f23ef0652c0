// Searches as collectors type them, on a real catalog. real-searches.json lists each search with the first result
// that the collector expects, as it follows from the catalog's data.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp } from '#http/app.ts'
import { type Catalog, openCatalog } from '#store/open-catalog.ts'
import { openSearchReader } from '#store/search-reader.ts'
import { RECORDED_SYNC_MS_MAX, recordedCatalog } from '../../support/sync/real-upstream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { createTestClient, type TestClient } from '../../support/test-client.ts'
import SEARCHES from './real-searches.json'

/** Minimum share of the searches whose first result is an expected one. */
const REQUIRED = 0.97

/** An exact value, a pattern between slashes, or several of them. */
type Expected = string | readonly string[]

type ExpectedCard = Partial<Record<keyof typeof MEMBERS, Expected>>

type Search = {
  kind: string
  q: string
  game?: string
  /** The first result, or several that are equally correct. */
  first: ExpectedCard | readonly ExpectedCard[]
  /** Words that no card has. */
  ignored?: readonly string[]
  /** The corrected query; null if nothing is corrected. */
  corrected?: string | null
}

/** The members of an item by their names in the table. */
const MEMBERS = {
  name: 'name',
  set: 'set_name',
  number: 'number',
  rarity: 'rarity',
  game: 'game_slug',
  type: 'product_type',
  printing: 'matched_printing',
} as const

type Item = Partial<Record<(typeof MEMBERS)[keyof typeof MEMBERS], string | null>>

type Answer = {
  data: readonly Item[]
  meta: { ignored_words?: string[]; corrected_query?: string }
}

const recorded = recordedCatalog(import.meta.path)

describe.skipIf(recorded === undefined)('searches on a real catalog', () => {
  let catalog: Catalog
  let testApp: TestApp
  let client: TestClient
  let close = () => {}

  beforeAll(async () => {
    await recorded?.sync()
    catalog = openCatalog(recorded?.dataDir ?? '', (url) => url)
    testApp = await createTestApp()
    const { app } = createApp({ ...testApp.deps, catalog })
    client = createTestClient((request) => app.handle(request), testApp.keys)
    close = () => {
      catalog.close()
    }
  }, RECORDED_SYNC_MS_MAX)

  afterAll(() => {
    close()
    recorded?.remove()
  })

  /** Returns the reason why a response is not the expected one; undefined if it is. */
  async function missOf(search: Search): Promise<string | undefined> {
    const { q, game, first, ignored, corrected } = search
    const query = new URLSearchParams({ q, per_page: '5', ...(game !== undefined && { game }) })
    const { status, body } = await client.get(`/v1/search?${query}`, { as: 'business' })
    if (status !== 200) return `status ${status}`
    const { data, meta } = body as unknown as Answer
    const [item] = data
    if (item === undefined) return 'nothing'
    if (![first].flat().some((card) => isCard(card, item))) return described(item)
    if (ignored !== undefined && !Bun.deepEquals(meta.ignored_words, ignored)) {
      return `ignores ${meta.ignored_words}`
    }
    if (corrected !== undefined && (meta.corrected_query ?? null) !== corrected) {
      return `corrected to ${meta.corrected_query}`
    }
    return undefined
  }

  test(`${SEARCHES.length} searches find first what the collector means`, async () => {
    const misses: string[] = []
    for (const search of SEARCHES as readonly Search[]) {
      const miss = await missOf(search)
      if (miss !== undefined) misses.push(`${search.kind}: ${search.q} → ${miss}`)
    }
    const share = 1 - misses.length / SEARCHES.length
    console.log(`${(100 * share).toFixed(1)} % of ${SEARCHES.length} searches; the others:`)
    for (const miss of misses) console.log(`  ${miss}`)
    expect(share).toBeGreaterThanOrEqual(REQUIRED)
  })

  test('find the same cards in memory as in the stored index, in every order', () => {
    const page = { limit: 20, offset: 3 }
    const findAll = () =>
      SEARCHES.flatMap(({ q }) =>
        (['relevance', 'price_asc', 'price_desc', 'name'] as const).map((sort) =>
          catalog.search.find({ q, sort, ...page }),
        ),
      )
    const stored = findAll()
    const reader = openSearchReader(recorded?.dataDir ?? '')
    catalog.search.useInMemory(reader.read())
    reader.close()
    expect(findAll()).toEqual(stored)
  })
})

function isCard(card: ExpectedCard, item: Item): boolean {
  return Object.entries(MEMBERS).every(([key, member]) => {
    const expected = card[key as keyof typeof MEMBERS]
    return (
      expected === undefined || [expected].flat().some((text) => isText(text, item[member] ?? ''))
    )
  })
}

function isText(expected: string, text: string): boolean {
  const [, pattern, flags] = /^\/(.+)\/(i?)$/.exec(expected) ?? []
  return pattern === undefined ? text === expected : new RegExp(pattern, flags).test(text)
}

function described(item: Item): string {
  const { name, set_name, number, matched_printing } = item
  return [name, set_name, number, matched_printing].filter((text) => text != null).join(' | ')
}
