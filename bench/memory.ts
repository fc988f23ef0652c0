import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchData } from './data.ts'
import { sendLoad } from './load.ts'
import { residentOf } from './measure.ts'
import { peerFiles } from './peer-files.ts'
import { requireServer } from './prices.ts'
import {
  type Server,
  startPeer,
  startRaw,
  startServer,
  whenIndexed,
  withServers,
} from './servers.ts'
import { formatShort, type Row } from './table.ts'

/** Measures the memory of the server just after its start, and after some minutes of requests. */
export async function benchMemory(data: BenchData): Promise<Row[]> {
  const peer = peerFiles(data)
  const body = join(data.scratch, 'body.json')
  writeFileSync(body, 'x'.repeat(500))
  return withServers(
    [startServer(data.dataDir), startRaw(body), startPeer(data.catalogFile, peer.words, peer.keys)],
    async ([ours, raw, theirs]) => {
      await whenIndexed(requireServer(ours))
      await Bun.sleep(REST_MS)
      const rest = [ours, raw, theirs].map(megabytes)
      const requests = data.cardIds.map((id, index) => ({
        path: `/v1/cards/${id}/prices`,
        key: data.keys[index % data.keys.length],
      }))
      const load = { requests, connections: 32, seconds: 8, folder: data.scratch }
      await sendLoad(requireServer(ours), load)
      await sendLoad(requireServer(theirs), load)
      await Bun.sleep(REST_MS)
      const after = [ours, raw, theirs].map(megabytes)
      return [row('at rest', rest), row('after 8 s of full load', after)]
    },
  )
}

function megabytes(server: Server | undefined): number {
  return residentOf(requireServer(server).pid) / 1e6
}

function row(when: string, [ours = 0, raw = 0, theirs = 0]: number[]): Row {
  return {
    figure: `memory of the server ${when}`,
    ours: `${formatShort(ours)} MB`,
    limit: `${formatShort(raw)} MB`,
    peer: `${formatShort(theirs)} MB`,
    ...(when === 'at rest' ? { target: '≤ 200 MB', met: ours <= 200 } : {}),
  }
}

const REST_MS = 3_000
