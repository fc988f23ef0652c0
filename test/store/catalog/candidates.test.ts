import { afterEach, describe, expect, test } from 'bun:test'
import { openIndexWorld } from '../../support/index-world.ts'
import { pictureLike } from '../../support/stand-in-eye.ts'

type World = Awaited<ReturnType<typeof openIndexWorld>>

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

async function openWorld() {
  const world = await openIndexWorld()
  worlds.push(world)
  return world
}

function index({ index }: World, card_id: number, siblings: number[] = []) {
  const look = { card_id, game_id: 9001, image_url: 'x', model: 'm1', now: new Date(0) }
  index.put(look, { ...pictureLike(`art ${card_id}`), etag: null }, siblings, 0)
}

describe('a candidate', () => {
  test('has all that the verdict weighs and the answer names', async () => {
    const world = await openWorld()
    index(world, 900001)
    expect(world.catalog.candidates.byIds([900001])).toEqual([
      {
        id: 900001,
        name: 'Cindle',
        clean_name: 'Cindle',
        number: '001/024',
        rarity: 'Common',
        product_type: 'Cards',
        image_url: 'pictures/900001.webp',
        set: { id: 90011, name: 'Lantern Season', code: 'LSN' },
        release_date: '2024-10-25',
        game: { id: 9001, slug: 'wickerwild', name: 'Wickerwild Creature Duels' },
        printings: ['Unlimited', '1st Edition'],
        art_group: 900001,
      },
    ])
  })

  test('comes with the others by id; what is not there, or has vanished, is left out', async () => {
    const world = await openWorld()
    world.run("UPDATE cards SET missing_since = '2026-01-01' WHERE id = 900002")
    const found = world.catalog.candidates.byIds([900003, 5, 900002, 900001])
    expect(found.map(({ id, art_group }) => [id, art_group])).toEqual([
      [900001, null],
      [900003, null],
    ])
    expect(world.catalog.candidates.byIds([])).toEqual([])
  })
})

describe('the siblings of cards', () => {
  test('are those of the same art', async () => {
    const world = await openWorld()
    index(world, 900005)
    index(world, 900003, [900005])
    index(world, 900001)
    index(world, 900007, [900001])
    expect(world.catalog.candidates.siblingsOf([900003])).toEqual([900005])
    expect(world.catalog.candidates.siblingsOf([900003, 900007])).toEqual([900001, 900005])
    expect(world.catalog.candidates.siblingsOf([900003, 900005])).toEqual([])
  })

  test('are namesakes in the same game whose picture nobody has seen', async () => {
    const world = await openWorld()
    // 900101 is its reprint in the sample.
    for (const id of [900001, 900003, 900004]) index(world, id)
    world.run("UPDATE cards SET clean_name = 'Cindle' WHERE id IN (900002, 900003, 900301)")
    expect(world.catalog.candidates.siblingsOf([900001])).toEqual([900002, 900101])
    index(world, 900101)
    world.run("UPDATE cards SET missing_since = '2026-01-01' WHERE id = 900002")
    expect(world.catalog.candidates.siblingsOf([900001])).toEqual([])
  })
})
