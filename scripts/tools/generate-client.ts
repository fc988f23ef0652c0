/**
 * Generates the types of the client, src/client/endpoints.ts, from the API document:
 *
 *     bun scripts/tools/generate-client.ts
 *
 * The printer supports the part of JSON Schema that the document uses, and fails at anything else.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { closeDeps, openDeps } from '../../src/deps.ts'
import { createApp } from '../../src/http/app.ts'
import { declareType, docComment, renderType, type Schema } from './client/type-printer.ts'

const TARGET = join(import.meta.dir, '../../src/client/endpoints.ts')

const HEAD =
  '// Generated from the API document by `bun scripts/tools/generate-client.ts`. Do not edit: change src/http/schemas and generate it again.'

type Content = Record<string, { schema: Schema }>
type Parameter = { name: string; in: 'path' | 'query'; required?: boolean; schema: Schema }
type Operation = {
  summary: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}
/** The part of the API document that the generator reads. */
export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

if (import.meta.main) await Bun.write(TARGET, renderClientTypes(await loadApiDocument()))

/** Renders src/client/endpoints.ts. */
export function renderClientTypes(document: ApiDocument): string {
  const endpoints = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const parts = renderParts(operation, document.components.parameters)
      return `${docComment(`${operation.summary}.`)}'${method.toUpperCase()} ${path}': {\n${parts}\n}`
    }),
  )
  const table = `/** Input and response of each endpoint. An input that is missing here is not accepted. */
export type Endpoints = {\n${endpoints.join('\n')}\n}`
  const types = Object.entries(document.components.schemas).map(([name, schema]) =>
    declareType(name, schema),
  )
  return formatSource([HEAD, table, ...types].join('\n\n'))
}

function renderParts(
  { parameters = [], requestBody, responses }: Operation,
  shared: Record<string, Parameter>,
): string {
  const typesIn = (content: Content = {}) => {
    const types = Object.entries(content).map(([media, { schema }]) =>
      media === 'multipart/form-data' ? 'FormData' : renderType(schema),
    )
    return [...new Set(types)].join(' | ')
  }
  const fields = parameters.map((one) => ('$ref' in one ? parameterAt(one.$ref, shared) : one))
  const body = requestBody && typesIn(requestBody.content)
  const success = responses[200] ?? responses[201] ?? responses[202]
  const parts = {
    path: renderFields(fields, 'path'),
    query: renderFields(fields, 'query'),
    body: requestBody?.required === false ? `${body} | undefined` : body,
    response: typesIn(success?.content),
  }
  return Object.entries(parts)
    .filter(([, type]) => type !== undefined)
    .map(([name, type]) => `${name}: ${type}`)
    .join('\n')
}

function parameterAt(reference: string, shared: Record<string, Parameter>): Parameter {
  const found = shared[reference.slice(reference.lastIndexOf('/') + 1)]
  if (found === undefined) throw new Error(`no such parameter: ${reference}`)
  return found
}

function renderFields(
  parameters: readonly Parameter[],
  place: Parameter['in'],
): string | undefined {
  const fields = parameters.filter((parameter) => parameter.in === place)
  if (fields.length === 0) return undefined
  const members = fields.map(
    ({ name, required, schema }) => `${name}${required ? '' : '?'}: ${renderType(schema)}`,
  )
  return `{ ${members.join('; ')} }`
}

/** Formats the source as biome.json says. */
function formatSource(source: string): string {
  const biome = join(import.meta.dir, '../../node_modules/.bin/biome')
  const { stdout, stderr, success } = Bun.spawnSync(
    [biome, 'format', `--stdin-file-path=${TARGET}`],
    {
      cwd: join(import.meta.dir, '../..'),
      stdin: new TextEncoder().encode(source),
    },
  )
  if (!success) throw new Error(`the types are not valid TypeScript: ${stderr}`)
  return stdout.toString()
}

/** Loads the API document of this checkout from a temporary server. */
export async function loadApiDocument(): Promise<ApiDocument> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-client-'))
  const deps = await openDeps(readConfig({ DATA_DIR: folder, IDENTIFY_WORKERS: '0' }))
  const { app, close } = createApp(deps)
  const response = await app.handle(new Request('http://localhost/openapi.json'))
  // The printer fails at a document of another shape.
  const document = (await response.json()) as ApiDocument
  await close()
  await closeDeps(deps)
  rmSync(folder, { recursive: true })
  return document
}
