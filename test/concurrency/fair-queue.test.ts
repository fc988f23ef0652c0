// How photos, images, deliveries and passwords wait is tested with their queues.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createFairQueue, type FairQueue, type FairQueueOptions } from '#concurrency/fair-queue.ts'

type Job = { name: string; key: string; rank: number }

const job = (name: string, { key = name, rank = 0 } = {}): Job => ({ name, key, rank })

/** Runs jobs until they are ended by name, and records started and refused ones. */
function open(options: FairQueueOptions<Job>) {
  const queue = createFairQueue<Job>(options)
  const started: string[] = []
  const refused: string[] = []
  const ends = new Map<string, () => void>()
  const enter = (one: Job, signal?: AbortSignal) => {
    const action = () =>
      new Promise<void>((resolve) => {
        started.push(one.name)
        ends.set(one.name, resolve)
      })
    queue.run(one, action, signal).catch((error) => refused.push(`${one.name}: ${error.message}`))
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await settle()
  }
  return { queue, started, refused, enter, end }
}

/** Waits until the callbacks of settled promises have run. */
const settle = () => Bun.sleep(0)

describe('jobs that run in turn', () => {
  test('start immediately while there is room, and return their result', async () => {
    const queue = createFairQueue<Job>({ atOnce: 2 })
    expect(await queue.run(job('a'), async () => 'result')).toBe('result')
    const failing = queue.run(job('b'), () => Promise.reject(new Error('broken')))
    await expect(failing).rejects.toThrow('broken')
    expect([queue.runningCount(), queue.waitingCount()]).toEqual([0, 0])
  })

  test('of a lower rank precede those of a higher one', async () => {
    const { started, enter, end } = open({ atOnce: 1, rank: ({ rank }) => rank })
    for (const [name, rank] of Object.entries({ a: 0, b: 2, c: 1, d: 1 }))
      enter(job(name, { rank }))
    for (const name of ['a', 'c', 'd']) await end(name)
    expect(started).toEqual(['a', 'c', 'd', 'b'])
  })

  test('of one name are limited, and do not hold up others', async () => {
    const { started, enter, end } = open({ limits: ({ key }) => [[key, 1]] })
    enter(job('a1', { key: 'a' }))
    enter(job('a2', { key: 'a' }))
    enter(job('b1', { key: 'b' }))
    await settle()
    expect(started).toEqual(['a1', 'b1'])
    await end('a1')
    expect(started).toEqual(['a1', 'b1', 'a2'])
  })

  test('start when the maximum number has grown', async () => {
    let atOnce = 0
    const { queue, started, enter } = open({ atOnce: () => atOnce })
    enter(job('a'))
    enter(job('b'))
    await settle()
    expect(started).toEqual([])
    atOnce = 1
    queue.resume()
    await settle()
    expect(started).toEqual(['a'])
  })

  test('are refused one at a time if too many wait', async () => {
    const { started, refused, enter, end } = open({
      atOnce: 1,
      findRefused: (one, { waiting }) => (waiting().length < 2 ? undefined : (waiting()[0] ?? one)),
      refusal: () => new Error('full'),
    })
    for (const name of ['a', 'b', 'c', 'd']) enter(job(name))
    await settle()
    expect(refused).toEqual(['b: full'])
    await end('a')
    await end('c')
    expect(started).toEqual(['a', 'c', 'd'])
  })

  test('leave the queue when they are canceled, and run on when they have started', async () => {
    const { queue, started, refused, enter, end } = open({ atOnce: 1 })
    const controllers = Array.from({ length: 4 }, () => new AbortController())
    const [first, second, third, late] = controllers
    enter(job('a'), first?.signal)
    enter(job('b'), second?.signal)
    enter(job('c'), third?.signal)
    await settle()
    first?.abort(new Error('too late'))
    second?.abort(new Error('canceled'))
    late?.abort(new Error('before'))
    enter(job('d'), late?.signal)
    await settle()
    expect(refused.toSorted()).toEqual(['b: canceled', 'd: before'])
    expect([queue.runningCount(), queue.waitingCount()]).toEqual([1, 1])
    await end('a')
    await end('c')
    expect(started).toEqual(['a', 'c'])
    expect([queue.runningCount(), queue.waitingCount()]).toEqual([0, 0])
  })
})

describe('a queue that is emptied by its caller', () => {
  const step = fc.record({
    kind: fc.constantFrom('add', 'add', 'take', 'remove', 'end'),
    network: fc.constantFrom('n', 'm', 'o'),
    payer: fc.constantFrom('a', 'b', 'c'),
    at: fc.nat(20),
  })
  type Photo = { network: string; payer: string }

  /** Adds, takes and removes jobs at random. Returns how many came out, or throws. */
  function play(queue: FairQueue<Photo>, steps: { kind: string; at: number }[] & Photo[]) {
    const waiting: Photo[] = []
    const running: Photo[] = []
    for (const { kind, network, payer, at } of steps) {
      if (kind === 'add') {
        const photo = { network, payer }
        waiting.push(photo)
        queue.add(photo)
      } else if (kind === 'take') {
        const photo = queue.take()
        const mayStart = waiting.filter(
          (one) => !running.some((other) => other.payer === one.payer),
        )
        expect(photo === undefined).toBe(mayStart.length === 0)
        if (photo === undefined) continue
        expect(mayStart).toContain(photo)
        // A sender's first job comes first.
        const isSame = (one: Photo) => one.network === photo.network && one.payer === photo.payer
        expect(waiting.find(isSame)).toBe(photo)
        waiting.splice(waiting.indexOf(photo), 1)
        running.push(photo)
      } else if (kind === 'remove') {
        const [photo] = waiting.splice(at % Math.max(1, waiting.length), 1)
        if (photo !== undefined)
          expect([queue.remove(photo), queue.remove(photo)]).toEqual([true, false])
      } else {
        const [photo] = running.splice(at % Math.max(1, running.length), 1)
        if (photo !== undefined) queue.end(photo)
      }
      expect(queue.waiting()).toEqual(waiting)
      expect(queue.runningCount()).toBe(running.length)
    }
  }

  test('loses no job, exceeds no limit, and withholds none that may start', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const queue = createFairQueue<Photo>({
          turns: ({ network, payer }) => [network, payer],
          limits: ({ payer }) => [[payer, 1]],
        })
        play(queue, steps)
      }),
    )
  })

  test('gives each key a turn before any has a second one', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(6), { minLength: 1, maxLength: 60 }), (keys) => {
        const queue = createFairQueue<{ key: number }>({ turns: ({ key }) => [`${key}`] })
        for (const key of keys) queue.add({ key })
        const different = new Set(keys).size
        const first = Array.from({ length: different }, () => queue.take()?.key)
        expect(new Set(first).size).toBe(different)
      }),
    )
  })

  test.each([
    { newcomersFirst: false, turns: [1, 3, 6] },
    { newcomersFirst: true, turns: [1, 12, 13] },
  ])('lets a key wait for new ones only if they are first: %j', ({ newcomersFirst, turns }) => {
    const queue = createFairQueue<{ key: string }>({ turns: ({ key }) => [key], newcomersFirst })
    for (const key of ['old', 'old', 'old']) queue.add({ key })
    const taken: (string | undefined)[] = []
    for (let turn = 0; turn < 13; turn++) {
      if (turn < 10) queue.add({ key: `new ${turn}` })
      taken.push(queue.take()?.key)
    }
    const turnsOfOld = taken.flatMap((key, at) => (key === 'old' ? [at + 1] : []))
    expect(turnsOfOld).toEqual([...turns])
  })
})
