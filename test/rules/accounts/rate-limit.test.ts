import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  clientNetwork,
  consume,
  type RateLimit,
  refund,
  withWholeSteps,
} from '#rules/accounts/rate-limit.ts'

const START = Date.parse('2026-11-15T21:30:00.000Z')

const allowances = fc.record({
  limit: fc.integer({ min: 1, max: 200 }),
  windowMs: fc.integer({ min: 1_000, max: 3_600_000 }),
})

/** Pauses between attempts: many at once, some within a window, some longer than one. */
const pauses = fc.array(
  fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 500 }),
    fc.integer({ max: 4_000_000, min: 0 }),
  ),
  { minLength: 1, maxLength: 400 },
)

/** Returns the times of the allowed attempts. */
function countAllowed(rateLimit: RateLimit, gaps: readonly number[]): number[] {
  let [now, replenishedAt] = [START, 0]
  const passed: number[] = []
  for (const gap of gaps) {
    now += gap
    const attempt = consume(replenishedAt, rateLimit, now)
    if (!attempt.isAllowed) continue
    replenishedAt = attempt.replenishedAt
    passed.push(now)
  }
  return passed
}

/** Counts consecutive allowed attempts at one time. */
function burst(replenishedAt: number, rateLimit: RateLimit, now: number): number {
  let passed = 0
  for (let at = replenishedAt; ; passed++) {
    const attempt = consume(at, rateLimit, now)
    if (!attempt.isAllowed) return passed
    at = attempt.replenishedAt
  }
}

/** Returns the state of a limit used up at a given time. */
function usedUp(rateLimit: RateLimit, now: number): number {
  let replenishedAt = 0
  for (;;) {
    const attempt = consume(replenishedAt, rateLimit, now)
    if (!attempt.isAllowed) return replenishedAt
    replenishedAt = attempt.replenishedAt
  }
}

describe('a rate limit', () => {
  test('allows exactly the limit at once', () => {
    fc.assert(
      fc.property(allowances, (allowance) => {
        // A step is rounded up to a millisecond, which a whole window may lack for the last
        // attempt.
        const passed = burst(0, allowance, START)
        expect(passed).toBeLessThanOrEqual(allowance.limit)
        expect(passed).toBeGreaterThanOrEqual(
          Math.floor(allowance.windowMs / Math.ceil(allowance.windowMs / allowance.limit)),
        )
      }),
    )
  })

  test.each([
    [10, 900_000],
    [30, 3_600_000],
    [100, 900_000],
    [200, 3_600_000],
    [1, 60_000],
  ])('of %i in %i ms allows exactly that many at once', (limit, windowMs) => {
    expect(burst(0, { limit, windowMs }, START)).toBe(limit)
  })

  test('with whole steps allows exactly the limit at once, in a window that is hardly longer', () => {
    fc.assert(
      fc.property(allowances, (allowance) => {
        const whole = withWholeSteps(allowance)
        expect(burst(0, whole, START)).toBe(allowance.limit)
        expect(whole.windowMs).toBeGreaterThanOrEqual(allowance.windowMs)
        expect(whole.windowMs).toBeLessThan(allowance.windowMs + allowance.limit)
      }),
    )
  })

  test('allows no more in any time than the limit plus what that time replenishes', () => {
    fc.assert(
      fc.property(allowances, pauses, (allowance, gaps) => {
        const { limit, windowMs } = allowance
        const passed = countAllowed(allowance, gaps)
        for (const [first, from] of passed.entries()) {
          for (const [last, to] of passed.entries()) {
            if (last < first) continue
            const most = limit + Math.floor(((to - from) * limit) / windowMs)
            expect(last - first + 1).toBeLessThanOrEqual(most)
          }
        }
      }),
      { numRuns: 100 },
    )
  })

  test('allows less than twice the limit in any window, and the limit on average', () => {
    const allowance = { limit: 10, windowMs: 900_000 }
    // The maximum of an attempt every second for a day.
    const passed = countAllowed(
      allowance,
      Array.from({ length: 86_400 }, () => 1_000),
    )
    const inWindow = (from: number) =>
      passed.filter((time) => time >= from && time < from + allowance.windowMs).length
    expect(Math.max(...passed.map(inWindow))).toBe(19)
    expect(passed.length).toBeLessThanOrEqual(10 + 960)
  })

  test('returns the exact wait: then one attempt passes, a millisecond earlier none', () => {
    fc.assert(
      fc.property(allowances, pauses, fc.nat({ max: 3_600_000 }), (allowance, gaps, later) => {
        let [now, replenishedAt] = [START, 0]
        for (const gap of gaps) {
          now += gap
          const attempt = consume(replenishedAt, allowance, now)
          if (attempt.isAllowed) replenishedAt = attempt.replenishedAt
        }
        replenishedAt = Math.max(replenishedAt, usedUp(allowance, now))
        const at = now + Math.min(later, allowance.windowMs)
        const attempt = consume(replenishedAt, allowance, at)
        if (attempt.isAllowed) return
        expect(Number.isInteger(attempt.waitMs)).toBe(true)
        expect(attempt.waitMs).toBeGreaterThan(0)
        expect(attempt.waitMs).toBeLessThanOrEqual(allowance.windowMs)
        expect(consume(replenishedAt, allowance, at + attempt.waitMs).isAllowed).toBe(true)
        expect(consume(replenishedAt, allowance, at + attempt.waitMs - 1).isAllowed).toBe(false)
      }),
    )
  })

  test('that is used up is replenished after a window', () => {
    fc.assert(
      fc.property(allowances, (allowance) => {
        const replenishedAt = usedUp(allowance, START)
        const again = burst(replenishedAt, allowance, START + allowance.windowMs)
        expect(again).toBe(burst(0, allowance, START))
      }),
    )
  })
})

