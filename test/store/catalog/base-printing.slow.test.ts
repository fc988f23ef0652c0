import { afterEach, describe, expect, test } from 'bun:test'
import type { Db } from '#store/db.ts'
import {
  createSyncWorld,
  createUpstream,
  type Upstream,
} from '../../support/sync/upstream-fixture.ts'

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

/** Returns the base printings by card id. */
function readBases(db: Db): [card_id: number, printing: string][] {
  return readRows(db)
    .filter((row) => row.is_base_printing === 1)
    .map(({ card_id, printing }) => [card_id, printing])
}

function createWorld(upstream: Upstream) {
  const world = createSyncWorld(upstream)
  worlds.push(world)
  return world
}

describe('the stored base printing', () => {
  test('follows the words of every sync at once, and prices after a week', async () => {
    const upstream = createUpstream()
    upstream.addGame({ id: 62, name: 'Flesh and Blood' })
    upstream.addSet(62, { id: 1, name: 'Welcome to Rathe' })
    const editions = { 'Unlimited Edition Normal': 0.06, 'Unlimited Edition Rainbow Foil': 0.99 }
    const first = { '1st Edition Normal': 0.46, '1st Edition Rainbow Foil': 30.24 }
    upstream.addCard(1, { id: 10, prices: { ...first, ...editions } })
    upstream.addCard(1, { id: 11, prices: { 'Cold Foil': 3, 'Rainbow Foil': 4 } })
    upstream.addCard(1, { id: 12, prices: { 'Rainbow Foil': 4 } })
    upstream.publish()
    const world = createWorld(upstream)
    await world.sync()
    expect(readBases(world.db)).toEqual([
      [10, 'Unlimited Edition Normal'],
      [11, 'Cold Foil'],
      [12, 'Rainbow Foil'],
    ])
    upstream.removePrinting(10, 'Unlimited Edition Normal')
    upstream.setPrice(11, 'Cold Foil', 5)
    upstream.setPrice(12, 'Normal', 70)
    upstream.publish(1)
    await world.sync()
    expect(readBases(world.db)).toEqual([
      [10, 'Unlimited Edition Rainbow Foil'],
      [11, 'Cold Foil'],
      [12, 'Normal'],
    ])
    upstream.publish(6)
    await world.sync()
    expect(readBases(world.db)[1]).toEqual([11, 'Cold Foil'])
    upstream.publish(1)
    await world.sync()
    expect(readBases(world.db)[1]).toEqual([11, 'Rainbow Foil'])
  })

  test('of equals is not the one whose price is of low confidence', async () => {
    const upstream = createUpstream()
    upstream.addGame({ id: 62, name: 'Flesh and Blood' })
    upstream.addSet(62, { id: 1, name: 'Welcome to Rathe' })
    upstream.addCard(1, { id: 10, prices: { 'Cold Foil': 3, 'Rainbow Foil': 4 } })
    // Nobody sells it at its market price.
    upstream.row(10, 'Cold Foil').lowPrice = 170
    upstream.publish()
    const world = createWorld(upstream)
    await world.sync()
    expect(readBases(world.db)).toEqual([[10, 'Rainbow Foil']])
  })

  test('comes first in every list of printings, also on the day on which it changes', async () => {
    const upstream = createUpstream()
    upstream.addGame({ id: 62, name: 'Flesh and Blood' })
    upstream.addSet(62, { id: 1, name: 'Welcome to Rathe' })
    const prices = { Normal: null, 'Cold Foil': 3, 'Rainbow Foil': 2, 'Gold Cold Foil': 90 }
    upstream.addCard(1, { id: 10, prices })
    upstream.publish()
    const world = createWorld(upstream)
    await world.sync()
    const { catalog } = world
    const lists = () => {
      const { prices, history, pricedCards, candidates, sources } = catalog
      return {
        base: [prices.getBase(10).printing],
        prices: prices.listByCard(10),
        bulk: prices.listByCards([10]).get(10),
        resolved: pricedCards.getByIds([10]).get(10)?.printings,
        history: history.listByCard(10, 0),
        identified: candidates.getByIds([10])[0]?.printings,
        owned: sources.holdings.getByIds([10]).get(10)?.mirror,
      }
    }
    const firsts = () =>
      Object.entries(lists()).map(([name, list]) => {
        const one = list?.[0]
        return [name, typeof one === 'string' ? one : one?.printing]
      })
    const allOf = (printing: string) => firsts().map(([name]) => [name, printing])
    expect(firsts()).toEqual(allOf('Rainbow Foil'))
    upstream.setPrice(10, 'Rainbow Foil', 4)
    upstream.publish(1)
    await world.sync()
    expect(firsts()).toEqual(allOf('Rainbow Foil'))
    const { version } = catalog.publication.getCurrent()
    upstream.publish(7)
    await world.sync()
    expect(firsts()).toEqual(allOf('Cold Foil'))
    const shown = catalog.prices.listByCard(10)
    expect(
      shown?.map(({ printing, market_price, price_change_7d }) => [
        printing,
        market_price,
        price_change_7d,
      ]),
    ).toEqual([
      ['Cold Foil', 3, 0],
      ['Normal', null, null],
      ['Rainbow Foil', 4, 0],
      ['Gold Cold Foil', 90, 0],
    ])
    const changed = catalog.cards.listBySet(
      { set_id: 1, after_version: version },
      { limit: 9, offset: 0 },
    )
    expect(changed.total).toBe(1)
  })
})
