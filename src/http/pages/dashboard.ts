import page from '../../web/index.html'

/** A file of the dashboard, as it is sent. */
export type DashboardFile = {
  /** The media type. */
  type: string
  body: Uint8Array<ArrayBuffer>
  /** The same by gzip, which every browser takes. */
  packed: Uint8Array<ArrayBuffer>
}

/** The dashboard as browsers load it: one page, and files whose names change with what is in them. */
export type Dashboard = {
  page: DashboardFile
  files: ReadonlyMap<string, DashboardFile>
}

/** Where the files are served. */
export const ASSETS = '/assets/'

let built: Promise<Dashboard> | undefined

/**
 * The dashboard, made once a process. Bun could serve the imported page by itself, but without headers
 * of ours: no policy, no hashed names that may be kept.
 */
export function dashboard(): Promise<Dashboard> {
  built ??= (page.files === undefined ? bundle() : embedded(page.files)).catch((error) => {
    // The next visit tries anew.
    built = undefined
    throw error
  })
  return built
}

/** Bundles it, some 100 ms beside the event loop. */
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
  return dashboardOf(
    await Promise.all(
      outputs.map(async (output) => {
        return { path: output.path, type: output.type, body: await bytesOf(output) }
      }),
    ),
  )
}

/** The single-file executable has it in it, bundled when that was compiled. */
async function embedded(files: NonNullable<typeof page.files>): Promise<Dashboard> {
  return dashboardOf(
    await Promise.all(
      files.map(async ({ path, headers }) => {
        const type = headers['content-type']
        const body = await bytesOf(Bun.file(path))
        return { path, type, body: type.startsWith('text/html') ? atAssets(body) : body }
      }),
    ),
  )
}

/** There the page names its files as if they lay beside it. */
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

function dashboardOf(bundled: readonly BundledFile[]): Dashboard {
  const files = new Map<string, DashboardFile>()
  let entry: DashboardFile | undefined
  for (const { path, type, body } of bundled) {
    const file = { type, body, packed: Bun.gzipSync(body, { level: 9 }) }
    if (type.startsWith('text/html')) entry = file
    else files.set(path.replace(/^.*\//, ''), file)
  }
  if (entry === undefined) throw new Error('the bundle of the dashboard has no page')
  return { page: entry, files }
}
