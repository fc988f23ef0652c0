import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { TIERS } from '#rules/accounts/tiers.ts'
import {
  assertAtMost,
  BULK_IDS_MAX,
  parseIds,
  resolveCredits,
  resolveItemsMax,
} from '#rules/matching/bulk-limits.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

/** Returns the error that a call throws. */
function refusalOf(run: () => unknown): ServiceError | undefined {
  try {
    run()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  return undefined
}

describe('resolving in bulk', () => {
  test.each([
    ['starter', 100, 100],
    ['pro', 200, 100],
    ['pro', 1, 1],
    ['pro', 3, 2],
    ['business', 1, 1],
    ['business', 10, 1],
    ['business', 11, 2],
    ['business', 70, 7],
    ['business', 1_000, 100],
  ] as const)('costs %s, with %i items, %i requests', (tier, items, credits) => {
    expect(resolveCredits(tier, items)).toBe(credits)
  })

  /** Number of items that one request pays for (specification, limit 3). */
  const ITEMS_A_CREDIT = { free: 1n, hobby: 1n, starter: 1n, pro: 2n, business: 10n } as const

  test.each(TIERS)(
    'costs %s of a request per item, rounded up, for any number of items',
    (tier) => {
      const share = ITEMS_A_CREDIT[tier]
      for (let items = 0n; items <= 1_000n; items++) {
        const wanted = items / share + (items % share === 0n ? 0n : 1n)
        expect([items, resolveCredits(tier, Number(items))]).toEqual([items, Number(wanted)])
      }
    },
  )

  test('allows no items below Starter, and more with each tier', () => {
    expect(TIERS.map(resolveItemsMax)).toEqual([0, 0, 100, 500, 1_000])
  })
})

describe('a list of ids', () => {
  test('is parsed in order, without blanks and empty entries', () => {
    for (const text of ['1,2,', ',1,2', '1,,2', ' 1 , , 2 ,'])
      expect(parseIds(text, 2)).toEqual([1, 2])
    expect(parseIds('3,1,2', 9)).toEqual([3, 1, 2])
    expect(parseIds(' 3 ,\t1,2 ', 9)).toEqual([3, 1, 2])
    expect(parseIds('007', 9)).toEqual([7])
    expect(parseIds(String(Number.MAX_SAFE_INTEGER), 9)).toEqual([Number.MAX_SAFE_INTEGER])
  })

  test('drops repeated ids', () => {
    expect(parseIds('5,5,05,6,5', 9)).toEqual([5, 6])
  })

  test.each([
    ['', 'at least one'],
    [' ', 'at least one'],
    [',,', 'at least one'],
    ['1,two', '"two"'],
    ['0', '"0"'],
    ['-1', '"-1"'],
    ['+1', '"+1"'],
    ['1.5', '"1.5"'],
    ['1e3', '"1e3"'],
    ['0x10', '"0x10"'],
    ['1;2', '"1;2"'],
    ['1 2', '"1 2"'],
    ['٣', '"٣"'],
    ['9007199254740992', '"9007199254740992"'],
    ['99999999999999999999999', '"99999999999999999999"'],
    [`1,${'🔥'.repeat(50)}`, `"${'🔥'.repeat(20)}"`],
  ])('that is %p is rejected, showing %s', (text, shown) => {
    const refusal = refusalOf(() => parseIds(text, 9))
    expect(refusal?.code).toBe('VALIDATION_ERROR')
    expect(refusal?.message).toContain(shown)
    expect(refusal?.message.length).toBeLessThan(150)
  })

  test.each(Object.entries(BULK_IDS_MAX))(
    'of %s may be as long as %i and not one longer',
    (_, most) => {
      const ids = Array.from({ length: most }, (_, at) => at + 1)
      expect(parseIds(ids.join(), most)).toEqual(ids)
      const refusal = refusalOf(() => parseIds([...ids, 1].join(), most))
      expect(refusal?.code).toBe('TOO_MANY_ITEMS')
      expect(refusal?.message).toContain(`at most ${most} ids`)
    },
  )

  test('returns the joined ids, each once', () => {
    const lists = fc.array(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { minLength: 1 })
    fc.assert(
      fc.property(lists, (ids) => {
        expect(parseIds(ids.join(', '), ids.length)).toEqual([...new Set(ids)])
      }),
    )
  })
})

test('the maximum is accepted, and one more is rejected with both counts', () => {
  expect(refusalOf(() => assertAtMost(100, 100, 'items'))).toBeUndefined()
  expect(refusalOf(() => assertAtMost(101, 100, 'items'))).toMatchObject({
    code: 'TOO_MANY_ITEMS',
    message: 'Send at most 100 items per request (received 101).',
  })
})
