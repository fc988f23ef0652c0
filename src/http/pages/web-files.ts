import { createHash } from 'node:crypto'
import frame from '../../web/document.html'
import app from '../../web/index.html'
import startScript from '../../web/page-start.js' with { type: 'text' }
import { createStaticFile, type StaticFile } from '../endpoint/static-file.ts'

/** Pages of `src/web`, and files whose names contain a hash of their content. */
export type WebFiles = {
  /** The dashboard, which the browser renders. */
  app: string
  /** Frame of the pages that the server renders. */
  frame: string
  files: ReadonlyMap<string, StaticFile>
}

/** Path of the files. */
export const ASSETS = '/assets/'

type Bundle = { page: string; files: ReadonlyMap<string, StaticFile> }
type HtmlImport = typeof app

let built: Promise<WebFiles> | undefined

/**
 * Builds the pages once per process. Bun could serve an imported page, but without a content security policy and
 * without immutable file names.
 */
export function loadWebFiles(): Promise<WebFiles> {
  built ??= build().catch((error) => {
    // The next request tries again.
    built = undefined
    throw error
  })
  return built
}

/** Lists the URLs of the files that a page names. */
export function listAssets(page: string): string[] {
  return [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, url = '']) => url)
}

async function build(): Promise<WebFiles> {
  // Bundled separately: a shared chunk would be one more round trip before the first page.
  const [dashboard, document] = await Promise.all([app, frame].map(load))
  if (dashboard === undefined || document === undefined) throw new Error('a page is missing')
  const start = createStaticFile('text/javascript;charset=utf-8', minifyScript(startScript))
  const name = `start-${createHash('sha256').update(start.body).digest('hex').slice(0, 8)}.js`
  const withStart = (page: string) =>
    page.replace('</title>', `</title>\n<script src="${ASSETS}${name}"></script>`)
  return {
    app: withStart(dashboard.page),
    frame: withStart(document.page),
    files: new Map([...dashboard.files, ...document.files, [name, start]]),
  }
}

/** Removes comments and spaces. */
function minifyScript(script: string): string {
  return new Bun.Transpiler({ loader: 'js', minifyWhitespace: true }).transformSync(script)
}

function load(page: HtmlImport): Promise<Bundle> {
  return page.files === undefined ? bundle(page.index) : loadEmbedded(page.files)
}

/** Takes about 100 ms, off the event loop. */
async function bundle(page: string): Promise<Bundle> {
  const { outputs } = await Bun.build({
    entrypoints: [page],
    target: 'browser',
    minify: true,
    splitting: true,
    publicPath: ASSETS,
    naming: {
      entry: '[name]-[hash].[ext]',
      chunk: '[name]-[hash].[ext]',
      asset: '[name]-[hash].[ext]',
    },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return createBundle(
    await Promise.all(
      outputs.map(async (output) => {
        return { path: output.path, type: output.type, body: await bytesOf(output) }
      }),
    ),
  )
}

/** Reads the bundle that was compiled into the single-file executable. */
async function loadEmbedded(files: NonNullable<HtmlImport['files']>): Promise<Bundle> {
  const bundled = files.map(async ({ path, headers }) => {
    return { path, type: headers['content-type'], body: await bytesOf(Bun.file(path)) }
  })
  const { page, files: named } = createBundle(await Promise.all(bundled))
  // The compiled page expects its files in the same folder.
  const atAssets = page.replaceAll(/(href|src)="\/([\w-]+\.\w+)"/g, (link, kind, name) =>
    named.has(name) ? `${kind}="${ASSETS}${name}"` : link,
  )
  return { page: atAssets, files: named }
}

async function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await blob.arrayBuffer())
}

type BundledFile = { path: string; type: string; body: Uint8Array<ArrayBuffer> }

function createBundle(bundled: readonly BundledFile[]): Bundle {
  const files = new Map<string, StaticFile>()
  let page: string | undefined
  for (const { path, type, body } of bundled) {
    if (type.startsWith('text/html')) page = new TextDecoder().decode(body)
    else files.set(path.replace(/^.*\//, ''), createStaticFile(type, body))
  }
  if (page === undefined) throw new Error('the bundle has no page')
  return { page, files }
}
