// A sync of a real catalog and its price archive (test/support/sync/real-upstream.ts).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { importHistory } from '#actions/sync/import-history.ts'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import { parseDate } from '#rules/primitives/days.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { openCatalog } from '#store/open-catalog.ts'
import { openCatalogWriter } from '#store/open-catalog-writer.ts'
import {
  RECORDED_SYNC_MS_MAX,
  type RecordedSync,
  recordedCatalog,
  recordedNow,
  syncRecorded,
  unpackRecordedUpstream,
} from '../../support/sync/real-upstream.ts'
import { createWarningLog } from '../../support/sync/upstream-fixture.ts'

const recorded = recordedCatalog(import.meta.path)
const root = recorded && unpackRecordedUpstream(import.meta.path, ['archive'])
afterAll(() => {
  if (root !== undefined) rmSync(root, { recursive: true })
  recorded?.remove()
})

type Card = { id: number; name: string; number: string | null; rarity: string | null }

describe.skipIf(root === undefined)('a real catalog', () => {
  const mirror = recorded?.mirror ?? ''
  const archive = join(root ?? '', 'archive/archive/tcgplayer')
  const dataDir = join(root ?? '', 'data')
  const deps = () => ({ dataDir, log: createWarningLog([]), now: recordedNow })
  let synced: RecordedSync

  beforeAll(async () => {
    synced = (await recorded?.sync()) as RecordedSync // Without a recorded catalog nothing here runs.
    // Other tests read the folder while this one imports history.
    cpSync(recorded?.dataDir ?? '', dataDir, { recursive: true })
  }, RECORDED_SYNC_MS_MAX)

  const openDb = () => openDatabase(join(dataDir, 'catalog.db'), { readonly: true })

  test('is loaded completely', () => {
    expect(synced.report).toMatchObject({
      outcome: 'complete',
      published_at: '2026-08-05T20:05:50.000Z',
      games: 6,
      sets_read: 1_161,
      cards_read: 123_411,
      bad_records: 0,
      failures: [],
    })
    expect(synced.report.prices_changed).toBe(163_159)
    expect(synced.logged).toEqual([])
  })

  test('contains exactly the products and prices of the files', () => {
    const db = openDb()
    const card = db.prepare<[number], Card>(
      'SELECT id, name, number, rarity FROM cards WHERE id = ?',
    )
    const pricesOf = db.prepare<[number], Price>(
      `SELECT card_id, printings.name AS printing, market_price, low_price, median_price
         FROM cards JOIN prices ON card_id = cards.id JOIN printings ON printings.id = printing_id
        WHERE set_id = ?`,
    )
    const counts = { games: 0, sets: 0, cards: 0, prices: 0 }
    const wrong: string[] = []
    for (const game of results(mirror, 'tcgplayer/categories')) {
      counts.games++
      for (const set of results(mirror, `tcgplayer/${game.categoryId}/groups`)) {
        counts.sets++
        const folder = `tcgplayer/${game.categoryId}/${set.groupId}`
        for (const product of results(mirror, `${folder}/products`)) {
          counts.cards++
          const found = card.get(Number(product.productId))
          const name = String(product.name).replaceAll('&amp;', '&')
          if (found?.name !== name) wrong.push(`card ${product.productId}`)
        }
        const stored = new Map(
          pricesOf.all(Number(set.groupId)).map((row) => [`${row.card_id} ${row.printing}`, row]),
        )
        for (const row of results(mirror, `${folder}/prices`)) {
          counts.prices++
          const key = `${row.productId} ${row.subTypeName}`
          const found = stored.get(key)
          stored.delete(key)
          const same =
            found !== undefined &&
            dollars(found.market_price) === row.marketPrice &&
            dollars(found.low_price) === row.lowPrice
          if (!same) wrong.push(`price of ${key}`)
        }
        wrong.push(...[...stored.keys()].map((key) => `${key} is in no file`))
      }
    }
    const total = (table: string) =>
      db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get()
    const held = Object.fromEntries(Object.keys(counts).map((table) => [table, total(table)]))
    db.close()
    expect(wrong.slice(0, 10)).toEqual([])
    expect(counts).toEqual({ games: 6, sets: 1_161, cards: 123_411, prices: 163_159 })
    expect(held).toEqual(counts)
  })

  test('has counts of games and sets that equal those of their cards', () => {
    const db = openDb()
    const wrong = db
      .prepare(
        `SELECT id FROM sets WHERE card_count <> (SELECT count(*) FROM cards WHERE set_id = sets.id)
         UNION ALL
         SELECT id FROM games WHERE card_count <> (SELECT count(*) FROM cards WHERE game_id = games.id)
            OR set_count <> (SELECT count(*) FROM sets WHERE game_id = games.id)
         UNION ALL
         SELECT id FROM cards WHERE id NOT IN (SELECT card_id FROM price_texts)
            AND id IN (SELECT card_id FROM prices)`,
      )
      .all()
    expect(wrong).toEqual([])
    const slugs = db
      .prepare('SELECT game_id, slug FROM sets GROUP BY game_id, slug HAVING count(*) > 1')
      .all()
    expect(slugs).toEqual([])
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    db.close()
  })

  test('has no HTML entity in any text', () => {
    const db = openDb()
    const columns = db
      .prepare<[], { name: string; column: string }>(
        `SELECT tables.name, columns.name AS "column"
           FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
          WHERE tables.type = 'table' AND columns.type = 'TEXT'`,
      )
      .all()
    expect(columns.length).toBeGreaterThan(40)
    const encoded = columns.flatMap(({ name, column }) =>
      db
        .prepare<[], string>(`SELECT "${column}" FROM "${name}" WHERE "${column}" LIKE '%&%;%'`)
        .pluck()
        .all()
        .filter((text) => /&(?:[a-z]\w{1,30}|#\d+|#x[\da-f]+);/i.test(text))
        .map((text) => `${name}.${column}: ${text}`),
    )
    db.close()
    expect(encoded).toEqual([])
  })

  test('is not changed by a second sync', async () => {
    const db = openDb()
    const version = db.prepare('SELECT * FROM publication').get()
    const writes = db.prepare<[], number>('PRAGMA data_version').pluck()
    const rows = () => db.prepare('SELECT id, last_synced_at, priced_at FROM sets').all()
    const before = rows()
    writes.get()
    expect(await syncRecorded(mirror, dataDir)).toMatchObject({
      outcome: 'complete',
      sets_read: 0,
      prices_changed: 0,
    })
    expect(db.prepare('SELECT * FROM publication').get()).toEqual(version)
    expect(rows()).toEqual(before)
    db.close()
  })

  test('gets exactly the points of the archive, also for cards that share a name with Charizard', () => {
    const db = openDb()
    const series = db
      .prepare<[], { series: number; key: string; set_id: number; market_price: number | null }>(
        `SELECT card_id * 1024 + printing_id AS series, card_id || ' ' || printings.name AS key,
                set_id, market_price
           FROM prices JOIN cards ON cards.id = card_id JOIN printings ON printings.id = printing_id`,
      )
      .all()
    const catalogWriter = openCatalogWriter(dataDir)
    const imported = importHistory({ ...deps(), catalogWriter }, archive)
    catalogWriter.close()
    expect(imported).toMatchObject({ days: 13, bad_records: 0, failures: [] })

    const catalog = openCatalog(dataDir, createPictureUrl('http://localhost:3000'))
    const archived = archivedPrices(archive)
    const wrong: string[] = []
    let mates = 0
    for (const { series: id, key, set_id, market_price } of series) {
      const days = archived.get(key) ?? new Map<number, number | null>()
      // The sync's day is the last of the archive, and the archive takes precedence.
      const all = new Map([[LAST_DAY, market_price], ...days])
      const tracked = [...days, [LAST_DAY, market_price] as const]
        .filter(([, price]) => (price ?? 0) >= 100)
        .map(([day]) => day)
      const first = Math.min(...tracked)
      const wanted = [...all].filter(([day]) => day >= first).sort(([one], [two]) => one - two)
      const found = catalog.history.getPoints(id, 0).map((point) => [point.day, point.market_price])
      if (JSON.stringify(found) !== JSON.stringify(wanted)) wrong.push(key)
      if (set_id === BASE_SET && found.length === 13) mates++
    }
    catalog.close()
    db.close()
    expect(wrong.slice(0, 10)).toEqual([])
    expect(mates).toBeGreaterThan(40)
  })

  test('has movers of at least a dollar at both ends, with the change of their points', () => {
    const catalog = openCatalog(dataDir, createPictureUrl('http://localhost:3000'))
    for (const period of ['24h', '7d'] as const) {
      for (const direction of ['up', 'down'] as const) {
        const { rows } = catalog.movers.listTop({
          period,
          direction,
          game_id: undefined,
          type: undefined,
          printing: undefined,
          limit: 50,
        })
        expect(rows.length).toBe(50)
        const length = period === '24h' ? 1 : 7
        for (const { card_id, printing, market_price, price_change } of rows) {
          const points = catalog.history
            .listByCard(card_id, 0)
            .find((one) => one.printing === printing)
          const base = points?.points.findLast(
            ({ day, market_price: price }) => price !== null && day <= LAST_DAY - length,
          )?.market_price
          expect(Math.round(market_price * 100)).toBeGreaterThanOrEqual(100)
          expect(base).toBeGreaterThanOrEqual(100)
          expect(price_change).toBeCloseTo((market_price / ((base ?? 0) / 100) - 1) * 100, 1)
          expect(Math.sign(price_change)).toBe(direction === 'up' ? 1 : -1)
        }
      }
    }
    catalog.close()
  })

  test('is equal after a second import of the archive', () => {
    const db = openDb()
    const tables = [
      'prices',
      'price_texts',
      'price_changes',
      'history_hot',
      'history_cold',
      'movers',
    ]
    const digests = () => tables.map((table) => [table, digestOf(db, table)])
    const before = digests()
    const catalogWriter = openCatalogWriter(dataDir)
    importHistory({ ...deps(), catalogWriter }, archive)
    catalogWriter.close()
    expect(digests()).toEqual(before)
    db.close()
  })
})

/** The set that Charizard, product 42382, is in. */
const BASE_SET = 300_086
const LAST_DAY = parseDate('2026-08-05') ?? 0

type Price = {
  card_id: number
  printing: string
  market_price: number | null
  low_price: number | null
}

/** An unchanged record of a file: it is compared, not parsed. */
type Record = {
  categoryId: number
  groupId: number
  productId: number
  name: string
  subTypeName: string
  marketPrice: number | null
  lowPrice: number | null
}

/** Returns a number that represents every row of a table. */
function digestOf(db: Db, table: string): string {
  let digest = 0n
  for (const row of db.prepare<[], unknown[]>(`SELECT * FROM ${table}`).raw().iterate()) {
    const text = row.map((value) => (value instanceof Uint8Array ? Bun.hash(value) : value)).join()
    digest = BigInt(Bun.hash(text, digest))
  }
  return digest.toString(36)
}

function results(mirror: string, path: string): Record[] {
  return JSON.parse(readFileSync(join(mirror, path), 'utf8')).results
}

/** Market prices in cents by card and printing, then by day, read from the archive's files. */
function archivedPrices(archive: string): Map<string, Map<number, number | null>> {
  const prices = new Map<string, Map<number, number | null>>()
  for (const date of readdirSync(archive)) {
    const day = parseDate(date) ?? 0
    for (const set of readdirSync(join(archive, date, '3'))) {
      for (const row of results(archive, `${date}/3/${set}/prices`)) {
        const key = `${row.productId} ${row.subTypeName}`
        const days = prices.get(key) ?? new Map<number, number | null>()
        prices.set(key, days)
        days.set(day, row.marketPrice === null ? null : Math.round(row.marketPrice * 100))
      }
    }
  }
  return prices
}

function dollars(cents: number | null): number | null {
  return cents === null ? null : cents / 100
}
