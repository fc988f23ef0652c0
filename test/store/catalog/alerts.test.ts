import { beforeEach, describe, expect, test } from 'bun:test'
import { DELIVERY_RETENTION_MS } from '#rules/operations/retention.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { openAlertEvaluator, openAlertOutbox } from '#store/catalog/alerts.ts'
import { openBatchPublisher } from '#store/catalog/catalog-writer.ts'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { openSourcePublisher } from '#store/catalog/sources/source-publisher.ts'
import { type Db, inTransaction, openDatabase } from '#store/db.ts'
import { openAlertRuleSource } from '#store/ledger/alerts/rule-source.ts'
import { LEDGER_MIGRATIONS } from '#store/ledger/migrations.ts'
import { migrate } from '#store/migrate.ts'
import { openLedgerOn } from '#store/open-ledger.ts'

const NOW = new Date('2026-11-15T21:30:00Z')
const AUDIT_CONTEXT = { now: NOW, address: undefined }
const CARD = 42
/** Prices in the catalog; the printings are Normal and Foil. */
const [NORMAL, FOIL] = [1, 5]

let catalogDb: Db
let ledgerDb: Db
let ledger: ReturnType<typeof openLedgerOn>
let alerts: ReturnType<typeof openAlertEvaluator>
let account_id: number

beforeEach(async () => {
  catalogDb = openDatabase(':memory:')
  migrate(catalogDb, CATALOG_MIGRATIONS)
  catalogDb.exec(`
    INSERT INTO games (id, name, slug, priority) VALUES (1, 'Game', 'game', 1);
    INSERT INTO sets (id, game_id, name, slug, last_synced_at) VALUES (1, 1, 'Set', 'set', '');
    INSERT INTO cards (id, game_id, set_id, name, clean_name, number_key, product_type, search_text,
      shipping_category_id, product_status_id)
    VALUES (${CARD}, 1, 1, 'Heron "of" the Marsh – Ærø', 'Heron', '', 'Cards', '', 1, 1)`)
  ledgerDb = openDatabase(':memory:')
  migrate(ledgerDb, LEDGER_MIGRATIONS)
  ledger = openLedgerOn(ledgerDb)
  alerts = openAlertEvaluator(catalogDb, openAlertRuleSource(ledgerDb))
  const owner = { email: 'a@b.example', password_hash: 'none', tier: 'pro' } as const
  account_id = (await ledger.accounts.create(owner, AUDIT_CONTEXT))?.id ?? 0
})

function price(cents: number | null, { card = CARD, printing = NORMAL } = {}): void {
  catalogDb
    .prepare(
      `INSERT INTO prices (card_id, printing_id, market_price, changed_at) VALUES (?, ?, ?, 0)
       ON CONFLICT DO UPDATE SET market_price = excluded.market_price`,
    )
    .run(card, printing, cents)
}

async function watch(id: string, threshold = 100, more: object = {}): Promise<void> {
  const at = { card_id: CARD, printing: null, condition: 'above', threshold } as const
  const url = 'https://shop.example/'
  const webhook = { id, account_id, url, secret: new Uint8Array(4), ...at, ...more }
  await ledger.webhooks.create(webhook, 1_000_000, AUDIT_CONTEXT)
}

/** Runs one publication. */
const publish = (now = NOW) => inTransaction(catalogDb, () => alerts.evaluate(now, 0))

/** Publishes an alert of each of these webhooks. */
async function fire(...ids: string[]): Promise<void> {
  for (const id of ids) await watch(id)
  price(250)
  publish()
}

const left = () => openAlertOutbox(catalogDb).listAfter(0, 10_000)
const relay = (some = left()) => ledger.relayedAlerts.relay(some, NOW)

/** A publication without new data. */
const NOTHING = {
  games: [],
  sets: [],
  completeGames: [],
  missingSets: [],
  publishedAt: NOW,
  now: () => NOW,
}

/** Prices of another source, and its one price of the card. */
const CARDMARKET = { source: 'cardmarket', game_id: 1, publishedAt: NOW, now: NOW }
const UNPRICED = {
  card_id: CARD,
  printing: 'Normal',
  currency: 'EUR',
  condition: null,
  grade: null,
  low_price: null,
  median_price: null,
  sale_count: null,
}

