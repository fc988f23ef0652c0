import { createReadStream, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { buildBulkFiles } from '#actions/pricing/build-bulk-files.ts'
import { EXPORT_FORMATS } from '#actions/pricing/export-prices.ts'
import { openLog } from '#log.ts'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import { openDatabase } from '#store/db.ts'
import { openCatalog } from '#store/open-catalog.ts'
import type { BenchData } from './data.ts'
import { interleave, middle, type Rounds, ratio, type Sample } from './measure.ts'
import { requireServer } from './prices.ts'
import { startRaw, startServer, withServers } from './servers.ts'
import { formatShort, type Row, times } from './table.ts'

/** Measures the export of a set, and the files of the whole catalog. */
export async function benchFiles(data: BenchData): Promise<Row[]> {
  return [...(await benchExport(data)), await benchBuild(data)]
}

/** Downloads a set as a file over HTTP: time to the first and to the last byte. */
async function benchExport(data: BenchData): Promise<Row[]> {
  const { id, cards } = largestSet(data)
  const headers = { 'x-api-key': data.keys[0] ?? '' }
  return withServers([startServer(data.dataDir)], async ([server]) => {
    const rows: Row[] = []
    for (const format of EXPORT_FORMATS) {
      const url = `${requireServer(server).url}/v1/export/set/${id}?format=${format}`
      const body = join(data.scratch, `export.${format}`)
      const text = await (await fetch(url, { headers })).text()
      writeFileSync(body, text)
      const rounds = await withServers([startRaw(body)], ([raw]) =>
        interleave(ROUNDS, {
          ours: () => download(url, headers),
          raw: () => download(requireServer(raw).url, {}),
        }),
      )
      const first = middle(rounds, 'ours', 'first')
      rows.push({
        figure: `export of a set of ${formatShort(cards)} cards as ${format} (${formatShort(text.length / 1e6)} MB)`,
        ours: formatTimes(rounds, 'ours'),
        limit: `the same bytes, precomputed: ${formatTimes(rounds, 'raw')}`,
        toLimit: `${times(ratio(rounds, 'first', 'ours', 'raw'))}, ${times(ratio(rounds, 'whole', 'ours', 'raw'))}`,
        target: 'first byte 20 ms',
        met: first <= 20,
      })
    }
    return rows
  })
}

function formatTimes(rounds: Rounds, subject: string): string {
  return `first byte ${formatShort(middle(rounds, subject, 'first'))} ms, whole ${formatShort(middle(rounds, subject, 'whole'))} ms`
}

function largestSet({ catalogFile }: BenchData): { id: number; cards: number } {
  const db = openDatabase(catalogFile, { readonly: true })
  const found = db
    .prepare<[], { id: number; cards: number }>(
      'SELECT set_id AS id, count(*) AS cards FROM cards GROUP BY set_id ORDER BY 2 DESC LIMIT 1',
    )
    .get()
  db.close()
  if (found === undefined) throw new Error('the catalog is empty')
  return found
}

async function download(url: string, headers: Record<string, string>): Promise<Sample> {
  const started = performance.now()
  const response = await fetch(url, { headers })
  if (!response.ok || response.body === null) {
    throw new Error(`the file returned ${response.status}`)
  }
  let first = 0
  for await (const _ of response.body) first ||= performance.now() - started
  return { first, whole: performance.now() - started }
}

/**
 * Builds the files of the whole catalog once. Compression takes most of the time, so compression alone is the limit.
 */
async function benchBuild({ dataDir, scratch }: BenchData): Promise<Row> {
  const folder = join(scratch, 'bulk')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const catalog = openCatalog(dataDir, createPictureUrl('http://127.0.0.1'))
  try {
    const deps = { catalog, dataDir: folder, log: openLog('error'), now: () => new Date() }
    let bytes = 0
    const ours = await seconds(async () => {
      bytes = (await buildBulkFiles(deps)).bytes
    })
    const limit = await seconds(() => compressAll(folder))
    return {
      figure: `the files of the whole catalog (${formatShort(bytes / 1e6)} MB)`,
      ours: `${formatShort(ours)} s`,
      limit: `the same decompressed and compressed again: ${formatShort(limit)} s`,
      toLimit: times(ours / limit),
      target: '25 s',
      met: ours <= 25,
    }
  } finally {
    catalog.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compressAll(folder: string): Promise<void> {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.gz')) continue
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
    await pipeline(createReadStream(join(folder, name)), createGunzip(), createGzip(), nowhere)
  }
}

async function seconds(run: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await run()
  return (performance.now() - started) / 1000
}

const ROUNDS = 15
