import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { metaOf, PER_PAGE_MAX, pagingOf } from '#rules/paging.ts'

const ask = fc.record({
  page: fc.integer({ min: 1, max: 1_000_000_000 }),
  per_page: fc.integer({ min: 1, max: 1_000_000_000 }),
})

describe('a page', () => {
  test('is at most 100 entries, however many were asked for', () => {
    expect(PER_PAGE_MAX).toBe(100)
    fc.assert(
      fc.property(ask, (wanted) => {
        const { limit, offset, page, per_page } = pagingOf(wanted)
        expect(page).toBe(wanted.page)
        expect(per_page).toBe(Math.min(100, wanted.per_page))
        expect(limit).toBe(per_page)
        expect(offset).toBe((page - 1) * per_page)
        expect(Number.isSafeInteger(offset)).toBe(true)
      }),
    )
  })

  test('after page is the whole list, without gap or overlap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 1, max: 150 }),
        (total, perPage) => {
          const list = Array.from({ length: total }, (_, index) => index)
          const seen: number[] = []
          for (let page = 1; ; page++) {
            const paging = pagingOf({ page, per_page: perPage })
            seen.push(...list.slice(paging.offset, paging.offset + paging.limit))
            const meta = metaOf(paging, total)
            expect(meta).toMatchObject({ total, page, per_page: paging.per_page })
            if (!meta.has_more) break
          }
          expect(seen).toEqual(list)
        },
      ),
    )
  })

  test('past the end has nothing behind it', () => {
    fc.assert(
      fc.property(ask, fc.integer({ min: 0, max: 1_000 }), (wanted, total) => {
        const paging = pagingOf(wanted)
        expect(metaOf(paging, total).has_more).toBe(paging.offset + paging.limit < total)
      }),
    )
  })
})
