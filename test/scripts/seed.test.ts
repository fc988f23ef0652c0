import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#config.ts'
import { unpackPoints } from '#rules/pricing/packed-history.ts'
import { completePrices, type PriceJson, type PriceTexts } from '#rules/pricing/price-json.ts'
import { formatDate, parseDate } from '#rules/primitives/days.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { type Catalog, openCatalog } from '#store/open-catalog.ts'
import { type SeedReport, seedCatalog } from '../../scripts/tools/seed/seed-catalog.ts'

const CARDS = 2_000
const DAYS = 40
const LAST_DAY = parseDate('2026-08-05') ?? 0

const root = mkdtempSync(join(tmpdir(), 'cardstock-seed-'))
let report: SeedReport
let db: Db
let catalog: Catalog

beforeAll(async () => {
  report = await seedInto('first', 1)
  db = openDatabase(join(root, 'first/catalog.db'), { readonly: true })
  catalog = openCatalog(join(root, 'first'), (stored) => stored)
})

afterAll(() => {
  db.close()
  catalog.close()
  rmSync(root, { recursive: true })
})

test('the file is intact', () => {
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(db.pragma('foreign_key_check')).toEqual([])
})

test('it has the requested size, and the counts on games and sets agree', () => {
  expect(report).toMatchObject({ cards: CARDS, games: 30 })
  expect(one('SELECT count(*) FROM cards')).toBe(CARDS)
  expect(one('SELECT count(*) FROM prices')).toBe(report.printings)
  expect(one('SELECT sum(card_count) FROM games')).toBe(CARDS)
  expect(one('SELECT sum(set_count) FROM games')).toBe(report.sets)
  expect(catalog.publication.getCurrent().published_at).toStartWith(formatDate(LAST_DAY))
})

test('its proportions are those of a real catalog', () => {
  const share = (part: number, of: number) => part / of
  expect(share(report.printings, CARDS)).toBeWithin(1.3, 1.5)
  expect(
    share(one("SELECT count(*) FROM cards WHERE ' ' || clean_name LIKE '% dragon%'"), CARDS),
  ).toBeWithin(0.05, 0.12)
  expect(
    share(one("SELECT count(*) FROM cards WHERE ' ' || clean_name LIKE '% of %'"), CARDS),
  ).toBeWithin(0.15, 0.27)
  expect(
    share(one('SELECT count(*) FROM prices WHERE market_price IS NULL'), report.printings),
  ).toBeWithin(0.03, 0.08)
  expect(share(one('SELECT count(DISTINCT clean_name) FROM cards'), CARDS)).toBeWithin(0.25, 0.4)
  expect(one("SELECT count(*) FROM cards WHERE product_type = 'Sealed Products'")).toBeGreaterThan(
    10,
  )
})

test('every rendered price equals its row', () => {
  const rows = db.prepare<[number], PriceRow>(
    `SELECT prices.*, name AS printing FROM prices JOIN printings ON printings.id = printing_id
      WHERE card_id = ? ORDER BY printing_id`,
  )
  const texts = db
    .prepare<[], { card_id: number } & PriceTexts>(
      'SELECT * FROM price_texts LEFT JOIN price_changes USING (card_id)',
    )
    .all()
  expect(texts.length).toBe(one('SELECT count(DISTINCT card_id) FROM prices'))
  for (const { card_id, ...stored } of texts) {
    const rendered: PriceJson[] = JSON.parse(completePrices(stored, '2026-08-05T20:05:00.000Z'))
    expect(rendered.map(facts)).toEqual(rows.all(card_id).map(factsOfRow))
  }
})

test('histories begin at a dollar, end on the last day, and include its price', () => {
  const followed = db
    .prepare<[], PriceRow>('SELECT * FROM prices WHERE tracked_since IS NOT NULL')
    .all()
  expect(followed.length).toBeGreaterThan(300)
  for (const row of followed) {
    const points = catalog.history.getPoints(row.card_id * 1024 + row.printing_id, 0)
    expect(points[0]?.day).toBe(row.tracked_since)
    expect(points[0]?.market_price).toBeGreaterThanOrEqual(100)
    expect(points.at(-1)).toMatchObject({ day: LAST_DAY, market_price: row.market_price })
    expect(points.length).toBe(LAST_DAY - row.tracked_since + 1)
  }
  expect(
    one('SELECT count(*) FROM prices WHERE market_price >= 100 AND tracked_since IS NULL'),
  ).toBe(0)
})

