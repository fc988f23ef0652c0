/**
 * Writes the types of the client, src/client/endpoints.ts, from the API document:
 *
 *     bun scripts/tools/generate-client.ts
 *
 * The printer knows the part of JSON Schema that our shapes use, and fails at anything else.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { closeDeps, openDeps } from '../../src/deps.ts'
import { createApp } from '../../src/http/app.ts'
import { TYPE_NAMES } from './client/type-names.ts'
import { createTypePrinter, docComment, type Schema } from './client/type-printer.ts'

const TARGET = join(import.meta.dir, '../../src/client/endpoints.ts')

const HEAD =
  '// Made from the API document by `bun scripts/tools/generate-client.ts`. Do not edit: change the shapes of src/http, and make it again.'

type Content = Record<string, { schema: Schema }>
type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }
type Operation = {
  summary: string
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}
/** What is read of the document. */
export type ApiDocument = { paths: Record<string, Record<string, Operation>> }

if (import.meta.main) await Bun.write(TARGET, renderClientTypes(await loadApiDocument()))

/** The source of src/client/endpoints.ts. */
export function renderClientTypes({ paths }: ApiDocument): string {
  const printer = createTypePrinter(TYPE_NAMES)
  const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const parts = renderParts(operation, printer.typeOf)
      return `${docComment(`${operation.summary}.`)}'${method.toUpperCase()} ${path}': {\n${parts}\n}`
    }),
  )
  const unmet = printer.unused()
  if (unmet.length > 0)
    throw new Error(`scripts/tools/client/type-names.ts names what is nowhere: ${unmet}`)
  const table = `/** What each endpoint takes and answers; undefined: nothing. */
export type Endpoints = {\n${endpoints.join('\n')}\n}`
  return formatSource([HEAD, table, ...printer.declarations()].join('\n\n'))
}

function renderParts(operation: Operation, typeOf: (schema: Schema) => string): string {
  const { parameters = [], requestBody, responses } = operation
  const typesIn = (content: Content = {}) => {
    const types = Object.entries(content).map(([media, { schema }]) =>
      media === 'multipart/form-data' ? 'FormData' : typeOf(schema),
    )
    return [...new Set(types)].join(' | ')
  }
  const body = requestBody === undefined ? 'undefined' : typesIn(requestBody.content)
  const success = responses[200] ?? responses[201] ?? responses[202]
  return [
    `path: ${renderFields(parameters, 'path', typeOf)}`,
    `query: ${renderFields(parameters, 'query', typeOf)}`,
    `body: ${requestBody?.required === false ? `${body} | undefined` : body}`,
    `reply: ${typesIn(success?.content)}`,
  ].join('\n')
}

function renderFields(
  parameters: readonly Parameter[],
  place: Parameter['in'],
  typeOf: (schema: Schema) => string,
): string {
  const fields = parameters.filter((parameter) => parameter.in === place)
  if (fields.length === 0) return 'undefined'
  const members = fields.map(
    ({ name, required, schema }) => `${name}${required ? '' : '?'}: ${typeOf(schema)}`,
  )
  return `{ ${members.join('; ')} }`
}

/** As the house's formatter writes it. */
function formatSource(source: string): string {
  const biome = join(import.meta.dir, '../../node_modules/.bin/biome')
  const { stdout, stderr, success } = Bun.spawnSync(
    [biome, 'format', `--stdin-file-path=${TARGET}`],
    {
      cwd: join(import.meta.dir, '../..'),
      stdin: new TextEncoder().encode(source),
    },
  )
  if (!success) throw new Error(`the types are no TypeScript: ${stderr}`)
  return stdout.toString()
}

/** The document of this very code, served from a folder that is thrown away. */
async function loadApiDocument(): Promise<ApiDocument> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-client-'))
  const deps = openDeps(readConfig({ DATA_DIR: folder, IDENTIFY_WORKERS: '0' }))
  const { app, close } = createApp(deps)
  const answer = await app.handle(new Request('http://localhost/openapi.json'))
  // The document is ours; what is not as it should be makes the printer fail.
  const document = (await answer.json()) as ApiDocument
  await close()
  await closeDeps(deps)
  rmSync(folder, { recursive: true })
  return document
}
