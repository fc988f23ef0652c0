// The prices of a card as Cardstock answers them, but to anyone (`/open`), and to keys that are not
// counted (`/uncounted`): what is left when key and quota are taken away is what they cost.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { openPageAdmission } from '#actions/accounts/authorize-page-request.ts'
import { openSpending } from '#actions/accounts/charge-quota.ts'
import { openUsageCounter } from '#actions/accounts/record-usage.ts'
import { readConfig } from '#config.ts'
import { openDeps } from '#deps.ts'
import { jsonText } from '#http/endpoint/envelope.ts'
import { openHeaders } from '#http/endpoint/headers.ts'
import { openDoors } from '#http/endpoint/key-endpoints.ts'
import { openRequestIds } from '#http/endpoint/request-id.ts'
import { ID, PRINTING } from '#http/input/fields.ts'
import { openMeter } from '#http/metrics/registry.ts'
import { noSuchCard } from '#rules/primitives/errors.ts'

const deps = openDeps(readConfig())
// The same options as the app's own.
const app = new Elysia({ nativeStaticResponse: false })
const uncounted = {
  spend: () => ({ admitted: true, quota: undefined }),
  refund: () => undefined,
  look: async () => undefined,
}
const doors = openDoors(app, deps, {
  meter: openMeter(),
  requestId: openRequestIds(),
  headers: openHeaders(deps.config.publicUrl),
  spending: uncounted,
  usage: openUsageCounter(deps),
  admitPage: openPageAdmission(deps, openSpending(deps)),
  addressOf: () => 'unknown',
})

const prices = {
  tag: 'Bench',
  summary: 'Current prices of a card',
  params: { id: ID },
  query: { printing: PRINTING },
  reply: Type.Unknown(),
  answer({ params }: { params: { id: number } }) {
    const text = deps.catalog.prices.ofCard(params.id)
    if (text === undefined) throw noSuchCard(params.id)
    // As the real endpoint does for a card with one printing.
    const single = !text.includes('},{"card_id":')
    return { data: jsonText(single ? text.slice(1, -1) : text) }
  },
}
doors.open('/open/cards/:id/prices', prices)
doors.keyed('/uncounted/cards/:id/prices', 'catalog', prices)
app.get('/healthz', () => 'ok')
app.listen({ hostname: deps.config.host, port: deps.config.port })