test('closed months are cold and open ones hot', async () => {
  const months = db.prepare<[], number>('SELECT DISTINCT month FROM history_hot').pluck().all()
  expect(months.toSorted()).toEqual([2026 * 12 + 5, 2026 * 12 + 6, 2026 * 12 + 7])
  const long = await seedInto('long', 1, { days: 200 })
  const file = openDatabase(join(root, 'long/catalog.db'), { readonly: true })
  const cold = file.prepare<[], Uint8Array>('SELECT points FROM history_cold').pluck().all()
  const newest = cold.map((blob) => unpackPoints(blob).at(-1)?.day ?? 0)
  expect(Math.max(...newest)).toBe(parseDate('2026-05-31') ?? 0)
  expect(long.points).toBeGreaterThan(report.points * 3)
  file.close()
})

test('search and movers return results', () => {
  const { ids, total } = catalog.search.find({
    q: 'dragon',
    game_id: undefined,
    set_id: undefined,
    rarity: undefined,
    type: undefined,
    min_price: undefined,
    max_price: undefined,
    sort: 'price_asc',
    limit: 10,
    offset: 0,
  })
  expect(ids).toHaveLength(10)
  expect(total).toBeGreaterThan(CARDS * 0.05)
  const { rows } = catalog.movers.listTop({
    period: '7d',
    direction: 'up',
    game_id: undefined,
    type: undefined,
    printing: undefined,
    limit: 20,
  })
  expect(rows).toHaveLength(20)
})

test('the same seed results in the same catalog, another one in another', async () => {
  await seedInto('second', 1)
  await seedInto('third', 2)
  const { installation: _, search_documents: __, ...second } = contents('second')
  expect(contents('first')).toMatchObject(second)
  expect(contents('third')).not.toEqual(contents('first'))
})

test('an existing catalog is only replaced on demand', async () => {
  await expect(seedInto('second', 1)).rejects.toThrow('already has a catalog')
  expect((await seedInto('second', 1, { force: true })).cards).toBe(CARDS)
})

function seedInto(name: string, seed: number, more: { days?: number; force?: boolean } = {}) {
  return seedCatalog(readConfig({ DATA_DIR: join(root, name), LOG_LEVEL: 'warn' }), {
    cards: CARDS,
    days: DAYS,
    lastDay: LAST_DAY,
    force: false,
    seed,
    onProgress() {},
    ...more,
  })
}

function one(question: string): number {
  return db.prepare<[], number>(question).pluck().get() ?? Number.NaN
}

/** Returns a hash of every table's rows. */
function contents(name: string): Record<string, string> {
  const file = openDatabase(join(root, name, 'catalog.db'), { readonly: true })
  const tables = file
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')`,
    )
    .pluck()
    .all()
  const hashes = tables.map((table) => {
    const hasher = new Bun.CryptoHasher('sha256')
    for (const row of file.prepare(`SELECT * FROM ${table}`).raw().iterate()) {
      hasher.update(JSON.stringify(row))
    }
    return [table, hasher.digest('hex')]
  })
  file.close()
  return Object.fromEntries(hashes)
}

type PriceRow = {
  card_id: number
  printing_id: number
  printing: string
  market_price: number | null
  low_price: number | null
  buylist_price: number | null
  base_7d: number | null
  tracked_since: number
}

function facts({
  card_id,
  printing,
  market_price,
  low_price,
  buylist_price,
  price_change_7d,
}: PriceJson) {
  return {
    card_id,
    printing,
    market_price,
    low_price,
    buylist_price,
    hasChange: price_change_7d !== null,
  }
}

function factsOfRow(row: PriceRow) {
  const { card_id, printing, market_price, low_price, buylist_price, base_7d } = row
  return {
    card_id,
    printing,
    market_price: inDollars(market_price),
    low_price: inDollars(low_price),
    buylist_price: inDollars(buylist_price),
    hasChange: market_price !== null && base_7d !== null,
  }
}

function inDollars(cents: number | null): number | null {
  return cents === null ? null : cents / 100
}
