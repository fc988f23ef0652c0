// The card that a name without a set means, over several publications.
import { afterAll, expect, test } from 'bun:test'
import { resolveNames } from '#actions/matching/resolve-names.ts'
import type { Preference } from '#rules/matching/preference.ts'
import { createSyncWorld, createUpstream } from '../../support/sync/upstream-fixture.ts'

const upstream = createUpstream()
upstream.addGame({ id: 1, name: 'Magic' })
upstream.addSet(1, { id: 10, name: 'Apocalypse' })
upstream.addSet(1, { id: 20, name: 'Judge Promos' })
upstream.addCard(10, { id: 1, name: 'Swamp', number: '1', prices: { Normal: 30 } })
upstream.addCard(10, { id: 2, name: 'Swamp', number: '2', prices: { Normal: 20, Foil: 90 } })
upstream.addCard(10, { id: 3, name: 'Swamp', number: '3', prices: { Normal: null } })
for (let id = 101; id <= 320; id++) {
  upstream.addCard(20, { id, name: 'Swamp', number: `${id}`, prices: { Normal: id / 100 } })
}
upstream.publish()
const world = createSyncWorld(upstream)
await world.sync()
afterAll(() => world.close())

async function find(name: string, prefer?: Preference) {
  const [answer] = await resolveNames(world, [{ name }], prefer)
  if (answer === undefined || 'reason' in answer) return undefined
  return [answer.card_id, ...answer.alternatives]
}

test('is the cheapest regular one, however many promos are cheaper', async () => {
  expect(await find('Swamp')).toEqual([2, 1, 101, 102])
  expect(await find('4 Swamp *F*')).toEqual([2, 1, 101, 102])
  expect(await find('Swamp', 'cheapest')).toEqual([101, 102, 103, 104])
  expect(await find('Swamp', 'highest')).toEqual([1, 2, 320, 319])
})

test('follows the prices of each publication', async () => {
  expect(await find('Swamp')).toEqual([2, 1, 101, 102])
  upstream.setPrice(1, 'Normal', 19)
  upstream.setPrice(200, 'Normal', 0.9)
  await world.day()
  expect(await find('Swamp')).toEqual([1, 2, 200, 101])
  expect(await find('Swamp', 'cheapest')).toEqual([200, 101, 102, 103])
})
