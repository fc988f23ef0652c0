// Serves the prices of a card like Cardstock, but to anyone (`/open`), or to keys that are not charged
// (`/uncounted`). The difference to the real endpoint is the cost of key and quota.
import { Type } from '@sinclair/typebox'
import { readConfig } from '#config.ts'
import { openDeps } from '#deps.ts'
import { jsonText } from '#http/endpoint/envelope.ts'
import { ID, PRINTING } from '#http/input/fields.ts'
import { createServer } from '#http/server.ts'
import { cardNotFound } from '#rules/primitives/errors.ts'

const deps = await openDeps(readConfig())
const uncounted = {
  charge: () => ({ isAllowed: true, quota: undefined }),
  refund: () => undefined,
  get: async () => undefined,
}
const { app, endpoint } = createServer(deps, uncounted)

const prices = {
  tag: 'Prices' as const,
  summary: 'Current prices of a card',
  params: { id: ID },
  query: { printing: PRINTING },
  returns: 'The prices.',
  reply: Type.Unknown(),
  respond({ params }: { params: { id: number } }) {
    const prices = deps.catalog.prices.getByCard(params.id)
    if (prices === undefined) throw cardNotFound(params.id)
    // Like the real endpoint for a card with one printing.
    const { json, count } = prices
    const data = jsonText(count === 1 ? json.slice(1, -1) : json)
    return { data, volume: { cards: [params.id], records: count } }
  },
}
endpoint('GET /open/cards/:id/prices', { ...prices, id: 'getOpenPrices', auth: 'anyone' })
endpoint('GET /uncounted/cards/:id/prices', {
  ...prices,
  id: 'getUncountedPrices',
  auth: 'key',
  needs: 'catalog',
  cost: 1,
})
app.get('/healthz', () => 'ok')
app.listen({ hostname: deps.config.host, port: deps.config.port })
