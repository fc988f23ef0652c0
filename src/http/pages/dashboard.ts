import page from '../../web/index.html'
import { createStaticFile, type StaticFile } from '../endpoint/static-file.ts'
import favicon from './favicon.ico' with { type: 'file' }

/** The dashboard: one page, and files whose names contain a hash of their content. */
export type Dashboard = {
  page: StaticFile
  files: ReadonlyMap<string, StaticFile>
}

/** Path of the files. */
export const ASSETS = '/assets/'

let built: Promise<Dashboard> | undefined

/**
 * Builds the dashboard once a process. Bun can serve an imported page by itself, but without a content
 * security policy and without immutable file names.
 */
export function loadDashboard(): Promise<Dashboard> {
  built ??= (page.files === undefined ? bundle() : embedded(page.files)).catch((error) => {
    // The next request tries again.
    built = undefined
    throw error
  })
  return built
}

/** Takes about 100 ms, off the event loop. */
async function bundle(): Promise<Dashboard> {
  const { outputs } = await Bun.build({
    entrypoints: [page.index],
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
  return createDashboard(
    await Promise.all(
      outputs.map(async (output) => {
        return { path: output.path, type: output.type, body: await bytesOf(output) }
      }),
    ),
  )
}

/** Reads the icon for clients that look for it at the root, whatever the page says. */
export async function loadFavicon(): Promise<StaticFile> {
  return createStaticFile('image/x-icon', await bytesOf(Bun.file(favicon)))
}

/** Reads the bundle that was compiled into the single-file executable. */
async function embedded(files: NonNullable<typeof page.files>): Promise<Dashboard> {
  return createDashboard(
    await Promise.all(
      files.map(async ({ path, headers }) => {
        const type = headers['content-type']
        const body = await bytesOf(Bun.file(path))
        return { path, type, body: type.startsWith('text/html') ? atAssets(body) : body }
      }),
    ),
  )
}

/** Points the page to `/assets/`: the compiled one expects its files beside it. */
function atAssets(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(body)
  return new TextEncoder().encode(
    text.replaceAll(/(href|src)="\/([\w-]+\.\w+)"/g, `$1="${ASSETS}$2"`),
  )
}

async function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await blob.arrayBuffer())
}

type BundledFile = { path: string; type: string; body: Uint8Array<ArrayBuffer> }

function createDashboard(bundled: readonly BundledFile[]): Dashboard {
  const files = new Map<string, StaticFile>()
  let entry: StaticFile | undefined
  for (const { path, type, body } of bundled) {
    const file = createStaticFile(type, body)
    if (type.startsWith('text/html')) entry = file
    else files.set(path.replace(/^.*\//, ''), file)
  }
  if (entry === undefined) throw new Error('the dashboard bundle has no page')
  return { page: entry, files }
}
