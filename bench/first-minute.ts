import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchData } from './data.ts'
import { sendLoad } from './load.ts'
import { interleave, ratio } from './measure.ts'
import { createRequests, figures, requireServer, sampleBody } from './prices.ts'
import { startRaw, startWithJobs, withServers } from './servers.ts'
import { percent, type Row } from './table.ts'

/**
 * Measures prices of a card in the first minute after a start, while files, a backup and the picture index are
 * created.
 */
export async function benchFirstMinute(data: BenchData): Promise<Row[]> {
  const requests = createRequests(data, (id) => `/v1/cards/${id}/prices`)
  const body = join(data.scratch, 'body.json')
  const backups = join(data.scratch, 'backups')
  const forget = () => {
    for (const made of [join(data.dataDir, 'bulk'), backups]) {
      rmSync(made, { recursive: true, force: true })
    }
  }
  writeFileSync(body, 'x')
  forget()
  try {
    return await withServers([startWithJobs(data.dataDir, backups)], async ([ours]) => {
      writeFileSync(body, await sampleBody(ours, requests))
      return withServers([startRaw(body)], async ([raw]) => {
        const load = { requests, connections: 32, seconds: SECONDS, folder: data.scratch }
        const rounds = await interleave(ROUNDS, {
          ours: () => sendLoad(requireServer(ours), load),
          limit: () => sendLoad(requireServer(raw), load),
        })
        const share = ratio(rounds, 'rps', 'ours', 'limit')
        return [
          {
            figure: 'prices of a card in the first minute, with all jobs',
            ours: figures(rounds, 'ours'),
            limit: figures(rounds, 'limit'),
            toLimit: percent(share),
            target: '≥ 33 % of the limit',
            met: share >= 0.33,
          },
        ]
      })
    })
  } finally {
    forget()
  }
}

/** A minute in all, for both subjects. */
const ROUNDS = 7
const SECONDS = 4
