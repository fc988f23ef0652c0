import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { openSourcePublisher } from '#store/catalog/sources/source-publisher.ts'
import { openDatabase } from '#store/db.ts'
import type { PriceAlertChanges } from '#store/ledger/alerts/price-rules.ts'
import { type AlertWorld, createAlertWorld } from '../../support/alerts/alert-world.ts'

// Price alerts for people, from a publication to the notification.

let world: AlertWorld
let account: number

beforeEach(async () => {
  world = await createAlertWorld()
  await world.sync()
  account = await world.newAccount('free')
})
afterEach(() => world.close())

const CARD = 113
const KEY = () => ({ id: 'al_1', account_id: account })

async function add(
  wanted: { threshold: number; printing?: string; currency?: string },
  id = 'al_1',
) {
  const alert = {
    ...KEY(),
    id,
    card_id: CARD,
    printing: null,
    currency: null,
    source: null,
    condition: 'below',
    ...wanted,
  } as const
  expect(await world.ledger.priceAlerts.create(alert, 100, context())).toBe(true)
}

const context = () => ({ now: world.deps.now(), address: undefined })

const change = (changes: PriceAlertChanges) =>
  world.ledger.priceAlerts.update(KEY(), changes, context())

/** Bodies of the account's notifications, oldest first. */
async function bodies() {
  const { rows } = await world.ledger.notifications.list(account, { limit: 100, offset: 0 })
  return rows.map(({ body }) => JSON.parse(body)).reverse()
}

const prices = async () => (await bodies()).map(({ current_price }) => current_price)

describe('a price alert of a free account', () => {
  test('notifies once each time its condition is met', async () => {
    await add({ threshold: 500 })
    await world.pricesOf(CARD, 'Normal', [6, 5, 4, 6, 3, 2])
    expect(await prices()).toEqual([5, 3])
  })

  test('names the card, the printing, the condition and the price', async () => {
    await add({ threshold: 500, printing: 'Normal' })
    await world.pricesOf(CARD, 'Normal', [6, 4.5])
    expect(await bodies()).toEqual([
      {
        event: 'price_alert',
        card_id: CARD,
        card_name: expect.any(String),
        condition: 'below',
        threshold: 5,
        current_price: 4.5,
        printing: 'Normal',
        timestamp: expect.any(String),
      },
    ])
  })

  test('in another currency compares the converted price, and names its rate', async () => {
    const today = world.deps.now()
    const db = openDatabase(join(world.dataDir, 'catalog.db'))
    const day = Math.floor(today.getTime() / MS_PER_DAY)
    openSourcePublisher(db).putRates([{ day, perEuro: { USD: 1.25 } }], today)
    db.close()
    await add({ threshold: 500, currency: 'EUR' })
    await world.pricesOf(CARD, 'Normal', [6.5, 6])
    expect(await bodies()).toMatchObject([
      { threshold: 5, current_price: 4.8, currency: 'EUR', source: 'tcgplayer', rate: 0.8 },
    ])
  })

  test('stays silent while it is paused, and once it is deleted', async () => {
    await add({ threshold: 500 })
    await change({ is_paused: true })
    await world.pricesOf(CARD, 'Normal', [6, 4])
    expect(await prices()).toEqual([])
    await change({ is_paused: false })
    await world.pricesOf(CARD, 'Normal', [3])
    expect(await prices()).toEqual([3])
    await world.ledger.priceAlerts.delete(KEY(), context())
    await world.pricesOf(CARD, 'Normal', [6, 2])
    expect(await prices()).toEqual([3])
  })

  test('notifies again after its threshold or condition has changed', async () => {
    await add({ threshold: 500 })
    await world.pricesOf(CARD, 'Normal', [4])
    await change({ threshold: 500 })
    await world.pricesOf(CARD, 'Normal', [3])
    await change({ threshold: 450 })
    await world.pricesOf(CARD, 'Normal', [2])
    await change({ condition: 'above', threshold: 100 })
    await world.pricesOf(CARD, 'Normal', [1.5])
    expect(await prices()).toEqual([4, 2, 1.5])
  })

  test('is relayed once by every relay, beside a webhook of the same card', async () => {
    const webhook = await world.addWebhook({ card_id: CARD, condition: 'below', threshold: 500 })
    await add({ threshold: 500 })
    await world.pricesOf(CARD, 'Normal', [6, 4])
    world.restartRelay()
    await world.relay()
    expect(await prices()).toEqual([4])
    expect(await world.prices(webhook)).toEqual([4])
  })
})
