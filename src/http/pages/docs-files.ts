import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import keyScript from '../../web/api-key.js' with { type: 'text' }
import apiScript from '../../web/api-reference.js' with { type: 'text' }
import sampleView from '../../web/api-sample-view.js' with { type: 'text' }
import samples from '../../web/api-samples.js' with { type: 'text' }
import sidebar from '../../web/api-sidebar.js' with { type: 'text' }
import { createStaticFile, type StaticFile } from '../endpoint/static-file.ts'
import { SWAGGER_STYLE } from './swagger-style.ts'

const SCRIPT = 'text/javascript; charset=utf-8'

/** Files of the API reference, with the functions that read them. */
const CONTENTS = {
  '/docs/start.js': [SCRIPT, () => withVersions(apiScript)],
  '/docs/api-key.js': [SCRIPT, () => keyScript],
  '/docs/api-sample-view.js': [SCRIPT, () => sampleView],
  '/docs/api-samples.js': [SCRIPT, () => samples],
  '/docs/api-sidebar.js': [SCRIPT, () => sidebar],
  '/docs/try-it.css': ['text/css; charset=utf-8', readStyle],
  '/docs/swagger-ui-bundle.js': [SCRIPT, () => swaggerFile('swagger-ui-bundle.js')],
} as const satisfies Record<string, [type: string, read: () => string | Uint8Array<ArrayBuffer>]>

export type DocsFilePath = keyof typeof CONTENTS

export const DOCS_FILE_PATHS = Object.keys(CONTENTS) as DocsFilePath[]

const files = new Map<DocsFilePath, StaticFile>()

/** Returns a file, which each process reads once. */
export function getDocsFile(path: DocsFilePath): StaticFile {
  const known = files.get(path)
  if (known !== undefined) return known
  const [type, read] = CONTENTS[path]
  const file = createStaticFile(type, read())
  files.set(path, file)
  return file
}

/** Returns the URL of a file, which changes with its content, so that browsers may cache it forever. */
export function docsFileUrl(path: DocsFilePath): string {
  return `${path}?v=${versionOf(getDocsFile(path))}`
}

/** Returns true if a request names the current version of a file. */
export function isCurrentVersion({ url }: Request, file: StaticFile): boolean {
  return url.endsWith(`?v=${versionOf(file)}`)
}

function versionOf({ tag }: StaticFile): string {
  return tag.slice(1, 13)
}

/** Names the current versions of the scripts that a script imports. */
function withVersions(script: string): string {
  return script.replaceAll(/from '\.\/([\w-]+\.js)'/g, (_, name: string) => {
    // The type checker does not see imports of text. An unknown file has no contents, which throws.
    return `from '${docsFileUrl(`/docs/${name}` as DocsFilePath)}'`
  })
}

/** Moves Swagger UI's style into a lower layer, so that every other rule wins regardless of its specificity. */
function readStyle(): string {
  const decoder = new TextDecoder()
  const [style, script] = ['swagger-ui.css', 'swagger-ui-bundle.js'].map((name) => {
    return decoder.decode(swaggerFile(name))
  })
  return `@layer swagger-ui {${withoutUnused(style ?? '', script + apiScript)}}\n${SWAGGER_STYLE}`
}

/** Removes selectors with classes that the scripts never name. They are half of Swagger UI's style. */
function withoutUnused(style: string, script: string): string {
  const words = new Set(script.match(/[\w-]+/g))
  // The script completes the names of some classes: `opblock-${method}`.
  const isNamed = (name: string) =>
    words.has(name) || words.has(name.slice(0, name.lastIndexOf('-') + 1))
  return style.replaceAll(/([^{}]+)(\{[^{}]*\})/g, (_, selectors: string, body: string) => {
    const used = selectors.split(',').filter((selector) => {
      return [...selector.matchAll(/\.([a-zA-Z_][\w-]*)/g)].every(([, name = '']) => isNamed(name))
    })
    return used.length === 0 ? '' : used.join(',') + body
  })
}

function swaggerFile(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(SWAGGER_UI, name)))
}

const SWAGGER_UI = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