/** Records the `synchronous` level at the time of each insert into a table. */
function levelsOf(db: Db, table: string): () => unknown[] {
  db.exec(`CREATE TEMP TABLE levels (level INTEGER);
    CREATE TEMP TRIGGER note AFTER INSERT ON ${table}
      BEGIN INSERT INTO levels SELECT synchronous FROM pragma_synchronous; END`)
  return () => db.prepare('SELECT level FROM levels').pluck().all()
}
const FULL = 2

/** Returns the bodies of a webhook's alerts, oldest first. */
const bodies = (webhook: string): Record<string, unknown>[] =>
  left().flatMap(({ rule_id, body }) => (rule_id === webhook ? JSON.parse(body) : []))

const alerted = () => catalogDb.prepare('SELECT * FROM alerted_rules ORDER BY 1').all()

describe('alerts of a publication', () => {
  test('are one message per webhook, in order, exactly as sent', async () => {
    await watch('a')
    await watch('b', 200)
    await watch('c', 300)
    price(250)
    expect(publish()).toBe(2)
    const rows = left()
    expect(rows.map(({ place, rule_id }) => [place, rule_id])).toEqual([
      [1, 'a'],
      [2, 'b'],
    ])
    expect(rows.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => id))
    expect(rows[0]).toMatchObject({
      created_at: NOW.getTime(),
      body: `{"event":"price_alert","card_id":42,"card_name":"Heron \\"of\\" the Marsh – Ærø","condition":"above","threshold":1,"current_price":2.5,"timestamp":"2026-11-15T21:30:00.000Z"}`,
    })
  })

  test('are not written for unknown cards, also later', async () => {
    await watch('a', 100, { card_id: 99 })
    price(250, { card: 99 })
    expect(publish()).toBe(0)
    expect(left()).toEqual([])
    expect(alerted()).toEqual([])
  })

  test('use the most expensive printing with a known price', async () => {
    await watch('any', 200)
    await watch('normal', 200, { printing: 'Normal' })
    await watch('foil', 200, { printing: 'Foil' })
    await watch('never', 1, { printing: 'Never Seen' })
    price(150)
    price(null, { printing: FOIL })
    expect(publish()).toBe(0)
    price(300, { printing: FOIL })
    expect(publish()).toBe(2)
    expect(left().map(({ rule_id }) => rule_id)).toEqual(['any', 'foil'])
  })

  test('wait until their price is reliable enough, and then are sent once', async () => {
    await watch('any', 200)
    await watch('medium', 200, { min_confidence: 'medium' })
    await watch('high', 200, { min_confidence: 'high' })
    const today = dayOf(NOW) * 86_400
    catalogDb.prepare('UPDATE sets SET priced_at = ?').run(today)
    // The lowest listing at twice the price, a third above it, and below it.
    const alertsAt = (low_price: number): string[] => {
      price(300)
      catalogDb.prepare('UPDATE prices SET low_price = ?, changed_at = ?').run(low_price, today)
      const before = left().length
      publish()
      return left()
        .slice(before)
        .map(({ rule_id }) => rule_id)
    }
    expect(alertsAt(600)).toEqual(['any'])
    expect(alertsAt(400)).toEqual(['medium'])
    expect(alertsAt(250)).toEqual(['high'])
    // A doubtful price below the threshold does not arm the webhook again.
    price(100)
    catalogDb.exec('UPDATE prices SET low_price = 900')
    publish()
    expect(alertsAt(250)).toEqual(['any'])
  })

  test('are evaluated for the watched printing', async () => {
    await watch('foil', 200, { printing: 'Foil', min_confidence: 'medium' })
    await watch('dearest', 200, { min_confidence: 'medium' })
    price(300)
    price(900, { printing: FOIL })
    const today = dayOf(NOW) * 86_400
    catalogDb.prepare('UPDATE sets SET priced_at = ?').run(today)
    catalogDb.prepare('UPDATE prices SET low_price = 250, changed_at = ?').run(today)
    catalogDb.exec(`UPDATE prices SET low_price = 4000 WHERE printing_id = ${FOIL}`)
    expect(publish()).toBe(0)
    catalogDb.exec('UPDATE prices SET low_price = 800')
    expect(publish()).toBe(2)
  })

  test('of a currency compare its native price, or else a conversion, and name the origin', async () => {
    await watch('dollars', 300)
    await watch('euros', 260, { currency: 'EUR' })
    await watch('market', 1, { currency: 'EUR', source: 'cardmarket' })
    await watch('pounds', 1, { currency: 'GBP' })
    price(300)
    catalogDb.exec('UPDATE prices SET changed_at = 1')
    // Without rates or native prices, only the dollars are known.
    expect([publish(), bodies('dollars')]).toMatchObject([1, [{ current_price: 3 }]])
    expect(Object.keys(bodies('dollars')[0] ?? {})).toHaveLength(7)

    const sources = openSourcePublisher(catalogDb, alerts)
    sources.putRates([{ day: dayOf(NOW), perEuro: { USD: 1.2 } }], NOW)
    expect(bodies('euros')).toEqual([])
    const euros = (market_price: number) =>
      sources.publish({ ...CARDMARKET, prices: [{ ...UNPRICED, market_price }] })
    euros(255)
    const origin = { currency: 'EUR', source: 'cardmarket', converted: false }
    expect(bodies('market')).toMatchObject([{ threshold: 0.01, current_price: 2.55, ...origin }])
    expect(bodies('euros')).toEqual([])
    euros(265)
    expect(bodies('euros')).toMatchObject([{ threshold: 2.6, current_price: 2.65, ...origin }])
    // Once per crossing, whichever import publishes it.
    expect([euros(270), publish(), bodies('euros').length]).toMatchObject([{}, 0, 1])
    // The native price is gone, so the mirror's price is converted and compared: 3 dollars are 2.50 euros.
    sources.publish({ ...CARDMARKET, prices: [] })
    expect(alerted()).not.toContainEqual({ rule_id: 'euros', revision: 1 })
    sources.putRates([{ day: dayOf(NOW), perEuro: { USD: 1.1, GBP: 0.8 } }], NOW)
    const rate_date = '2026-11-15'
    expect(bodies('euros').at(-1)).toMatchObject({
      current_price: 2.73,
      source: 'tcgplayer',
      currency: 'EUR',
      converted: true,
      rate_date,
      rate: expect.closeTo(1 / 1.1, 10),
    })
    expect(bodies('pounds')).toMatchObject([{ current_price: 2.18, currency: 'GBP', rate_date }])
    expect(bodies('dollars')).toHaveLength(1)
  })

  test('of a stale price of another source wait until it is current', async () => {
    await watch('euros', 100, { currency: 'EUR', min_confidence: 'medium' })
    const sources = openSourcePublisher(catalogDb, alerts)
    const price = { ...UNPRICED, market_price: 200 }
    // The lowest listing at twice the market price makes the price doubtful.
    sources.publish({ ...CARDMARKET, prices: [{ ...price, low_price: 800 }] })
    expect(bodies('euros')).toEqual([])
    sources.publish({ ...CARDMARKET, prices: [{ ...price, low_price: 150 }] })
    expect(bodies('euros')).toHaveLength(1)
    await ledger.webhooks.update({ id: 'euros', account_id }, { threshold: 150 }, AUDIT_CONTEXT)
    sources.markFailed('cardmarket', 1, 'the file is HTML', NOW)
    expect(publish()).toBe(0)
    sources.markFresh('cardmarket', 1, NOW)
    expect(publish()).toBe(1)
  })

  test('belong to their own webhooks, however many there are', async () => {
    for (let index = 1; index <= 120; index++) await watch(`w${index}`, index)
    price(117)
    expect(publish()).toBe(117)
    const leftThresholds = left().map(({ rule_id, body }) => [rule_id, JSON.parse(body).threshold])
    expect(leftThresholds).toEqual(
      Array.from({ length: 117 }, (_, index) => [`w${index + 1}`, (index + 1) / 100]),
    )
  })

  test('fail together with the publication if the ledger cannot be read', async () => {
    await watch('a')
    price(250)
    const intake = openBatchPublisher(catalogDb, openAlertRuleSource(ledgerDb))
    const version = () => catalogDb.prepare('SELECT version FROM publication').pluck().get()
    const before = version()
    ledgerDb.close()
    expect(() => intake.publish(NOTHING)).toThrow('not open')
    expect([version(), left(), alerted()]).toEqual([before, [], []])
  })

  test('are rolled back with their transaction', async () => {
    await watch('a')
    price(250)
    const fail = () => {
      expect(alerts.evaluate(NOW, 0)).toBe(1)
      throw new Error('the disk is full')
    }
    expect(() => inTransaction(catalogDb, fail)).toThrow('the disk is full')
    expect([left(), alerted()]).toEqual([[], []])
    expect(publish()).toBe(1)
  })

  test('are complete with thousands of webhooks for one card', async () => {
    for (let index = 0; index < 3_000; index++) await watch(`w${index}`, 1 + (index % 300))
    price(150)
    expect(publish()).toBe(1_500)
    expect(new Set(left().map(({ id }) => id)).size).toBe(1_500)
    expect(alerted()).toHaveLength(1_500)
    price(1)
    expect(publish()).toBe(0)
    expect(alerted()).toHaveLength(10)
  })
})

