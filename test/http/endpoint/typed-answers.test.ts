import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { JsonAnswer } from '#http/endpoint/endpoint-spec.ts'
import { type JsonText, jsonText } from '#http/endpoint/envelope.ts'

// Answers are typed by the schemas that document them. The compiler checks this file: each line below an
// expected error must not compile.

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
  const undeclared: JsonAnswer<typeof CARD, never> = { data: { id: 1, number: null }, meta: 1 }
  const answers = [otherType, missing, nothing, noMeta, otherMeta, otherText, undeclared]
  expect(answers).toHaveLength(7)
})
