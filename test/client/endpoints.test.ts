/** The types of the client match the API document. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTypePrinter, type Schema } from '../../scripts/tools/client/type-printer.ts'
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
    expect(createTypePrinter({}).render(schema).replaceAll('"', "'")).toBe(type)
  })

  test('its name, also within other types', () => {
    const printer = createTypePrinter({ Point: point, Other: { ...point, required: [] } })
    expect(printer.render({ type: 'array', items: point })).toBe('Point[]')
    expect(printer.render(pair)).toBe('Point & { b?: string }')
    expect(printer.declarations()).toEqual(['export type Point = { a: string }'])
    expect(printer.unused()).toEqual(['Other'])
  })

  test('an error if it is unsupported', () => {
    expect(() => createTypePrinter({}).render({ type: 'tuple' })).toThrow('unsupported schema')
  })
})
