import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { openBrowser, visit } from '../dashboard.ts'
import { cpuSince, threadTimesOf } from '../measure.ts'
import { type Server, startPhotoServer, whenAtRest } from '../servers.ts'
import type { FigureName, Measurement, Opened } from './figures.ts'
import { copyData } from './guard-data.ts'
import type { Subject } from './http-figures.ts'
import { measureProcess } from './process-figures.ts'

/**
 * Starts a server of each tree on the sample. Measures photos, one after another, against a plain convolution, and the
 * script of the first page in a browser, against React alone.
 */
export async function openSample(
  names: readonly FigureName[],
  subjects: readonly Subject[],
  scratch: string,
): Promise<Opened> {
  const servers: Server[] = []
  const browser = names.includes('script') ? await openBrowser() : undefined
  const close = async () => {
    await browser?.close()
    await Promise.all(servers.map((server) => server.close()))
  }
  const photos: Measurement['trees'][number][] = []
  try {
    for (const [index, { tree, data }] of subjects.entries()) {
      const folder = join(scratch, `sample-${index}`)
      copyData(data, 'sample', folder)
      const server = await startPhotoServer(folder, tree.folder)
      servers.push(server)
      await whenAtRest(server)
      if (names.includes('photo')) photos.push(await openReader(server, data.sampleKey))
    }
    const measurements: Measurement[] = []
    if (names.includes('photo')) {
      measurements.push({ figures: ['photo'], rounds: 5, limit: measureConvolution, trees: photos })
    }
    if (browser !== undefined) {
      const trees = servers.map(({ url }) => async () => {
        const { script = Number.NaN } = await visit(browser, `${url}/`, '.tile a[href]')
        return { script }
      })
      const bytes = await reactBytes()
      measurements.push({
        figures: ['script'],
        rounds: 1,
        limit: async () => ({ script: bytes }),
        trees,
      })
    }
    return { measurements, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Returns the measurement of a photo, after the first one, which loads the networks. */
async function openReader({ url, pid }: Server, key: string) {
  const photo = await Bun.file(PHOTO).bytes()
  const identify = async () => {
    const headers = { 'content-type': 'image/jpeg', 'x-api-key': key }
    const response = await fetch(`${url}/v1/identify`, { method: 'POST', headers, body: photo })
    const text = await response.text()
    if (!response.ok) throw new Error(`a photo returned ${response.status}: ${text}`)
  }
  await identify()
  return async () => {
    const before = threadTimesOf(pid)
    for (let n = 0; n < PHOTOS; n++) await identify()
    return { photo: cpuSince(before, pid) / PHOTOS }
  }
}

async function measureConvolution() {
  const script = join(import.meta.dir, '../processes/plain-convolution.ts')
  const { cpu } = await measureProcess(['bun', script], import.meta.dir, {})
  return { photo: cpu }
}

/** Returns the compressed size of the smallest page with React. */
async function reactBytes(): Promise<number> {
  const entry = join(import.meta.dir, 'react-alone.tsx')
  const built = await Bun.build({
    entrypoints: [entry],
    minify: true,
    env: 'disable',
    define: PRODUCTION,
  })
  const [script] = built.outputs
  if (script === undefined) throw new Error('React could not be built.')
  return zstdCompressSync(await script.arrayBuffer()).length
}

const PRODUCTION = { 'process.env.NODE_ENV': '"production"' }
const PHOTO = join(import.meta.dir, '../../data/sample/photos/clean.jpg')
const PHOTOS = 4
