/** The types of the client are those of the API document of today. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTypePrinter, type Schema } from '../../scripts/tools/client/type-printer.ts'
import { type ApiDocument, renderClientTypes } from '../../scripts/tools/generate-client.ts'
import { createTestApp } from '../support/test-app.ts'

const FILE = join(import.meta.dir, '../../src/client/endpoints.ts')

test('src/client/endpoints.ts is what `bun scripts/tools/generate-client.ts` makes: run it, and commit what it writes', async () => {
  const testApp = await createTestApp()
  const { text } = await testApp.client.get('/openapi.json')
  testApp.close()
  // What of the document is not as it should be makes the printer fail.
  expect(readFileSync(FILE, 'utf8')).toBe(renderClientTypes(JSON.parse(text) as ApiDocument))
})

describe('a schema is written as the type that it is', () => {
  const text: Schema = { type: 'string' }
  const pair: Schema = { type: 'object', required: ['a'], properties: { a: text, b: text } }
  const point: Schema = { type: 'object', required: ['a'], properties: { a: text } }

  test.each<[string, Schema]>([
    ['string | null', { anyOf: [text, { type: 'null' }] }],
    ["'a' | 1", { anyOf: [{ const: 'a' }, { const: 1 }] }],
    ['(string | number)[]', { type: 'array', items: { anyOf: [text, { type: 'integer' }] } }],
    ['Record<string, boolean>', { type: 'object', patternProperties: { '': { type: 'boolean' } } }],
    ['Record<string, unknown>', { type: 'object', additionalProperties: true }],
    ['{ a: string; b?: string }', pair],
    ['{ a?: string }', { ...point, properties: { a: { ...text, default: 'x' } } }],
    ['Blob', { type: 'string', format: 'binary' }],
  ])('%s', (type, schema) => {
    expect(createTypePrinter({}).typeOf(schema).replaceAll('"', "'")).toBe(type)
  })

  test('a named one by its name, and what has it within by that', () => {
    const printer = createTypePrinter({ Point: point, Other: { ...point, required: [] } })
    expect(printer.typeOf({ type: 'array', items: point })).toBe('Point[]')
    expect(printer.typeOf(pair)).toBe('Point & { b?: string }')
    expect(printer.declarations()).toEqual(['export type Point = { a: string }'])
    expect(printer.unused()).toEqual(['Other'])
  })

  test('and one that is not known is refused', () => {
    expect(() => createTypePrinter({}).typeOf({ type: 'tuple' })).toThrow('no type is known')
  })
})