describe('a refunded attempt', () => {
  test('leaves the limit unchanged', () => {
    fc.assert(
      fc.property(allowances, pauses, (allowance, gaps) => {
        let [now, replenishedAt] = [START, 0]
        for (const gap of gaps) {
          now += gap
          const attempt = consume(replenishedAt, allowance, now)
          if (!attempt.isAllowed) continue
          const before = Math.max(now, replenishedAt)
          expect(refund(attempt.replenishedAt, allowance)).toBe(before)
          replenishedAt = attempt.replenishedAt
        }
      }),
    )
  })

  test('may be refunded after others, in any order', () => {
    fc.assert(
      fc.property(allowances, fc.array(fc.boolean(), { maxLength: 150 }), (allowance, kept) => {
        let replenishedAt = START
        let allowedCount: boolean[] = []
        for (const isKept of kept) {
          const attempt = consume(replenishedAt, allowance, START)
          if (!attempt.isAllowed) break
          replenishedAt = attempt.replenishedAt
          allowedCount = [...allowedCount, isKept]
        }
        let alone = START
        for (const isKept of allowedCount) {
          if (!isKept) replenishedAt = refund(replenishedAt, allowance)
          else {
            const attempt = consume(alone, allowance, START)
            if (attempt.isAllowed) alone = attempt.replenishedAt
          }
        }
        // Each attempt may be rounded by a millisecond.
        expect(Math.abs(replenishedAt - alone)).toBeLessThanOrEqual(allowedCount.length)
      }),
    )
  })
})

