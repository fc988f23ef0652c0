import { expect, test } from 'bun:test'
import { createResultCache } from '#http/endpoint/result-cache.ts'
import { startTurnClock } from '../../support/event-loop-turns.ts'
import { createTestApp } from '../../support/test-app.ts'

const { publication } = (await createTestApp()).deps.catalog

test('results that many ask for at once are computed in a turn of the event loop each', async () => {
  const cache = createResultCache<number>(publication)
  const clock = startTurnClock()
  const turns: number[] = []
  const keys = [...Array(20).keys(), ...Array(20).keys()]
  const compute = (key: number) => () => {
    turns.push(clock.turn())
    return key
  }
  const results = await Promise.all(keys.map((key) => cache.getInTurn(`${key}`, compute(key))))
  clock.stop()
  expect(results).toEqual(keys)
  // Each once, although it was wanted twice.
  expect(turns).toHaveLength(20)
  expect(new Set(turns).size).toBe(20)
})

test('a known result is returned in the same turn', async () => {
  const cache = createResultCache<number>(publication)
  await cache.getInTurn('one', () => 1)
  const clock = startTurnClock()
  const start = clock.turn()
  expect(await cache.getInTurn('one', () => 2)).toBe(1)
  expect(clock.turn()).toBe(start)
  clock.stop()
})
