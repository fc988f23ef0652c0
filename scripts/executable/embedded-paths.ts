// Rewrites the paths in code for the executable, which has no folders of files.
import { dirname, join, relative } from 'node:path'
import type { BunPlugin } from 'bun'

/** The start of a thread, whose file is compiled as another entry. */
export const WORKER_URL = /new URL\('(\.\/[\w-]+\.ts)', import\.meta\.url\)/g

/**
 * Creates a plugin that rewrites paths: of threads to those in the executable, and of other files to those that
 * `files.ts` unpacks. It changes the code of Cardstock and of the two packages that load native libraries.
 *
 * @param root folder of the source tree
 */
export function embeddedFiles(root: string): BunPlugin {
  return {
    name: 'places',
    setup(build) {
      build.onLoad({ filter: SOURCE_FILES }, async ({ path }) => ({
        contents: rewritePaths(await Bun.file(path).text(), path, root),
        loader: 'ts',
      }))
      build.onLoad({ filter: PACKAGE_FILES }, async ({ path }) => ({
        contents: rewritePaths(await Bun.file(path).text(), path, root),
        loader: 'js',
      }))
    },
  }
}

const SOURCE_FILES = /\/(src|scripts)\/([\w-]+\/)*[\w-]+\.ts$/
const PACKAGE_FILES =
  /\/node_modules\/(better-sqlite3\/lib\/binding\.js|sharp\/dist\/(sharp|utility)\.mjs)$/

const FILES_MODULE = JSON.stringify(join(import.meta.dir, 'files.ts'))
const REQUIRED = `const { embeddedFile } = require(${FILES_MODULE});`
const IMPORTED = `import { embeddedFile } from ${FILES_MODULE};`

function rewritePaths(text: string, path: string, root: string): string {
  if (!/import\.meta|__dirname/.test(text)) return text
  const place = embeddedPath(path, root)
  const here = dirname(place)
  const body = text
    .replace(WORKER_URL, (_, name) => `new URL('file:///$bunfs/root/${join(here, name)}')`)
    .replace(/import\.meta\.resolve\('([^']+)'\)/g, (_, name) =>
      embeddedUrl(embeddedPath(Bun.resolveSync(name, dirname(path)), root)),
    )
    .replace(/import\.meta\.url/g, () => embeddedUrl(place))
    .replace(/import\.meta\.dir\b|__dirname/g, () => embeddedFileCall(here))
  return `${path.endsWith('.js') ? REQUIRED : IMPORTED}${body}`
}

/** The path of a file in the source tree, also where its packages are linked. */
function embeddedPath(path: string, root: string): string {
  const [, ofPackage] = /.*\/(node_modules\/.*)$/.exec(path) ?? []
  return ofPackage ?? relative(root, path)
}

function embeddedFileCall(place: string): string {
  return `embeddedFile(${JSON.stringify(place)})`
}

function embeddedUrl(place: string): string {
  return `Bun.pathToFileURL(${embeddedFileCall(place)}).href`
}
