import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import { PERIOD_NAMES } from '#rules/pricing/price-changes.ts'
import type { MoversQuery } from '#store/catalog/movers.ts'
import { openDatabase } from '#store/db.ts'
import { openCatalog } from '#store/open-catalog.ts'
import { createSeededRandom } from '../scripts/tools/seed/random.ts'
import type { BenchData } from './data.ts'
import { interleave, middle, ratio, spread } from './measure.ts'
import { formatShort, type Row, times } from './table.ts'

/** Measures lists of movers in the store, for any game and any filter. */
export async function benchMovers(data: BenchData): Promise<Row[]> {
  const catalog = openCatalog(data.dataDir, createPictureUrl('http://127.0.0.1'))
  const db = openDatabase(data.catalogFile, { readonly: true, cacheKib: 65_536 })
  const questions = createQueries(catalog.games.list({ limit: 100, offset: 0 }).rows)
  const at = (index: number) => questions[index % questions.length] ?? ANY
  const bare = db.prepare(
    `SELECT * FROM movers WHERE period = ? AND direction = ? AND game_id = ?
      ORDER BY position LIMIT ?`,
  )
  const naive = db.prepare(
    `SELECT name, market_price, round((market_price * 1.0 / base_24h - 1) * 100, 2) AS price_change
       FROM prices JOIN cards ON cards.id = card_id
      WHERE base_24h >= 100 AND market_price >= 100 AND market_price <= base_24h * 10
      ORDER BY price_change DESC LIMIT 20`,
  )
  const rounds = await interleave(3, {
    ours: () => spread(3_000, (index) => catalog.movers.listTop(at(index))),
    bare: () =>
      spread(3_000, (index) => {
        const { period, direction, game_id, limit } = at(index)
        bare.all(period, direction, game_id ?? 0, limit)
      }),
    naive: () => spread(10, () => naive.all()),
  })
  catalog.close()
  db.close()
  const p50 = middle(rounds, 'ours', 'p50')
  return [
    {
      figure: 'movers, 20 of any game and filter, in the store',
      ours: `p50 ${formatShort(p50)} µs, p99 ${formatShort(middle(rounds, 'ours', 'p99'))} µs`,
      limit: `the bare statement p50 ${formatShort(middle(rounds, 'bare', 'p50'))} µs`,
      toLimit: times(ratio(rounds, 'p50', 'ours', 'bare')),
      peer: `sorted on request p50 ${formatShort(middle(rounds, 'naive', 'p50') / 1000)} ms`,
      toPeer: `${times(ratio(rounds, 'p50', 'naive', 'ours'))} faster`,
      target: 'p50 200 µs',
      met: p50 <= 200,
    },
  ]
}

const ANY: MoversQuery = {
  period: '24h',
  direction: 'up',
  game_id: undefined,
  type: undefined,
  printing: undefined,
  limit: 20,
}

function createQueries(games: readonly { id: number }[]): MoversQuery[] {
  const chance = createSeededRandom(games.length)
  const ids = [undefined, ...games.map((game) => game.id)]
  return Array.from({ length: 3_000 }, () => ({
    period: chance.pick(PERIOD_NAMES),
    direction: chance.pick(['up', 'down'] as const),
    game_id: chance.pick(ids),
    type: chance.pick([undefined, 'Cards', 'Sealed Products'] as const),
    printing: chance.pick([undefined, 'Normal', 'Foil', 'Reverse Holofoil']),
    limit: 20,
  }))
}
