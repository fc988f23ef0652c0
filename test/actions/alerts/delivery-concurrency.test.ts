import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  createConcurrencyLimits,
  DELIVERY_CONCURRENCY,
} from '#actions/alerts/delivery-concurrency.ts'
import { createFairQueue } from '#actions/alerts/delivery-queue.ts'

const sent = (id: number, { host = `h${id}`, account_id = id, watch = id } = {}) => ({
  ...{ id: `m${id}`, receiver_id: `w${watch}`, host, account_id },
})
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

test('four attempts per host run at once, and a fifth after one ends', () => {
  const slots = createConcurrencyLimits()
  const host = 'one.example'
  expect(range(0, 6).map((id) => slots.acquire(sent(id, { host })))).toEqual([
    ...[true, true, true, true, false, false],
  ])
  expect([slots.hasRoom(host), slots.hasRoom('other.example')]).toEqual([false, true])
  slots.release('m0')
  expect(slots.acquire(sent(7, { host }))).toBe(true)
  expect(slots.acquire(sent(8, { host }))).toBe(false)
})

test('eight attempts per account, and one per webhook', () => {
  const slots = createConcurrencyLimits()
  expect(range(0, 9).filter((id) => slots.acquire(sent(id, { account_id: 1 })))).toHaveLength(8)
  expect(slots.acquire(sent(20, { watch: 20 }))).toBe(true)
  expect(slots.acquire({ ...sent(21, { watch: 20 }), host: 'other' })).toBe(false)
})

test('64 attempts in total, plus 128 slow ones', () => {
  const slots = createConcurrencyLimits()
  const taken = () => range(0, 1_000).filter((id) => slots.acquire(sent(id))).length
  expect(taken()).toBe(64)
  expect(slots.isFull()).toBe(true)
  let all = 64
  for (const more of [64, 64, 0]) {
    for (const id of range(0, all)) slots.markSlow(`m${id}`)
    expect(taken()).toBe(more)
    all += more
  }
  expect(all).toBe(64 + 128)
  slots.release('m0')
  expect(taken()).toBe(1)
})

test('releasing twice, or without acquiring, changes nothing', () => {
  const slots = createConcurrencyLimits({ perHost: 1, perAccount: 1, quick: 1, slow: 0 })
  expect(slots.acquire(sent(1))).toBe(true)
  for (const id of ['m1', 'm1', 'm2']) slots.release(id)
  slots.markSlow('m2')
  expect([slots.acquire(sent(1)), slots.acquire(sent(2))]).toEqual([true, false])
})

test('no limit is ever exceeded, and each end frees a slot', () => {
  const limits = { perHost: 2, perAccount: 3, quick: 5, slow: 4 }
  const step = fc.record({
    deed: fc.constantFrom('take', 'take', 'slow', 'give'),
    id: fc.nat(30),
    host: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    account_id: fc.nat(5),
    watch: fc.nat(20),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const slots = createConcurrencyLimits(limits)
      const model = new Map<string, ReturnType<typeof sent> & { isSlow: boolean }>()
      for (const { deed, id, host, account_id, watch } of steps) {
        const message = sent(id, { host, account_id, watch })
        const all = [...model.values()]
        const of = (is: (one: (typeof all)[number]) => boolean) => all.filter(is).length
        if (deed === 'take' && !model.has(message.id)) {
          const slow = Math.min(
            of(({ isSlow }) => isSlow),
            limits.slow,
          )
          const mayBegin =
            all.length - slow < limits.quick &&
            of((one) => one.host === host) < limits.perHost &&
            of((one) => one.account_id === account_id) < limits.perAccount &&
            of((one) => one.receiver_id === message.receiver_id) === 0
          expect(slots.acquire(message)).toBe(mayBegin)
          if (mayBegin) model.set(message.id, { ...message, isSlow: false })
        } else if (deed === 'slow') {
          slots.markSlow(message.id)
          const known = model.get(message.id)
          if (known !== undefined) known.isSlow = true
        } else if (deed === 'give') {
          slots.release(message.id)
          model.delete(message.id)
        }
      }
    }),
  )
})

test('hosts take turns: those without one come first next time', () => {
  const slots = createConcurrencyLimits({ ...DELIVERY_CONCURRENCY, quick: 1 })
  const line = createFairQueue()
  line.add([...range(0, 3), ...range(10, 13)].map((id) => sent(id, { host: id < 10 ? 'a' : 'b' })))
  const order: string[] = []
  for (let next = line.dequeue(slots); next.length > 0; next = line.dequeue(slots)) {
    for (const { id } of next) {
      order.push(id)
      slots.release(id)
    }
  }
  expect(order).toEqual(['m0', 'm10', 'm1', 'm11', 'm2', 'm12'])
})

test('a webhook is queued once, and a full account lets others of its host go first', () => {
  const slots = createConcurrencyLimits({ ...DELIVERY_CONCURRENCY, perAccount: 1 })
  const line = createFairQueue()
  line.add([
    sent(1, { host: 'a', account_id: 1 }),
    sent(2, { host: 'a', account_id: 1 }),
    sent(3, { host: 'a', account_id: 2 }),
    sent(4, { host: 'a', account_id: 3, watch: 1 }),
  ])
  expect(line.dequeue(slots).map(({ id }) => id)).toEqual(['m1', 'm3'])
  slots.release('m1')
  expect(line.dequeue(slots).map(({ id }) => id)).toEqual(['m2'])
  expect(line.dequeue(slots)).toEqual([])
})
