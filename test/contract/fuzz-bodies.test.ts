/** Generated files, texts, photos and forms: answered as documented, charged and stored as the response says. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { grantScans } from '#actions/photos/maintain-scans.ts'
import { resolveCredits } from '#rules/matching/bulk-limits.ts'
import { sizedFor } from '../support/chaos.ts'
import { PHOTO } from '../support/photos/reader-fixtures.ts'
import { SEED } from '../support/random.ts'
import { emailOf } from '../support/test-app.ts'
import { createContractApp, expectReply } from './calls.ts'
import { endpoint } from './endpoints.ts'
import { HOSTILE_VALUE } from './fuzz-values.ts'
import { createHeldCollection, holdingsOf } from './holdings.ts'

// FUZZ_SEED=… replays a failure; FUZZ_RUNS=… sets the number of runs, which is 250 in
// `bun run chaos service`.

const RUNS = Number(process.env.FUZZ_RUNS ?? sizedFor(100, 250))

const testApp = await createContractApp()
await grantScans(testApp.deps, { email: emailOf('business'), scans: 5_000 })
console.log(`fuzz of bodies: FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`)

function expectForAll<T>(
  values: fc.Arbitrary<T>,
  promise: (one: T) => Promise<void>,
): Promise<void> {
  return fc.assert(fc.asyncProperty(values, promise), { seed: SEED, numRuns: RUNS })
}

type Body = string | Uint8Array<ArrayBuffer>

/** Sends a body and asserts that the response is documented, with one of several statuses. */
async function send(
  name: string,
  path: string,
  { body, type, statuses }: { body: Body; type: string; statuses: readonly number[] },
) {
  const options = { as: 'business', body, headers: { 'content-type': type } } as const
  const reply = await testApp.client.request('POST', path, options)
  expect(statuses).toContain(reply.status)
  expectReply(endpoint(name), reply, reply.status)
  if (reply.status !== 200) expect(reply.text).not.toMatch(LEAKS)
  return reply
}

const LEAKS = /SQLITE_|sqlite|node_modules|\/src\/|\.[jt]s:\d|\b(?:Type|Range|Syntax)Error\b/

const TEXT = fc.oneof(
  fc.constantFrom('Cindle', 'cindel', 'Marginwyrm', 'whisht', "dribbit's", 'wickerwild', 'LSN'),
  fc.constantFrom('=1+1', '"', "' OR 1=1 --", '*', '__proto__', '🃏', 'é\u0301', '001/024', ' '),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 10 }).map((units) => {
    return String.fromCharCode(...units)
  }),
)

const BYTES = fc.uint8Array({ maxLength: 300 }).map((bytes) => Uint8Array.from(bytes))

const QUOTED_CELL = TEXT.map((text) => `"${text.replaceAll('"', '""')}"`)

const TABLE = fc
  .tuple(
    fc.constantFrom('Name', 'Name,Set', 'Quantity,Name', 'Product ID', 'x', '"', ';'),
    fc.array(fc.tuple(fc.oneof(QUOTED_CELL, TEXT), QUOTED_CELL), { maxLength: 12 }),
  )
  .map(([header, rows]) => [header, ...rows.map((row) => row.join(','))].join('\r\n'))

const LIST_MARKS = ['4 ', '2x ', 'SB: ', '(3) ', ' [TPP]', ' (', ')', ' 1/20', ' *F*', '|', ' #a']

const LIST = fc
  .array(
    fc.array(fc.oneof(fc.constantFrom(...LIST_MARKS), TEXT, fc.constant('Cindle')), {
      maxLength: 5,
    }),
    {
      maxLength: 12,
    },
  )
  .map((lines) => lines.map((parts) => parts.join('')).join('\n'))

const ITEM = fc.record({
  name: TEXT,
  game: HOSTILE_VALUE,
  set: TEXT,
  number: TEXT,
  printing: TEXT,
})

const toJson = (value: unknown) =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)) ?? ''

const ITEMS = fc.array(fc.oneof(ITEM, HOSTILE_VALUE), { maxLength: 5 })

/** Half of a surrogate pair cannot be encoded. */
const utf8 = (text: string): Body => new TextEncoder().encode(text)

describe.each<[string, string, fc.Arbitrary<Body>]>([
  ['csv', 'text/csv', fc.oneof(TABLE.map(utf8), BYTES)],
  ['list', 'text/plain', fc.oneof(LIST.map(utf8), BYTES)],
  ['name', 'application/json', ITEMS.map((items) => toJson({ items }))],
  ['marketplace', 'application/json', ITEMS.map((ids) => toJson({ ids }))],
])('POST /v1/bulk/resolve/%s', (kind, type, bodies) => {
  const path = `/v1/bulk/resolve/${kind}`
  const queries = ['', '?format=csv', '?game=wickerwild', '?game=none', '?format=']

  test('answers any body as documented, and charges the stated amount', async () => {
    const { body } = await testApp.client.get('/v1/sets', { as: 'business' })
    let left = body.rate_limit.daily_remaining
    await expectForAll(fc.tuple(bodies, fc.constantFrom(...queries)), async ([body, query]) => {
      const statuses = [200, 400, 404]
      const reply = await send(`POST ${path}`, path + query, { body, type, statuses })
      const remaining = Number(reply.headers.get('x-ratelimit-remaining'))
      const charged = left - remaining
      left = remaining
      // A refusal is free, except for one about missing data.
      if (reply.status !== 200) expect(charged).toBe(reply.status === 404 ? 1 : 0)
      else if (reply.headers.has('content-disposition')) expect(charged).toBeGreaterThan(0)
      else {
        const { total_requested, credits_consumed } = reply.body.meta
        expect(charged).toBe(credits_consumed)
        expect(credits_consumed).toBe(resolveCredits('business', total_requested))
      }
    })
  })
})

