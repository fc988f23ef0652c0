import { describe, expect, test } from 'bun:test'
import { createPhotoQueue, type PhotoSender } from '#vision/worker/photo-queue.ts'

type Photo = { name: string; sender: PhotoSender; isOfPage?: boolean }

/** Creates a photo from `network/payer`. */
function photo(from: string, name: string): Photo {
  const [network = '', payer = ''] = from.split('/')
  return { name, sender: { network, payer } }
}

const card = (from: string): Photo => ({ ...photo(from, `card of ${from}`), isOfPage: true })

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

  test.each([
    ['of a network of its own', 'x/customer'],
    ['of the network of a page', 'n1/customer'],
    ['of the account of a page', 'n1/a1'],
  ])('%s wait for one card at most, however many pages take their turns', (_, from) => {
    const pages = ['n1/a1', 'n2/a2', 'n3/a3', 'n4/a4', 'n5/a5', 'n6/a6'].map(card)
    const queue = queueOf(...pages)
    const served: string[] = []
    /** Reads the next photo. A page continues with its next card. */
    const read = () => {
      const next = queue.take()
      served.push(next?.isOfPage === true ? 'card' : 'photo')
      if (next?.isOfPage === true) queue.add({ ...next })
    }
    for (let turn = 0; turn < 9; turn++) read()
    // Two at once, the second of which arrives while the first is read.
    queue.add(photo(from, 'first'))
    read()
    for (let turn = 0; turn < 6; turn++) {
      queue.add(photo(from, 'next'))
      read()
      read()
    }
    expect(served.slice(9).join(' ')).toBe(`photo${' card photo'.repeat(6)}`)
    expect(served.slice(0, 9)).toEqual(Array(9).fill('card'))
  })

  test('of pages take turns by network and account, also while other photos arrive', () => {
    const queue = queueOf(card('n/a'), card('n/b'), card('m/c'))
    const served: (string | undefined)[] = []
    for (let turn = 0; turn < 8; turn++) {
      const next = queue.take()
      if (next?.isOfPage === true) queue.add({ ...next })
      served.push(next?.name)
      if (turn % 2 === 0) queue.add(photo(`customer ${turn}/x`, 'photo'))
    }
    const cards = ['n/a', 'm/c', 'n/b', 'm/c'].map((from) => `card of ${from}`)
    expect(served).toEqual(cards.flatMap((name) => [name, 'photo']))
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
