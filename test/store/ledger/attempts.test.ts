import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Ledger } from '#store/ledger/ledger.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'

const MINUTE = 60_000
const START = Date.parse(FROZEN_TIME)

describe.each(LEDGERS)('attempts on %s', (_name, create) => {
  let ledgers: TestLedgers
  let servers: Ledger[]

  beforeEach(async () => {
    ledgers = await create()
    servers = [ledgers.open(), ledgers.open()]
  })
  afterEach(() => ledgers.close())

  const limited = (name: string, limit: number, windowMs = 15 * MINUTE) => ({
    name,
    limit: { limit, windowMs },
  })

  const attempts = (server = 0) => {
    const ledger = servers[server]
    if (ledger === undefined) throw new Error('no such server')
    return ledger.attempts
  }

  describe('attempts', () => {
    test('under several names are counted under all of them or none', async () => {
      const at = new Date(START)
      const both = [limited('narrow', 2), limited('wide', 5)]
      for (let tried = 0; tried < 10; tried++) await attempts().consume(both, at)
      let wide = 0
      while ((await attempts().consume([limited('wide', 5)], at)) === undefined) wide++
      expect(wide).toBe(3)
    })

    test('that are rejected return the longest wait', async () => {
      const at = new Date(START)
      const both = [limited('quick', 1, MINUTE), limited('slow', 1, 10 * MINUTE)]
      expect(await attempts().consume(both, at)).toBeUndefined()
      expect(await attempts().consume(both, at)).toBe(10 * MINUTE)
      expect(await attempts().consume([limited('quick', 1, MINUTE)], at)).toBe(MINUTE)
    })

    test('are booked at an even pace up to the limit, then refused with the wait', async () => {
      const paced = limited('paced', 2, MINUTE)
      const book = () => attempts().book(paced, new Date(START))
      expect(await book()).toEqual({ isBooked: true, delayMs: 0 })
      expect(await book()).toEqual({ isBooked: true, delayMs: MINUTE / 2 })
      expect(await book()).toEqual({ isBooked: false, waitMs: MINUTE / 2 })
    })

    test('without a name are never rejected', async () => {
      for (let tried = 0; tried < 100; tried++) {
        expect(await attempts().consume([], new Date(START))).toBeUndefined()
      }
    })

    test('that were never counted can be refunded without a trace', async () => {
      await attempts().refund([limited('none', 3)])
      let passed = 0
      while ((await attempts().consume([limited('none', 3)], new Date(START))) === undefined)
        passed++
      expect(passed).toBe(3)
    })

    test('of two servers are counted together, whatever they consume and refund', async () => {
      const steps = fc.array(
        fc.record({
          server: fc.nat({ max: 1 }),
          action: fc.constantFrom('count', 'count', 'count', 'take back', 'wait'),
          pause: fc.nat({ max: 5 * MINUTE }),
        }),
        { maxLength: 40 },
      )
      let names = 0
      await fc.assert(
        fc.asyncProperty(steps, async (plan) => {
          const one = limited(`name ${names++}`, 10)
          const step = one.limit.windowMs / one.limit.limit
          let [now, wholeAt, open] = [START, 0, 0]
          for (const { server, action, pause } of plan) {
            if (action === 'wait') {
              now += pause
            } else if (action === 'take back') {
              if (open === 0) continue
              open--
              wholeAt -= step
              await attempts(server).refund([one])
            } else {
              const next = Math.max(now, wholeAt) + step
              const waitMs = next - now - one.limit.windowMs
              const actualMs = await attempts(server).consume([one], new Date(now))
              expect(actualMs).toBe(waitMs > 0 ? waitMs : undefined)
              if (waitMs > 0) continue
              wholeAt = next
              open++
            }
          }
        }),
        { numRuns: 60 },
      )
    })
  })
})
