/**
 * Generates the types of the client, src/client/endpoints.ts, from the API document:
 *
 *     bun scripts/tools/generate-client.ts
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenAPI3 } from 'openapi-typescript'
import { readConfig } from '../../src/config.ts'
import { closeDeps, openDeps } from '../../src/deps.ts'
import { createApp } from '../../src/http/app.ts'

const TARGET = join(import.meta.dir, '../../src/client/endpoints.ts')

const HEAD =
  '// Generated from the API document by `bun scripts/tools/generate-client.ts`. Do not edit: change src/http/schemas and generate it again.\n'

type Operation = {
  responses: Record<string, { headers?: object; content?: Record<string, { example?: unknown }> }>
}

if (import.meta.main) await Bun.write(TARGET, await renderClientTypes(await loadApiDocument()))

/** Renders src/client/endpoints.ts. */
export async function renderClientTypes(document: OpenAPI3): Promise<string> {
  const { default: ts } = await import('typescript-5')
  // The generator uses the syntax tree of the compiler, which TypeScript 7 does not export.
  Bun.plugin({
    name: 'typescript-5',
    setup(build) {
      build.module('typescript', () => ({ exports: { ...ts, default: ts }, loader: 'object' }))
    },
  })
  const { astToString, default: createTypes } = await import('openapi-typescript')
  const types = await createTypes(readSuccesses(document), {
    // The server applies defaults, so requests may omit such fields.
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    transform: ({ format }) =>
      format === 'binary' ? ts.factory.createTypeReferenceNode('Blob') : undefined,
  })
  return `${HEAD}\n${astToString(types)}`
}

/** Returns the document without the parts that the client ignores: error responses, headers and examples. */
function readSuccesses(document: OpenAPI3): OpenAPI3 {
  const { paths = {}, components = {}, ...rest } = structuredClone(document)
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as Operation[])
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      if (!status.startsWith('2')) delete responses[status]
      delete response.headers
      for (const media of Object.values(response.content ?? {})) delete media.example
    }
  }
  const { responses, headers, ...shared } = components
  return { ...rest, paths, components: shared }
}

/** Loads the API document of this checkout from a temporary server. */
export async function loadApiDocument(): Promise<OpenAPI3> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-client-'))
  const deps = await openDeps(readConfig({ DATA_DIR: folder, IDENTIFY_WORKERS: '0' }))
  const { app, close } = createApp(deps)
  const response = await app.handle(new Request('http://localhost/openapi.json'))
  // The document is valid, because the tests lint it.
  const document = (await response.json()) as OpenAPI3
  await close()
  await closeDeps(deps)
  rmSync(folder, { recursive: true })
  return document
}
