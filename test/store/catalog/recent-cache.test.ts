import { describe, expect, test } from 'bun:test'
import { createRecentCache } from '#store/catalog/recent-cache.ts'

/** A catalog of one card, and how often it was read. */
function createWorld() {
  let publish = () => {}
  const world = { text: 'first', reads: 0, onRead: () => {}, publish: () => publish() }
  const publication = {
    onChange(listener: () => void) {
      publish = listener
    },
  }
  const get = createRecentCache(publication, (cardId) => {
    world.reads++
    const text = cardId === 1 ? world.text : undefined
    world.onRead()
    return text
  })
  return Object.assign(world, { get })
}

describe('what was asked about a card', () => {
  test('is read once until the next publication', () => {
    const world = createWorld()
    expect([world.get(1), world.get(1)]).toEqual(['first', 'first'])
    expect(world.reads).toBe(1)
    world.text = 'second'
    world.publish()
    expect(world.get(1)).toBe('second')
  })

  test('is not kept if reading it notices a publication', () => {
    const world = createWorld()
    world.onRead = () => {
      world.onRead = () => {}
      world.text = 'second'
      world.publish()
    }
    expect(world.get(1)).toBe('first')
    expect(world.get(1)).toBe('second')
  })

  test('is not kept for a card that does not exist', () => {
    const world = createWorld()
    expect([world.get(2), world.get(2)]).toEqual([undefined, undefined])
    expect(world.reads).toBe(2)
  })
})
