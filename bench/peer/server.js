// What Cardstock is measured against: the same answers from the same file, the way a good developer
// writes them on Node without much ado. Plain SQL, rows to objects, keys and quotas in memory.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import Fastify from 'fastify'

const { CATALOG_FILE, WORDS_FILE, KEYS_FILE, HOST, PORT } = process.env

const db = new Database(CATALOG_FILE, { readonly: true })
db.pragma('cache_size = -65536')
db.exec(`ATTACH '${WORDS_FILE}' AS words`)

const accounts = new Map(
  JSON.parse(readFileSync(KEYS_FILE, 'utf8')).map((hash) => [hash, { used: 0 }]),
)
const DAILY_LIMIT = 50_000 * 1_000

const card = db.prepare(
  `SELECT cards.id, cards.game_id, cards.set_id, cards.name, cards.clean_name, cards.number,
          cards.rarity, cards.image_url, cards.marketplace_url, cards.product_type, cards.foil_only,
          cards.total_listings, cards.shipping_category_id, cards.product_status_id, cards.hp,
          cards.custom_attributes, sets.name AS set_name, sets.slug AS set_slug,
          games.name AS game_name, games.slug AS game_slug, cards.id AS marketplace_id
     FROM cards JOIN sets ON sets.id = cards.set_id JOIN games ON games.id = cards.game_id
    WHERE cards.id = ?`,
)
const prices = db.prepare(
  `SELECT prices.card_id, printings.name AS printing, market_price, low_price, median_price,
          lowest_with_shipping, buylist_price, base_24h, base_7d, base_30d, priced_at
     FROM prices JOIN printings ON printings.id = printing_id JOIN cards ON cards.id = card_id
     JOIN sets ON sets.id = set_id WHERE card_id = ? ORDER BY printing_id`,
)
const found = (order) =>
  db.prepare(
    `SELECT card_fts.rowid AS id, max(market_price) AS price
       FROM words.card_fts JOIN cards ON cards.id = card_fts.rowid
       LEFT JOIN prices ON prices.card_id = cards.id
      WHERE card_fts MATCH @match AND missing_since IS NULL
      GROUP BY cards.id HAVING @most IS NULL OR price <= @most
      ORDER BY price IS NULL, price ${order}, cards.id LIMIT @limit OFFSET @offset`,
  )
const sorts = { price_asc: found('ASC'), price_desc: found('DESC') }
const total = db
  .prepare(
    `SELECT count(*) FROM (SELECT max(market_price) AS price
       FROM words.card_fts JOIN cards ON cards.id = card_fts.rowid
       LEFT JOIN prices ON prices.card_id = cards.id
      WHERE card_fts MATCH @match AND missing_since IS NULL
      GROUP BY cards.id HAVING @most IS NULL OR price <= @most)`,
  )
  .pluck()

const dollars = (cents) => (cents === null ? null : cents / 100)
const change = (price, base) =>
  price === null || !base ? null : Math.round((price / base - 1) * 10_000) / 100

function pricesOf(cardId) {
  return prices.all(cardId).map((row) => ({
    card_id: row.card_id,
    printing: row.printing,
    market_price: dollars(row.market_price),
    low_price: dollars(row.low_price),
    median_price: dollars(row.median_price),
    lowest_with_shipping: dollars(row.lowest_with_shipping),
    buylist_price: dollars(row.buylist_price),
    price_change_24h: change(row.market_price, row.base_24h),
    price_change_7d: change(row.market_price, row.base_7d),
    price_change_30d: change(row.market_price, row.base_30d),
    last_updated_at: new Date(row.priced_at * 1000).toISOString(),
  }))
}

function cardOf(id) {
  const row = card.get(id)
  return row && { ...row, custom_attributes: JSON.parse(row.custom_attributes) }
}

const app = Fastify()

app.get('/healthz', async () => 'ok')

// Who asks, and whether they may today.
app.addHook('onRequest', async (request, reply) => {
  if (request.url === '/healthz') return
  const key = request.headers['x-api-key'] ?? ''
  const account = accounts.get(createHash('sha256').update(key).digest('hex'))
  if (account === undefined) {
    return reply.code(401).send({ error: { message: 'Unknown key.', code: 'INVALID_API_KEY' } })
  }
  if (account.used >= DAILY_LIMIT) {
    return reply.code(429).send({ error: { message: 'Used up.', code: 'RATE_LIMIT_EXCEEDED' } })
  }
  account.used++
  const midnight = new Date()
  midnight.setUTCHours(24, 0, 0, 0)
  request.quota = {
    daily_limit: DAILY_LIMIT,
    daily_remaining: DAILY_LIMIT - account.used,
    daily_reset: midnight.toISOString(),
  }
  reply.header('x-ratelimit-limit', DAILY_LIMIT)
  reply.header('x-ratelimit-remaining', request.quota.daily_remaining)
  reply.header('x-ratelimit-reset', request.quota.daily_reset)
})

const missing = (reply) =>
  reply.code(404).send({ error: { message: 'No such card.', code: 'NOT_FOUND' } })

app.get('/v1/cards/:id', async (request, reply) => {
  const data = cardOf(Number(request.params.id))
  return data === undefined ? missing(reply) : { data, rate_limit: request.quota }
})

app.get('/v1/cards/:id/prices', async (request, reply) => {
  const data = pricesOf(Number(request.params.id))
  if (data.length === 0) return missing(reply)
  return { data: data.length === 1 ? data[0] : data, rate_limit: request.quota }
})

app.get('/v1/search', async (request) => {
  const { q, sort = 'price_asc', page = 1, per_page = 50, max_price } = request.query
  const words = q.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const match = `${words.map((word) => `"${word}"`).join(' ')}*`
  const most = max_price === undefined ? null : Math.round(Number(max_price) * 100)
  const limit = Number(per_page)
  const offset = (Number(page) - 1) * limit
  const rows = sorts[sort].all({ match, most, limit, offset })
  const count = total.get({ match, most })
  return {
    data: rows.map(({ id, price }) => ({
      ...cardOf(id),
      market_price: dollars(price),
      prices: pricesOf(id),
    })),
    meta: { total: count, page: Number(page), per_page: limit },
    rate_limit: request.quota,
  }
})

await app.listen({ host: HOST, port: Number(PORT) })
process.on('SIGTERM', () => process.exit(0))
