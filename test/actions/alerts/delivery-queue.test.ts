import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createDeliveryQueue, DELIVERY_CONCURRENCY } from '#actions/alerts/delivery-queue.ts'

const sent = (id: number, { host = `h${id}`, account_id = id, watch = id } = {}) => ({
  id: `m${id}`,
  receiver_id: `w${watch}`,
  host,
  account_id,
})
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

/** Opens a queue that returns the ids of started messages. */
function open(limits = DELIVERY_CONCURRENCY) {
  const queue = createDeliveryQueue(limits)
  const start = (...deliveries: ReturnType<typeof sent>[]) => {
    queue.add(deliveries)
    return queue.takeAll().map(({ id }) => id)
  }
  return { ...queue, start }
}

test('four attempts per host run at once, and a fifth after one ends', () => {
  const { start, release } = open()
  const host = 'one.example'
  expect(start(...range(0, 6).map((id) => sent(id, { host })))).toEqual(['m0', 'm1', 'm2', 'm3'])
  expect(start(sent(6, { host: 'other.example' }))).toEqual(['m6'])
  release('m0')
  expect(start()).toEqual(['m4'])
  expect(start(sent(8, { host }))).toEqual([])
})

test('eight attempts per account, and one per webhook', () => {
  const { start } = open()
  expect(start(...range(0, 9).map((id) => sent(id, { account_id: 1 })))).toHaveLength(8)
  expect(start(sent(20, { watch: 20 }))).toEqual(['m20'])
  expect(start({ ...sent(21, { watch: 20 }), host: 'other' })).toEqual([])
})

test('64 attempts in total, plus 128 slow ones', () => {
  const { start, markSlow, release } = open()
  const running = start(...range(0, 1_000).map((id) => sent(id)))
  expect(running).toHaveLength(64)
  expect(start()).toEqual([])
  for (const more of [64, 64, 0]) {
    for (const id of running) markSlow(id)
    const started = start()
    expect(started).toHaveLength(more)
    running.push(...started)
  }
  expect(running).toHaveLength(64 + 128)
  release('m0')
  expect(start()).toHaveLength(1)
})

test('releasing twice, or without starting, changes nothing', () => {
  const { start, markSlow, release } = open({ perHost: 1, perAccount: 1, quick: 1, slow: 0 })
  expect(start(sent(1))).toEqual(['m1'])
  for (const id of ['m1', 'm1', 'm2']) release(id)
  markSlow('m2')
  expect(start(sent(1))).toEqual(['m1'])
  expect(start(sent(2))).toEqual([])
})

test('no limit is ever exceeded, and each end frees a slot', () => {
  const limits = { perHost: 2, perAccount: 3, quick: 5, slow: 4 }
  const step = fc.record({
    kind: fc.constantFrom('add', 'add', 'slow', 'end'),
    id: fc.nat(30),
    host: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    account_id: fc.nat(5),
    watch: fc.nat(20),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const { start, markSlow, release } = open(limits)
      const waiting = new Map<string, ReturnType<typeof sent>>()
      const running = new Map<string, ReturnType<typeof sent> & { isSlow: boolean }>()
      const mayStart = (message: ReturnType<typeof sent>) => {
        const all = [...running.values()]
        const count = (is: (one: (typeof all)[number]) => boolean) => all.filter(is).length
        const slow = Math.min(
          count(({ isSlow }) => isSlow),
          limits.slow,
        )
        return (
          all.length - slow < limits.quick &&
          count(({ host }) => host === message.host) < limits.perHost &&
          count(({ account_id }) => account_id === message.account_id) < limits.perAccount &&
          count(({ receiver_id }) => receiver_id === message.receiver_id) === 0
        )
      }
      for (const { kind, id, host, account_id, watch } of steps) {
        const message = sent(id, { host, account_id, watch })
        const added: (typeof message)[] = []
        if (kind === 'add' && !waiting.has(message.id) && !running.has(message.id)) {
          added.push(message)
          const receivers = [...waiting.values()].map(({ receiver_id }) => receiver_id)
          if (!receivers.includes(message.receiver_id)) waiting.set(message.id, message)
        } else if (kind === 'slow') {
          markSlow(message.id)
          const known = running.get(message.id)
          if (known !== undefined) known.isSlow = true
        } else if (kind === 'end') {
          release(message.id)
          running.delete(message.id)
        }
        for (const id of start(...added)) {
          const started = waiting.get(id)
          if (started === undefined) throw new Error(`${id} started without waiting`)
          expect(mayStart(started)).toBe(true)
          waiting.delete(id)
          running.set(id, { ...started, isSlow: false })
        }
        expect([...waiting.values()].filter(mayStart)).toEqual([])
      }
    }),
  )
})

test('hosts take turns: hosts that got none come first next time', () => {
  const queue = createDeliveryQueue({ ...DELIVERY_CONCURRENCY, quick: 1 })
  queue.add([...range(0, 3), ...range(10, 13)].map((id) => sent(id, { host: id < 10 ? 'a' : 'b' })))
  const order: string[] = []
  for (let next = queue.takeAll(); next.length > 0; next = queue.takeAll()) {
    for (const { id } of next) {
      order.push(id)
      queue.release(id)
    }
  }
  expect(order).toEqual(['m0', 'm10', 'm1', 'm11', 'm2', 'm12'])
})

test('a webhook is queued once, and a full account lets others of its host go first', () => {
  const { start, release } = open({ ...DELIVERY_CONCURRENCY, perAccount: 1 })
  const started = start(
    sent(1, { host: 'a', account_id: 1 }),
    sent(2, { host: 'a', account_id: 1 }),
    sent(3, { host: 'a', account_id: 2 }),
    sent(4, { host: 'a', account_id: 3, watch: 1 }),
  )
  expect(started).toEqual(['m1', 'm3'])
  release('m1')
  expect(start()).toEqual(['m2'])
  expect(start()).toEqual([])
})
