/** The types of the client match the API document. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { declareType, renderType, type Schema } from '../../scripts/tools/client/type-printer.ts'
import { type ApiDocument, renderClientTypes } from '../../scripts/tools/generate-client.ts'
import { createTestApp } from '../support/test-app.ts'

const FILE = join(import.meta.dir, '../../src/client/endpoints.ts')

test('src/client/endpoints.ts is up to date (run `bun scripts/tools/generate-client.ts`)', async () => {
  const testApp = await createTestApp()
  const { text } = await testApp.client.get('/openapi.json')
  testApp.close()
  // The printer fails at a document of another shape.
  expect(readFileSync(FILE, 'utf8')).toBe(renderClientTypes(JSON.parse(text) as ApiDocument))
})

describe('a schema is rendered as', () => {
  const text: Schema = { type: 'string' }
  const point: Schema = { type: 'object', required: ['a'], properties: { a: text } }
  const pair: Schema = { ...point, properties: { a: text, b: text } }
  const named: Schema = { $ref: '#/components/schemas/Point' }

  test.each<[string, Schema]>([
    ['string | null', { type: ['string', 'null'] }],
    ["'a' | 1 | null", { type: ['string', 'null'], enum: ['a', 1, null] }],
    ['(string | number)[]', { type: 'array', items: { anyOf: [text, { type: 'integer' }] } }],
    ['Record<string, boolean>', { type: 'object', additionalProperties: { type: 'boolean' } }],
    ['Record<string, unknown>', { type: 'object', additionalProperties: true }],
    ['{ a: string; b?: string }', pair],
    ['Blob', { type: 'string', format: 'binary' }],
    ['Point[]', { type: 'array', items: named }],
    ['Point | null', { anyOf: [named, { type: 'null' }] }],
    ['Point & { a: string }', { allOf: [named, point] }],
  ])('%s', (type, schema) => {
    expect(renderType(schema).replaceAll('"', "'")).toBe(type)
  })

  test('a declaration with its description', () => {
    expect(declareType('Point', { ...point, description: 'A point.' })).toBe(
      '/** A point. */\nexport type Point = { a: string }',
    )
  })

  test('an error if it is unsupported', () => {
    expect(() => renderType({ type: 'tuple' })).toThrow('unsupported schema')
  })
})
