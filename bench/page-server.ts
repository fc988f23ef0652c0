import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { newKey } from './data.ts'
import { interleave, middle, residentOf } from './measure.ts'
import { requireServer } from './prices.ts'
import { requestWhile, waitForIndex } from './reader.ts'
import { type Server, startPhotoServer, withServers } from './servers.ts'
import { formatShort, type Row } from './table.ts'

const DATA = join(import.meta.dir, 'run/pages')

/** Measures other requests and the memory of a server while it identifies the given pages at once. */
export async function measurePageServer(paths: readonly string[]): Promise<Row[]> {
  rmSync(DATA, { recursive: true, force: true })
  mkdirSync(DATA, { recursive: true })
  const pages = await Promise.all(paths.map((path) => Bun.file(path).bytes()))
  return withServers([startPhotoServer(DATA)], async ([server]) => {
    const ours = requireServer(server)
    await waitForIndex(DATA)
    // An account may send one page at a time.
    const keys = await Promise.all(pages.map(() => newKey(DATA, 'business', SCANS)))
    const identifyAll = () =>
      Promise.all(pages.map((page, index) => identify(ours, keys[index] ?? '', page)))
    const before = residentOf(ours.pid)
    let most = before
    // The peak of the process would include its start, which indexes pictures.
    const timer = setInterval(() => {
      most = Math.max(most, residentOf(ours.pid))
    }, 20)
    const rounds = await interleave(2, {
      idle: () => requestWhile(ours, Bun.sleep(2_000)),
      busy: () => requestWhile(ours, identifyAll()),
    })
    const busy = middle(rounds, 'busy', 'p99')
    clearInterval(timer)
    return [
      {
        figure: `other requests while ${pages.length} pages are identified, p99`,
        ours: `${formatShort(busy)} ms (median ${formatShort(middle(rounds, 'busy', 'p50'))} ms)`,
        limit: `${formatShort(middle(rounds, 'idle', 'p99'))} ms idle`,
        target: '20 ms',
        met: busy < 20,
      },
      {
        figure: 'peak memory of a server with two pages at once',
        ours: `${formatShort(most / 1e6)} MB`,
        limit: `${formatShort(before / 1e6)} MB before`,
        target: '500 MB',
        met: most <= 500e6,
      },
    ]
  })
}

const SCANS = 10_000

async function identify({ url }: Server, key: string, photo: Uint8Array<ArrayBuffer>) {
  const response = await fetch(`${url}/v1/identify/page`, {
    method: 'POST',
    headers: { 'content-type': 'image/jpeg', 'x-api-key': key },
    body: photo,
  })
  if (!response.ok) throw new Error(`page returned ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}