describe('a clock that is set back', () => {
  test('locks no client out for longer than a window', () => {
    fc.assert(
      fc.property(allowances, fc.integer({ min: 1, max: 40 * 86_400_000 }), (allowance, back) => {
        const replenishedAt = usedUp(allowance, START)
        const now = START - back
        const attempt = consume(replenishedAt, allowance, now)
        if (attempt.isAllowed) return
        expect(attempt.waitMs).toBeLessThanOrEqual(allowance.windowMs)
        expect(consume(replenishedAt, allowance, now + attempt.waitMs).isAllowed).toBe(true)
        expect(consume(replenishedAt, allowance, now + attempt.waitMs - 1).isAllowed).toBe(false)
      }),
    )
  })

  test('by a little grants no additional attempts', () => {
    fc.assert(
      fc.property(allowances, fc.nat({ max: 500 }), (allowance, back) => {
        const step = allowance.windowMs / allowance.limit
        if (back + step > allowance.windowMs) return
        expect(consume(usedUp(allowance, START), allowance, START - back).isAllowed).toBe(false)
      }),
    )
  })
})

describe('the network of a client address', () => {
  const byte = fc.nat({ max: 255 })
  const group = fc.nat({ max: 0xffff })
  const groupsOfAll = fc.array(fc.oneof(fc.constant(0), group), { minLength: 8, maxLength: 8 })

  /** Formats eight groups in any notation of RFC 4291, 2.2. */
  const spelled = (groups: readonly number[], how: { [name: string]: boolean | number }) => {
    let texts = groups.map((value) => {
      const text = value.toString(16).padStart(how.padded ? 4 : 1, '0')
      return how.capital ? text.toUpperCase() : text
    })
    if (how.dotted) {
      const [high = 0, low = 0] = groups.slice(6)
      texts = [...texts.slice(0, 6), [high >> 8, high & 255, low >> 8, low & 255].join('.')]
    }
    const from = texts.findIndex((_, index) => index < 6 && groups[index] === 0)
    if (how.short && from >= 0) {
      let to = from
      while (to < 6 && groups[to] === 0) to++
      return `${texts.slice(0, from).join(':')}::${texts.slice(to).join(':')}`
    }
    return texts.join(':')
  }
  const spellings = fc.record({
    padded: fc.boolean(),
    capital: fc.boolean(),
    dotted: fc.boolean(),
    short: fc.boolean(),
  })

  test('of an IPv4 address is the address itself', () => {
    fc.assert(
      fc.property(byte, byte, byte, byte, (...bytes) => {
        expect(clientNetwork(bytes.join('.'))).toBe(bytes.join('.'))
        expect(clientNetwork(`${bytes.join('.')}:50321`)).toBe(bytes.join('.'))
      }),
    )
  })

  test('of an IPv4-mapped IPv6 address is the IPv4 address, in every notation', () => {
    fc.assert(
      fc.property(byte, byte, byte, byte, spellings, (a, b, c, d, how) => {
        const groups = [0, 0, 0, 0, 0, 0xffff, a * 256 + b, c * 256 + d]
        expect(clientNetwork(spelled(groups, how))).toBe(`${a}.${b}.${c}.${d}`)
      }),
    )
  })

  test('of an IPv6 address is its first 64 bits, in every notation', () => {
    fc.assert(
      fc.property(groupsOfAll, spellings, (groups, how) => {
        if (groups.slice(0, 5).every((value) => value === 0) && groups[5] === 0xffff) return
        const place = `${groups
          .slice(0, 4)
          .map((value) => value.toString(16))
          .join(':')}::/64`
        const text = spelled(groups, how)
        expect([text, clientNetwork(text)]).toEqual([text, place])
        expect(clientNetwork(`${text}%eth0`)).toBe(place)
        expect(clientNetwork(`[${text}]:443`)).toBe(place)
      }),
      { numRuns: 500 },
    )
  })

  test('of other text is the text, and never an error', () => {
    for (const odd of [
      '',
      'unknown',
      ':',
      ':::',
      '1::2::3',
      '1:2:3',
      'g::1',
      '::1]:80/[',
      '[',
      '%',
    ])
      expect([odd, clientNetwork(odd)]).toEqual([odd, odd])
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\da-f:.%[\]]{0,40}$/)),
        (text) => {
          expect(clientNetwork(text)).not.toContain('NaN')
          expect(clientNetwork(text)).not.toContain('undefined')
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
