// The interpretation of a query as clients see it: printings, ignored words and the cost of invalid input.
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestApp } from '../../support/test-app.ts'
import type { CardRow, ResponseMeta, TestResponse } from '../../support/test-client.ts'

type Item = CardRow & { matched_printing: string | null }
type Meta = ResponseMeta & { ignored_words: string[] }

const testApp = await createTestApp()

const get = (q: string, more = ''): Promise<TestResponse<Item[]>> =>
  testApp.client.get<Item[]>(`/v1/search?q=${encodeURIComponent(q)}${more}`, { as: 'business' })

async function search(q: string, more = '') {
  const { status, body } = await get(q, more)
  expect([q, status]).toEqual([q, 200])
  // The members that `search` returns.
  return { items: body.data, meta: body.meta as Meta }
}

const priceOf = ({ prices }: Item, printing: string | null) =>
  prices.find((price) => price.printing === printing)?.market_price

describe('the guide', () => {
  const guide = readFileSync(join(import.meta.dir, '../../../docs/guides/search/search.md'), 'utf8')
  // The first row is the header.
  const [, ...rows] = guide.matchAll(/^\| `([^`]+)` \| ([^|`]+) \| [^|]+ \|$/gm)

  test.each(rows.map(([, q = '', first = '']) => [q, first]))(
    'names the first result of %s: %s',
    async (q, first) => {
      expect((await search(q)).items[0]?.name).toBe(first)
    },
  )

  test('has a table of them', () => {
    expect(rows.length).toBeGreaterThan(15)
  })
})

describe('the price of a result', () => {
  test('is the price of the named base printing', async () => {
    const { items } = await search('cindle')
    expect(items.map(({ id, printing }) => [id, printing])).toContainEqual([900001, 'Unlimited'])
    for (const item of items) {
      expect(item.matched_printing).toBeNull()
      expect<unknown>(item.market_price).toBe(priceOf(item, item.printing))
    }
  })

  test.each([
    ['cindle 1st edition', '1st Edition'],
    ['first edition burrow', '1st Edition'],
    ['whisht foil', 'Foil'],
    ['foil whisht', 'Foil'],
    ['jellantern queen reverse holo', 'Reverse Holofoil'],
    ['cold foil marigold', 'Cold Foil'],
    ['unlimited cindle', 'Unlimited'],
  ])('is that of the printing that the query names: %s', async (q, printing) => {
    const { items, meta } = await search(q)
    expect(meta.ignored_words).toEqual([])
    expect(items.length).toBeGreaterThan(0)
    for (const item of items) {
      expect([item.id, item.matched_printing, item.printing]).toEqual([item.id, printing, printing])
      expect<unknown>(item.market_price).toBe(priceOf(item, printing))
    }
  })
})

describe('meta.ignored_words', () => {
  test('is empty if every word fits', async () => {
    for (const q of ['cindle', 'cindle lantern season', 'PD1-007', 'mari']) {
      expect([q, (await search(q)).meta.ignored_words]).toEqual([q, []])
    }
  })

  test.each([
    ['price cindle', ['price'], 5],
    ['wvwvwv cindle', ['wvwvwv'], 5],
    // Only the last word of a query may be unfinished.
    ['cindle first light', ['first', 'light'], 3],
    ['wvwvwv xqxqxq', ['wvwvwv', 'xqxqxq'], 0],
  ])('lists the words that are ignored: %s', async (q, ignored, total) => {
    const { items, meta } = await search(q)
    expect(meta.ignored_words).toEqual(ignored)
    expect(meta.corrected_query).toBeUndefined()
    const found = (await search('cindle')).items.map(({ id }) => id)
    expect(items.map(({ id }) => id)).toEqual(found.slice(0, total))
  })

  test('is listed again from the cache, and on every page', async () => {
    for (const more of ['', '', '&page=2', '&page=9&per_page=1']) {
      expect((await search('cindle wvwvwv', more)).meta.ignored_words).toEqual(['wvwvwv'])
    }
  })
})

