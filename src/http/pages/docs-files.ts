import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createStaticFile, type StaticFile } from '../endpoint/static-file.ts'
import { DOCS_STYLE, SWAGGER_STYLE } from './docs-style.ts'

/** Files that documentation pages load, with the functions that read them. */
const CONTENTS = {
  '/docs/start.js': ['text/javascript; charset=utf-8', () => SWAGGER_SCRIPT],
  '/docs/style.css': ['text/css; charset=utf-8', () => DOCS_STYLE],
  '/docs/try-it.css': ['text/css; charset=utf-8', () => SWAGGER_STYLE],
  '/docs/icon.svg': ['image/svg+xml', () => DOCS_ICON],
  '/docs/swagger-ui.css': ['text/css; charset=utf-8', () => swaggerFile('swagger-ui.css')],
  '/docs/swagger-ui-bundle.js': [
    'text/javascript; charset=utf-8',
    () => swaggerFile('swagger-ui-bundle.js'),
  ],
} as const satisfies Record<string, [type: string, read: () => string | Uint8Array<ArrayBuffer>]>

export type DocsFilePath = keyof typeof CONTENTS

export const DOCS_FILE_PATHS = Object.keys(CONTENTS) as DocsFilePath[]

const files = new Map<DocsFilePath, StaticFile>()

/** Returns a file, which is read once a process. */
export function getDocsFile(path: DocsFilePath): StaticFile {
  const known = files.get(path)
  if (known !== undefined) return known
  const [type, read] = CONTENTS[path]
  const file = createStaticFile(type, read())
  files.set(path, file)
  return file
}

/** Returns the URL of a file, which changes with its content, so that browsers may keep it forever. */
export function docsFileUrl(path: DocsFilePath): string {
  return `${path}?v=${versionOf(getDocsFile(path))}`
}

/** Returns whether a request names the version of a file. */
export function isCurrentVersion({ url }: Request, file: StaticFile): boolean {
  return url.endsWith(`?v=${versionOf(file)}`)
}

function versionOf({ tag }: StaticFile): string {
  return tag.slice(1, 13)
}

function swaggerFile(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(SWAGGER_UI, name)))
}

const SWAGGER_UI = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))

/** Starts Swagger UI. Keys stay in memory, and no request goes to its makers. */
const SWAGGER_SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()
SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
})
`

const DOCS_ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect x="5" y="6" width="15" height="21" rx="3" fill="#8dc1ea" transform="rotate(-12 12 16)"/>
<rect x="11" y="5" width="16" height="22" rx="3" fill="#24557a"/>
</svg>
`
