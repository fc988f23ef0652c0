import { describe, expect, test } from 'bun:test'
import { createImageQueue } from '#actions/catalog/image-queue.ts'

const LIMITS = { total: 4, perHost: 2, waiting: 6, waitingPerClient: 4 }

/** A queue with named jobs, recorded when they start. */
function open() {
  const queue = createImageQueue(LIMITS)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (name: string, client: string, host: string) =>
    void queue.acquire({ client, host }).then((end) => {
      started.push(name)
      ends.set(name, end)
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await Bun.sleep(0)
  }
  return { queue, started, ask, end }
}

describe('the queue of images', () => {
  test('lets clients take turns', async () => {
    const { started, ask, end } = open()
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) ask(name, 'a', 'slow')
    ask('b1', 'b', 'slow')
    ask('c1', 'c', 'slow')
    await Bun.sleep(0)
    expect(started).toEqual(['a1', 'a2'])
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) await end(name)
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'a5'])
  })

  test('leaves places to other hosts', async () => {
    const { started, ask } = open()
    for (const name of ['a1', 'a2', 'a3']) ask(name, 'a', 'slow')
    ask('b1', 'b', 'quick')
    await Bun.sleep(0)
    expect(started).toEqual(['a1', 'a2', 'b1'])
  })

  test('has room for others while a client has filled its share', async () => {
    const { queue, ask } = open()
    for (let job = 0; job < 6; job++) ask(`a${job}`, 'a', 'slow')
    expect([queue.hasRoom('a'), queue.hasRoom('b')]).toEqual([false, true])
    ask('b1', 'b', 'slow')
    ask('b2', 'b', 'slow')
    expect(queue.hasRoom('b')).toBe(false)
  })
})
