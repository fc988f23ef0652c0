import { describe, expect, test } from 'bun:test'
import { createImageQueue } from '#actions/catalog/image-queue.ts'

const LIMITS = { total: 4, perHost: 2, waiting: 6, waitingPerClient: 4 }

/** Opens a queue with named jobs that are recorded when they start. */
function open() {
  const queue = createImageQueue(LIMITS)
  const started: string[] = []
  const dropped: string[] = []
  const ends = new Map<string, () => void>()
  const request = (name: string, client: string, host: string) => {
    const fetchImage = () =>
      new Promise<void>((resolve) => {
        started.push(name)
        ends.set(name, resolve)
      })
    queue.run({ client, host }, fetchImage).catch((error) => {
      expect(error).toMatchObject({ code: 'UNAVAILABLE', retryAfter: 5 })
      dropped.push(name)
    })
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await Bun.sleep(0)
  }
  return { started, dropped, request, end }
}

describe('the queue of images', () => {
  test('lets clients take turns, each with its newest job first', async () => {
    const { started, request, end } = open()
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) request(name, 'a', 'slow')
    request('b1', 'b', 'slow')
    request('c1', 'c', 'slow')
    await Bun.sleep(0)
    expect(started).toEqual(['a1', 'a2'])
    for (const name of ['a1', 'a2', 'a5', 'b1', 'c1']) await end(name)
    expect(started).toEqual(['a1', 'a2', 'a5', 'b1', 'c1', 'a4', 'a3'])
  })

  test('leaves places to other hosts', async () => {
    const { started, request } = open()
    for (const name of ['a1', 'a2', 'a3']) request(name, 'a', 'slow')
    request('b1', 'b', 'quick')
    await Bun.sleep(0)
    expect(started).toEqual(['a1', 'a2', 'b1'])
  })

  test('drops the oldest job of a client that has filled its share', async () => {
    const { started, dropped, request, end } = open()
    for (let job = 1; job <= 8; job++) request(`a${job}`, 'a', 'slow')
    await Bun.sleep(0)
    expect(dropped).toEqual(['a3', 'a4'])
    request('b1', 'b', 'slow')
    for (const name of ['a1', 'a2', 'a8', 'b1', 'a7', 'a6']) await end(name)
    expect(started).toEqual(['a1', 'a2', 'a8', 'b1', 'a7', 'a6', 'a5'])
  })

  test('takes no job of a client without one while others fill the queue', async () => {
    const { started, dropped, request, end } = open()
    for (let job = 1; job <= 6; job++) request(`a${job}`, 'a', 'slow')
    request('b1', 'b', 'slow')
    request('b2', 'b', 'slow')
    request('c1', 'c', 'slow')
    request('b3', 'b', 'slow')
    await Bun.sleep(0)
    expect(dropped).toEqual(['c1', 'b1'])
    await end('a1')
    request('c2', 'c', 'slow')
    await Bun.sleep(0)
    expect([started, dropped]).toEqual([
      ['a1', 'a2', 'a6'],
      ['c1', 'b1'],
    ])
  })
})
