import { afterEach, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { Endpoint, JsonAnswer } from '#http/endpoint/declaration.ts'
import { type JsonText, jsonText } from '#http/endpoint/envelope.ts'
import { jsonObject } from '#http/input/json-body.ts'

// Responses are typed by the schemas that document them. The compiler checks this file: each line below an expected
// error must not compile.

const CARD = Type.Object({
  id: Type.Integer(),
  number: Type.Union([Type.String(), Type.Null()]),
  prices: Type.Optional(Type.Array(Type.Number())),
})
const META = Type.Object({ total: Type.Integer() })

type CardAnswer = JsonAnswer<typeof CARD, typeof META>

test('a response that matches its schemas compiles', () => {
  const prices: readonly number[] = [1, 2]
  const answers: CardAnswer[] = [
    { data: { id: 1, number: null }, meta: { total: 1 } },
    { data: { id: 1, number: '7', prices }, meta: { total: 1 } },
    { data: { id: 1, number: '7', prices: undefined }, meta: { total: 1 } },
    { data: jsonText('{"id":1,"number":null}'), meta: { total: 1 } },
  ]
  expect(answers).toHaveLength(4)
})

test('a response that does not match its schemas does not compile', () => {
  const meta = { total: 1 }
  // @ts-expect-error a member of another type
  const otherType: CardAnswer = { data: { id: '1', number: null }, meta }
  // @ts-expect-error a missing member
  const missing: CardAnswer = { data: { id: 1 }, meta }
  // @ts-expect-error null where the schema has none
  const nothing: CardAnswer = { data: { id: null, number: null }, meta }
  // @ts-expect-error no meta although it is declared
  const noMeta: CardAnswer = { data: { id: 1, number: null } }
  // @ts-expect-error a meta of another type
  const otherMeta: CardAnswer = { data: { id: 1, number: null }, meta: { total: '1' } }
  const text: JsonText<{ name: string }> = jsonText('{"name":"x"}')
  // @ts-expect-error rendered JSON of another schema
  const otherText: CardAnswer = { data: text, meta }
  // @ts-expect-error a meta that is not declared
  const undeclared: JsonAnswer<typeof CARD, undefined> = { data: { id: 1, number: null }, meta: 1 }
  const answers = [otherType, missing, nothing, noMeta, otherMeta, otherText, undeclared]
  expect(answers).toHaveLength(7)
})

const declared: string[] = []
/** Only its type matters: it collects the names, so that each test counts its declarations. */
const endpoint: Endpoint = (name) => void declared.push(name)
afterEach(() => void declared.splice(0))

const DOCS = { id: 'getCard', tag: 'Cards', summary: 'Get a card', returns: 'The card.' } as const

test('a request has the types of its declaration', () => {
  endpoint('POST /v1/cards/:id', {
    ...DOCS,
    auth: 'account',
    params: { id: Type.Integer() },
    query: { names: Type.Optional(Type.String()) },
    body: jsonObject({ price: Type.Number() }),
    reply: Type.Object({ sum: Type.Number(), name: Type.String() }),
    respond({ params, query, body, principal, clientAddress }) {
      const sum = params.id + body.price + principal.account_id
      return { data: { sum, name: query.names ?? clientAddress } }
    },
  })
  endpoint('GET /v1/cards', {
    ...DOCS,
    auth: 'key',
    needs: 'catalog',
    cost: 'counted',
    reply: Type.Object({ tier: Type.String() }),
    async respond({ principal, charge }) {
      await charge(2)
      return { data: { tier: principal.tier }, volume: { cards: [], records: 1 } }
    },
  })
  expect(declared).toEqual(['POST /v1/cards/:id', 'GET /v1/cards'])
})

test('a declaration that its functions do not match does not compile', () => {
  const reply = Type.Object({ id: Type.Integer() })
  const data = { id: 1 }
  endpoint('GET /v1/cards', {
    ...DOCS,
    auth: 'key',
    needs: 'catalog',
    reply,
    // @ts-expect-error visitors can receive it, and its volume is missing
    respond: () => ({ data }),
  })
  endpoint('GET /v1/cards', {
    ...DOCS,
    auth: 'anyone',
    reply,
    // @ts-expect-error an answer of another type
    respond: () => ({ data: { id: 'one' } }),
  })
  endpoint('GET /v1/cards', {
    ...DOCS,
    auth: 'anyone',
    reply,
    // @ts-expect-error a file that is not declared
    respond: () => ({ fileName: 'a.csv', contentType: 'text/csv', source: { chunks: [] } }),
  })
  const list = { ...DOCS, auth: 'anyone', reply: Type.Array(reply), entryId: 'name' } as const
  // @ts-expect-error an entry that has no such member
  endpoint('GET /v1/cards', { ...list, respond: () => ({ data: [data] }) })
  endpoint('GET /v1/cards', {
    ...DOCS,
    auth: 'anyone',
    // @ts-expect-error a member that no declaration has
    sumary: 'Get a card',
    reply,
    respond: () => ({ data }),
  })
  endpoint('GET /v1/cards', {
    ...DOCS,
    auth: 'anyone',
    reply,
    // @ts-expect-error nobody has to send a key
    respond: ({ principal }) => ({ data: { id: principal.account_id } }),
  })
  expect(declared).toHaveLength(6)
})
