import { describe, expect, test } from 'bun:test'
import { createPhotoQueue, type PhotoSender } from '#vision/worker/photo-queue.ts'

type Photo = { name: string; sender: PhotoSender }

/** Creates a photo from `network/payer`. */
function photo(from: string, name: string): Photo {
  const [network = '', payer = ''] = from.split('/')
  return { name, sender: { network, payer } }
}

function queueOf(...photos: Photo[]) {
  const queue = createPhotoQueue<Photo>()
  for (const one of photos) queue.add(one)
  return queue
}

const drain = (queue: ReturnType<typeof queueOf>) =>
  Array.from({ length: queue.waitingCount() }, () => queue.take()?.name)

describe('photos in the queue', () => {
  test('take turns by network, then by payer', () => {
    const queue = queueOf(
      photo('n/a', 'a1'),
      photo('n/a', 'a2'),
      photo('n/b', 'b1'),
      photo('m/c', 'c1'),
      photo('m/c', 'c2'),
    )
    expect(drain(queue)).toEqual(['a1', 'c1', 'b1', 'c2', 'a2'])
  })

  test('of a sender that comes later precede those of one that had its turn', () => {
    const queue = queueOf(photo('n/a', 'a1'), photo('n/a', 'a2'), photo('n/a', 'a3'))
    expect(queue.take()?.name).toBe('a1')
    queue.add(photo('m/c', 'c1'))
    queue.add(photo('n/b', 'b1'))
    expect(drain(queue)).toEqual(['c1', 'b1', 'a2', 'a3'])
  })

  test('of a sender whose photo is being read come after others that arrive with them', () => {
    const queue = queueOf(photo('n/a', 'a1'))
    expect(queue.take()?.name).toBe('a1')
    for (const one of [photo('n/a', 'a2'), photo('n/b', 'b1'), photo('m/c', 'c1')]) queue.add(one)
    expect(drain(queue)).toEqual(['c1', 'b1', 'a2'])
  })

  test('are counted by payer, from all networks', () => {
    const queue = queueOf(photo('n/a', '1'), photo('m/a', '2'), photo('n/b', '3'))
    expect(['a', 'b', 'c'].map((payer) => queue.countByPayer(payer))).toEqual([2, 1, 0])
  })

  test('make room at the expense of the network with the most, whose last one leaves', () => {
    const queue = queueOf(
      photo('n/a', 'a1'),
      photo('n/b', 'b1'),
      photo('n/b', 'b2'),
      photo('m/c', 'c1'),
    )
    expect(queue.evictFor({ network: 'n', payer: 'd' })).toBeUndefined()
    expect(queue.evictFor({ network: 'm', payer: 'c' })?.name).toBe('b2')
    expect(queue.evictFor({ network: 'm', payer: 'c' })).toBeUndefined()
    expect(queue.evictFor({ network: 'o', payer: 'e' })?.name).toBe('a1')
  })
})
