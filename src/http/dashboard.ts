import page from '../web/index.html'

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
 * Bundles the dashboard, once a process: some 100 ms, beside the event loop. Bun could serve the
 * imported page by itself, but without headers of ours: no policy, no hashed names that may be kept.
 */
export function dashboard(): Promise<Dashboard> {
  built ??= build()
  return built
}

async function build(): Promise<Dashboard> {
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
  const files = new Map<string, DashboardFile>()
  let entry: DashboardFile | undefined
  for (const output of outputs) {
    const body = new Uint8Array(await output.arrayBuffer())
    const file = { type: output.type, body, packed: Bun.gzipSync(body, { level: 9 }) }
    if (output.type.startsWith('text/html')) entry = file
    else files.set(output.path.replace(/^.*\//, ''), file)
  }
  if (entry === undefined) throw new Error('the bundle of the dashboard has no page')
  return { page: entry, files }
}
