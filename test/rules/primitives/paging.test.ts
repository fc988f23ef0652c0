import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  computePaging,
  formatLinkHeader,
  PER_PAGE_MAX,
  pagingMeta,
} from '#rules/primitives/paging.ts'

const pagingQuery = fc.record({
  page: fc.integer({ min: 1, max: 1_000_000_000 }),
  per_page: fc.integer({ min: 1, max: 1_000_000_000 }),
})

describe('a page', () => {
  test('has at most 100 entries', () => {
    expect(PER_PAGE_MAX).toBe(100)
    fc.assert(
      fc.property(pagingQuery, (wanted) => {
        const { limit, offset, page, per_page } = computePaging(wanted)
        expect(page).toBe(wanted.page)
        expect(per_page).toBe(Math.min(100, wanted.per_page))
        expect(limit).toBe(per_page)
        expect(offset).toBe((page - 1) * per_page)
        expect(Number.isSafeInteger(offset)).toBe(true)
      }),
    )
  })

  test('after page gives the whole list, without gap or overlap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 1, max: 150 }),
        (total, perPage) => {
          const list = Array.from({ length: total }, (_, index) => index)
          const seen: number[] = []
          for (let page = 1; ; page++) {
            const paging = computePaging({ page, per_page: perPage })
            seen.push(...list.slice(paging.offset, paging.offset + paging.limit))
            const meta = pagingMeta(paging, total)
            expect(meta).toMatchObject({ total, page, per_page: paging.per_page })
            if (!meta.has_more) break
          }
          expect(seen).toEqual(list)
        },
      ),
    )
  })

  test('past the end has no next page', () => {
    fc.assert(
      fc.property(pagingQuery, fc.integer({ min: 0, max: 1_000 }), (wanted, total) => {
        const paging = computePaging(wanted)
        expect(pagingMeta(paging, total).has_more).toBe(paging.offset + paging.limit < total)
      }),
    )
  })
})

describe('the links of a page', () => {
  const at = 'https://cards.example/v1/sets'
  const meta = (page: number, total: number, per_page = 10) =>
    pagingMeta(computePaging({ page, per_page }), total)

  test.each([
    ['the first', 1, 35, 'next 2, last 4'],
    ['one in the middle', 3, 35, 'first 1, prev 2, next 4, last 4'],
    ['the last', 4, 35, 'first 1, prev 3'],
    ['the last, which is full', 3, 30, 'first 1, prev 2'],
    ['one past the end', 9, 35, 'first 1, prev 4, last 4'],
    ['one past the end of nothing', 2, 0, 'first 1, prev 1, last 1'],
    ['the only one', 1, 10, ''],
    ['the one without anything', 1, 0, ''],
  ])('%s lead to the neighboring pages and both ends', (_which, page, total, wanted) => {
    const links = formatLinkHeader(`${at}?page=${page}`, meta(page, total))
    expect((linksIn(links) ?? []).map(([rel, url]) => `${rel} ${pageIn(url)}`).join(', ')).toBe(
      wanted,
    )
    expect(links === undefined).toBe(wanted === '')
  })

  test.each([
    ['?page=2', '?page=3'],
    ['', '?page=3'],
    ['?', '?page=3'],
    ['?page=2&per_page=200&game=a', '?per_page=200&game=a&page=3'],
    ['?q=a%20b+c%2Cd&p%61ge=2', '?q=a%20b+c%2Cd&page=3'],
    ['?q=a?b=c&homepage=2', '?q=a?b=c&homepage=2&page=3'],
    ['?&&flag&page=2&', '?flag&page=3'],
    ['?q=%zz', '?q=%zz&page=3'],
  ])('keep all parameters except the page (%s)', (query, wanted) => {
    const next = linksIn(formatLinkHeader(at + query, meta(2, 35)))?.find(([rel]) => rel === 'next')
    expect(next?.[1]).toBe(at + wanted)
  })

  test('are a valid header for any URL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const links = formatLinkHeader(`${at}?q=${text}`, meta(2, 35)) ?? ''
        expect(new Headers({ link: links }).get('link')).toBe(links)
        expect(linksIn(links)?.map(([rel]) => rel)).toEqual(['first', 'prev', 'next', 'last'])
      }),
    )
  })

  test('followed from first to last, visit every page once', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 1, max: 40 }),
        (total, size) => {
          const seen: number[] = []
          for (let page: number | undefined = 1; page !== undefined; ) {
            seen.push(page)
            const links = linksIn(formatLinkHeader(`${at}?page=${page}`, meta(page, total, size)))
            const next = links?.find(([rel]) => rel === 'next')
            page = next && pageIn(next[1])
          }
          const pages = Math.max(1, Math.ceil(total / size))
          expect(seen).toEqual(Array.from({ length: pages }, (_, index) => index + 1))
        },
      ),
    )
  })
})

/** Parses relation and URL of each link; undefined if the header is invalid. */
function linksIn(header: string | undefined): [string, string][] | undefined {
  return header?.split(', ').map((link): [string, string] => {
    const [, url = '', rel = ''] = /^<([^<>" ]*)>; rel="(\w+)"$/.exec(link) ?? []
    return [rel, url]
  })
}

function pageIn(url: string): number {
  return Number(new URL(url).searchParams.get('page'))
}
