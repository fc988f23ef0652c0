// The prices of a card as Cardstock answers them, without key and quota: what is left when the two
// are taken away is what they cost.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { readConfig } from '#config.ts'
import { openDeps } from '#deps.ts'
import { openDoors } from '#http/endpoint.ts'
import { jsonText } from '#http/envelope.ts'
import { ID, PRINTING } from '#http/inputs.ts'
import { openMeter } from '#http/meter.ts'
import { openRequestIds } from '#http/request-id.ts'
import { noSuchCard } from '#http/routes/cards.ts'

const deps = openDeps(readConfig())
// The same options as the app's own.
const app = new Elysia({ nativeStaticResponse: false })
const doors = openDoors(app, deps, { meter: openMeter(), requestId: openRequestIds() })

doors.open('/v1/cards/:id/prices', {
  tag: 'Bench',
  summary: 'Current prices of a card, open to all',
  params: { id: ID },
  query: { printing: PRINTING },
  reply: Type.Unknown(),
  answer({ params }) {
    const prices = deps.catalog.prices.ofCard(params.id)
    if (prices === undefined) throw noSuchCard(params.id)
    // As the keyed endpoint does for a card with one printing.
    const single = !prices.includes('},{"card_id":')
    return { data: jsonText(single ? prices.slice(1, -1) : prices) }
  },
})
app.get('/healthz', () => 'ok')
app.listen({ hostname: deps.config.host, port: deps.config.port })
