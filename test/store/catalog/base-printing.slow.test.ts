import { afterEach, describe, expect, test } from 'bun:test'
import type { Db } from '#store/db.ts'
import { createSyncWorld, createUpstream } from '../../support/sync/upstream-fixture.ts'

const worlds: { close(): void }[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

type Row = {
  card_id: number
  printing: string
  market_price: number | null
  low_price: number | null
  is_base_printing: number
}

function readRows(db: Db): Row[] {
  return db
    .prepare<[], Row>(
      `SELECT card_id, name AS printing, market_price, low_price, is_base_printing
         FROM prices JOIN printings ON printings.id = printing_id ORDER BY card_id, printing_id`,
    )
    .all()
}

describe('the stored base printing', () => {
  test('follows the prices of every sync', async () => {
    const upstream = createUpstream()
    upstream.addGame({ id: 62, name: 'Flesh and Blood' })
    upstream.addSet(62, { id: 1, name: 'Welcome to Rathe' })
    const editions = { 'Unlimited Edition Normal': 0.06, 'Unlimited Edition Rainbow Foil': 0.99 }
    const first = { '1st Edition Normal': 0.46, '1st Edition Rainbow Foil': 30.24 }
    upstream.addCard(1, { id: 10, prices: { ...first, ...editions } })
    upstream.addCard(1, { id: 11, prices: { 'Cold Foil': 3, 'Rainbow Foil': 4 } })
    upstream.addCard(1, { id: 12, prices: { 'Rainbow Foil': 4 } })
    upstream.publish()
    const world = createSyncWorld(upstream)
    worlds.push(world)
    await world.sync()
    const bases = () =>
      readRows(world.db)
        .filter((row) => row.is_base_printing === 1)
        .map(({ card_id, printing }) => [card_id, printing])
    expect(bases()).toEqual([
      [10, 'Unlimited Edition Normal'],
      [11, 'Cold Foil'],
      [12, 'Rainbow Foil'],
    ])
    upstream.removePrinting(10, 'Unlimited Edition Normal')
    upstream.setPrice(11, 'Cold Foil', 5)
    upstream.setPrice(12, 'Normal', 70)
    upstream.publish(1)
    await world.sync()
    expect(bases()).toEqual([
      [10, '1st Edition Normal'],
      [11, 'Rainbow Foil'],
      [12, 'Normal'],
    ])
  })
})