describe('an alert', () => {
  test('is on disk when its publication ends', async () => {
    await watch('a')
    price(250)
    const levels = levelsOf(catalogDb, 'alert_outbox')
    expect(
      openBatchPublisher(catalogDb, openAlertRuleSource(ledgerDb)).publish(NOTHING).alerts,
    ).toBe(1)
    expect(levels()).toEqual([FULL])
  })

  test('is on disk in the ledger before a publication may delete it from the catalog', async () => {
    await fire('a')
    const levels = levelsOf(ledgerDb, 'alert_messages')
    expect(await relay()).toBe(1)
    expect(levels()).toEqual([FULL])
  })
})

describe('alerted conditions', () => {
  test('are stored with their revision, and replaced by a new one', async () => {
    await fire('a')
    expect(alerted()).toEqual([{ rule_id: 'a', revision: 1 }])
    await ledger.webhooks.update({ id: 'a', account_id }, { threshold: 200 }, AUDIT_CONTEXT)
    expect(publish()).toBe(1)
    expect(alerted()).toEqual([{ rule_id: 'a', revision: NOW.getTime() }])
    expect(publish()).toBe(0)
  })

  test('are deleted with their webhook', async () => {
    await fire('a', 'b')
    await ledger.webhooks.delete({ id: 'a', account_id }, AUDIT_CONTEXT)
    expect(publish()).toBe(0)
    expect(alerted()).toEqual([{ rule_id: 'b', revision: 1 }])
    expect(left().map(({ rule_id }) => rule_id)).toEqual(['b'])
  })

  test('do not apply to a new threshold after an older ledger was restored', async () => {
    await fire('a')
    await ledger.webhooks.update({ id: 'a', account_id }, { threshold: 200 }, AUDIT_CONTEXT)
    expect(publish()).toBe(1)
    // Restores the row from a backup; then its owner changes the threshold again.
    ledgerDb.exec("UPDATE price_rules SET threshold = 100, revision = 1 WHERE id = 'a'")
    const later = { now: new Date(NOW.getTime() + 1), address: undefined }
    await ledger.webhooks.update({ id: 'a', account_id }, { threshold: 220 }, later)
    expect(publish()).toBe(1)
  })
})

