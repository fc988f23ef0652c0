import { expect, test } from 'bun:test'
import { mapYielding, runForSender, runYielding } from '#actions/cooperative-loop.ts'
import { countTurns, startTurnClock } from '../support/event-loop-turns.ts'

/** Keeps the processor busy for this many milliseconds. */
function busy(ms: number): void {
  for (const began = performance.now(); performance.now() - began < ms; );
}

test('runs steps one after the other, in order', async () => {
  const order: string[] = []
  const done = await runYielding([3, 1, 2], function* (item) {
    order.push(`${item} begins`)
    yield
    order.push(`${item} ends`)
    return item * 10
  })
  expect(done).toEqual([30, 10, 20])
  expect(order).toEqual(['3', '1', '2'].flatMap((item) => [`${item} begins`, `${item} ends`]))
})

test('yields between many short steps', async () => {
  const items = Array.from({ length: 100 }, (_, at) => at)
  const work = mapYielding(items, (item) => {
    busy(1)
    return item
  })
  const { result, turns } = await countTurns(work)
  expect(result).toEqual(items)
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('yields within one long step', async () => {
  const work = runYielding(['long'], function* (item) {
    for (let step = 0; step < 100; step++) {
      busy(1)
      yield
    }
    return item
  })
  const { result, turns } = await countTurns(work)
  expect(result).toEqual(['long'])
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('goes on with one of several works in each turn, in the order in which they wait', async () => {
  const clock = startTurnClock()
  const worked: { turn: number; work: number }[] = []
  const works = Array.from({ length: 10 }, (_, work) =>
    mapYielding([1, 2, 3], () => {
      // Longer than a time slice, so that each part is one of its own.
      busy(3)
      worked.push({ turn: clock.turn(), work })
    }),
  )
  await Promise.all(works)
  clock.stop()
  const order = Array.from({ length: 10 }, (_, work) => work)
  expect(worked.map(({ work }) => work)).toEqual([...order, ...order, ...order])
  expect(new Set(worked.map((one) => one.turn)).size).toBe(30)
})

test('senders take turns, so many works of one delay each part of another by one part', async () => {
  const worked: string[] = []
  const work = (sender: string, parts: number) =>
    runForSender(
      () => sender,
      () =>
        mapYielding(Array.from({ length: parts }), () => {
          busy(3)
          worked.push(sender)
        }),
    )
  const crowd = Array.from({ length: 100 }, () => work('crowd', 3))
  const other = work('other', 5)
  await other
  expect(worked.filter((sender) => sender === 'crowd').length).toBeLessThanOrEqual(7)
  await Promise.all(crowd)
  expect(worked).toHaveLength(305)
})

test('stops at a failing step', async () => {
  const begun: number[] = []
  const work = runYielding([1, 2, 3], function* (item) {
    begun.push(item)
    yield
    if (item === 2) throw new Error('two')
    return item
  })
  expect(work).rejects.toThrow('two')
  await work.catch(() => undefined)
  expect(begun).toEqual([1, 2])
})

test('does nothing without steps', async () => {
  const none: never[] = []
  const done = await runYielding(none, function* (item) {
    yield
    return item
  })
  expect(done).toEqual([])
})