const CELL = fc.oneof(
  fc.constantFrom('Cindle', 'Tide Clerk', '2', '-1', '1e9', '"', 'NM', '$1.50', '2026-01-01', '€'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)

test('a collection answers any file as documented, and stores the stated number of rows', async () => {
  const { id } = await createHeldCollection(testApp, 'business')
  const header = 'Quantity,Name,Condition,Price Paid,Date,Place,Note'
  const rows = fc.array(fc.array(CELL, { maxLength: 8 }), { maxLength: 12 })
  const text = rows.map((cells) => [header, ...cells.map((row) => row.join(','))].join('\n'))
  const count = async () => (await testApp.deps.ledger.listItems.listAfter(id, '', 100_000)).length
  await expectForAll(fc.oneof(text, BYTES), async (body) => {
    // A file of another run may be equal, and an account can send 60 per hour.
    testApp.advance(3_600_000)
    const before = await count()
    const path = `/v1/collections/${id}/import?again=true`
    const name = 'POST /v1/collections/{id}/import'
    const reply = await send(name, path, { body, type: 'text/csv', statuses: [200, 400] })
    const added = reply.status === 200 ? Number(reply.body.data.imported) : 0
    expect(await count()).toBe(before + added)
  })
})

describe('a photo', () => {
  const TYPES = ['image/jpeg', 'image/png', 'application/json', 'application/json;charset=x']
  const FORM_TYPES = ['multipart/form-data', 'multipart/form-data; boundary=x', 'text/plain', '']
  const TYPE = fc.oneof(
    fc.constantFrom(...TYPES, ...FORM_TYPES, 'multipart/form-data; boundary="'),
    fc.string({ unit: 'grapheme-ascii', maxLength: 30 }).filter((text) => !/[\r\n\0]/.test(text)),
  )
  const BASE64 = PHOTO.jpeg.toBase64()
  const MEMBER = fc.oneof(
    fc.constantFrom(BASE64, `data:image/jpeg;base64,${BASE64}`, 'wickerwild', 'prices'),
    HOSTILE_VALUE,
  )
  const FORM = fc
    .array(
      fc.constantFrom(
        '--x\r\n',
        '--x--\r\n',
        '\r\n',
        '\r\n\r\n',
        BASE64,
        'GIF89a',
        '\0',
        'Content-Disposition: form-data; name="image"; filename="a.jpg"\r\n',
        'Content-Disposition: form-data; name="game"\r\n',
        'Content-Disposition: form-data; name="include"; filename=""\r\n',
        'Content-Type: image/jpeg\r\n',
      ),
      { maxLength: 16 },
    )
    .map((parts) => parts.join(''))
  const BODY = fc.oneof(
    BYTES,
    BYTES.map((bytes) => Uint8Array.from([...PHOTO.jpeg, ...bytes])),
    fc.record({ image: MEMBER, game: MEMBER, include: MEMBER }, { requiredKeys: [] }).map(toJson),
    fc.json(),
    FORM,
  )
  const balance = async () => {
    return (await testApp.deps.ledger.accounts.getScans(await testApp.accountId('business')))
      .balance
  }

  test('is answered as documented, whatever it is', async () => {
    const queries = [
      '',
      '?game=wickerwild',
      '?include=prices',
      '?game=a&game=b',
      '?%ff',
      '?game=%00',
    ]
    const requests = fc.tuple(BODY, TYPE, fc.constantFrom(...queries))
    await expectForAll(requests, async ([body, type, query]) => {
      const statuses = [200, 400, 402]
      await send('POST /v1/identify', `/v1/identify${query}`, { body, type, statuses })
    })
    expect(await testApp.deps.ledger.scans.listUnbalanced()).toEqual([])
  })

  test('of a scan session costs the stated number of scans', async () => {
    const name = 'POST /v1/scan-sessions/{id}/photos/{photo}'
    const { id } = await holdingsOf(testApp, '/v1/scan-sessions', 'business')
    const key = fc.oneof(
      fc.stringMatching(/^[\w-]{1,66}$/),
      fc
        .string({ unit: 'binary', minLength: 1 })
        // These would reach another endpoint.
        .filter((text) => !/^\.{1,2}$|\//.test(text)),
    )
    const queries = ['', '?page=true', '?page=1', '?max_scans=0', '?page=true&max_scans=2']
    const photo = fc.oneof(fc.constantFrom<Body[]>(PHOTO.jpeg, PHOTO.png), BYTES)
    await expectForAll(
      fc.tuple(photo, key, fc.constantFrom(...queries)),
      async ([body, text, query]) => {
        const before = await balance()
        const segment = encodeURIComponent(text.toWellFormed())
        const path = `/v1/scan-sessions/${id}/photos/${segment}${query}`
        const reply = await send(name, path, { body, type: 'image/jpeg', statuses: [200, 400] })
        const charged = reply.status === 200 ? reply.body.meta.scans_charged : 0
        expect(await balance()).toBe(before - charged)
      },
    )
    expect(await testApp.deps.ledger.scans.listUnbalanced()).toEqual([])
  })
})

test('logs no internal error', () => expect(testApp.log).toEqual([]))