describe('outbox rows that a publication deletes', () => {
  test('are those that the ledger has; the others keep id and place', async () => {
    await fire('a', 'b')
    const [first, second] = left()
    await relay(first && [first])
    expect(publish()).toBe(0)
    expect(left()).toEqual(second === undefined ? [] : [second])
    await relay()
    publish()
    expect(left()).toEqual([])
  })

  test('leave places that are never reused', async () => {
    await fire('a')
    await relay()
    price(50)
    publish()
    expect(left()).toEqual([])
    price(250)
    publish()
    expect(left().map(({ place }) => place)).toEqual([2])
  })

  test('do not include alerts of paused webhooks that the ledger lacks', async () => {
    await fire('a')
    await ledger.webhooks.update({ id: 'a', account_id }, { is_paused: true }, AUDIT_CONTEXT)
    publish()
    expect(left()).toHaveLength(1)
    expect(await relay()).toBe(1)
  })

  test('include those older than the ledger’s retention, which it would take for new', async () => {
    await fire('a')
    await relay()
    const forgotten = new Date(NOW.getTime() + DELIVERY_RETENTION_MS + 1)
    await ledger.messages.deleteBefore(new Date(forgotten.getTime() - DELIVERY_RETENTION_MS), 100)
    publish(new Date(NOW.getTime() + DELIVERY_RETENTION_MS))
    expect(left()).toHaveLength(1)
    publish(forgotten)
    expect(left()).toEqual([])
  })
})

describe('the outbox', () => {
  test('lists a number of alerts behind a place, in order', async () => {
    await fire('a', 'b', 'c')
    const outbox = openAlertOutbox(catalogDb)
    expect(outbox.listAfter(0, 2).map(({ place }) => place)).toEqual([1, 2])
    expect(outbox.listAfter(2, 2).map(({ place }) => place)).toEqual([3])
    expect(outbox.listAfter(3, 2)).toEqual([])
  })
})