describe('a query of 200 characters', () => {
  const fill = (words: readonly string[]) => {
    let q = ''
    for (let at = 0; q.length < 200; at++) q += `${words[at % words.length]} `
    return q.slice(0, 200).trim()
  }
  const letters = (first: number, count: number) =>
    Array.from({ length: 40 }, (_, at) =>
      String.fromCodePoint(...[0, 1, 2].map((step) => first + ((at * 7 + step * 3) % count))),
    )
  const NAMES = [
    'cindle jellantern queen marigold whisht lantern season tidepool parade ninth library drowned',
    'abbey first light foil holo reverse rare common the of edition unlimited booster box',
  ].flatMap((line) => line.split(' '))
  const QUERIES: [string, string][] = [
    ['existing words', fill(NAMES)],
    ['existing words, backwards', fill(NAMES.toReversed())],
    ['beginnings of words', fill(NAMES.map((name) => name.slice(0, 3)))],
    ['misspelled words', fill(NAMES.map((name) => name.replace(/^(.)(.)/, '$2$1')))],
    ['joined words', fill(NAMES).replaceAll(' ', '')],
    ['one letter', 'a'.repeat(200)],
    ['letters', fill([...'abcdefghijklmnopqrstuvwxyz'])],
    ['numbers', fill(Array.from({ length: 70 }, (_, at) => String(at)))],
    ['fractions', fill(Array.from({ length: 40 }, (_, at) => `${at}/${at + 20}`))],
    ['numbers with letters', fill(Array.from({ length: 40 }, (_, at) => `PD${at}-0${at}a`))],
    ['hyphens', 'a-'.repeat(99)],
    ['operators', fill(['AND', 'OR', 'NOT', 'NEAR(a', 'b)', '"x"', '^y', 'words:z', '*', '-q'])],
    ['signs', `ab${'"*^:()-+{}'.repeat(19)}`],
    ['Greek', fill(letters(0x3b1, 24))],
    ['Cyrillic', fill(letters(0x430, 32))],
    ['Arabic', fill(letters(0x627, 28))],
    ['Hebrew', fill(letters(0x5d0, 26))],
    ['Devanagari', fill(letters(0x915, 36))],
    ['Thai', fill(letters(0xe01, 40))],
    ['Hiragana', fill(letters(0x3042, 80))],
    ['Katakana', fill(letters(0x30a2, 80))],
    ['Han', fill(letters(0x4e00, 900))],
    ['Hangul', fill(letters(0xac00, 900))],
    ['emoji', `ab ${'🃏 '.repeat(60)}`],
    ['letters of four bytes', '\u{1d400}\u{1d401} '.repeat(40).trim()],
  ]

  test.each(QUERIES)('is answered and charged once: %s', async (_kind, q) => {
    expect([...q].length).toBeLessThanOrEqual(200)
    const before = (await get('cindle')).body.rate_limit
    const { status, body } = await get(q)
    expect([q, status]).toEqual([q, 200])
    expect(body.data).toBeArray()
    expect(body.rate_limit.daily_remaining).toBe(before.daily_remaining - 1)
  })

  test('holds the event loop hardly longer than an ordinary one', async () => {
    // The fastest of several runs, of different pages, so that none is cached.
    const fastest = async (q: string) => {
      const times: number[] = []
      for (let page = 1; page <= 5; page++) {
        const began = process.cpuUsage()
        await get(q, `&page=${page}&per_page=3`)
        const { user, system } = process.cpuUsage(began)
        times.push((user + system) / 1_000)
      }
      return Math.min(...times)
    }
    const ordinary = await fastest('jellantern queen tidepool')
    for (const [kind, q] of QUERIES) {
      const ms = await fastest(q)
      expect([kind, ms < 50 + 10 * ordinary]).toEqual([kind, true])
    }
  })
})
