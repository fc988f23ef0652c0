import { join } from 'node:path'
import { hashKey } from '#rules/credentials.ts'
import { DAILY_REQUESTS } from '#rules/tiers.ts'
import { openLedger } from '#store/index.ts'
import { type BenchData, newKey } from './data.ts'
import { sendLoad } from './load.ts'
import { interleave, median, middle } from './measure.ts'
import { present } from './prices.ts'
import { startOpenTwin, startOurs, withServers } from './servers.ts'
import { few, type Row } from './table.ts'

/** What key and quota cost a request, and whether several processes ever grant too much. */
export async function benchQuota(data: BenchData): Promise<Row[]> {
  return [await costs(data), await drains(data)]
}

async function costs(data: BenchData): Promise<Row> {
  const paths = data.cardIds.map((id) => `/v1/cards/${id}/prices`)
  const keyed = paths.map((path, index) => ({ path, key: data.keys[index % data.keys.length] }))
  const open = paths.map((path) => ({ path, key: undefined }))
  const load = { connections: 32, seconds: 4, folder: data.scratch }
  const rounds = await withServers(
    [startOurs(data.dataDir), startOpenTwin(data.dataDir)],
    ([ours, twin]) =>
      interleave(7, {
        keyed: () => sendLoad(present(ours), { ...load, asks: keyed }),
        open: () => sendLoad(present(twin), { ...load, asks: open }),
      }),
  )
  const opens = rounds.get('open') ?? []
  const extra = median(
    (rounds.get('keyed') ?? []).map(
      (sample, round) => (sample.cpu ?? 0) - (opens[round]?.cpu ?? 0),
    ),
  )
  return {
    figure: 'key and quota, CPU a request',
    ours: `${few(extra)} µs (${few(middle(rounds, 'keyed', 'cpu'))} with, ${few(middle(rounds, 'open', 'cpu'))} without)`,
    target: '5 µs',
    met: extra <= 5,
  }
}

/** Several processes spend one account's day at the same time. */
async function drains({ dataDir }: BenchData): Promise<Row> {
  const key = await newKey(dataDir, 'business')
  const ledger = openLedger(dataDir)
  const owner = await ledger.keys.ownerOf(hashKey(key))
  ledger.close()
  const startAt = String(Date.now() + 2_000)
  const granted = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const child = Bun.spawn(
        [
          'bun',
          join(import.meta.dir, 'processes/drain.ts'),
          dataDir,
          String(owner?.account_id),
          startAt,
        ],
        { stdout: 'pipe', stderr: 'inherit' },
      )
      return Number(await new Response(child.stdout).text())
    }),
  )
  const limit = DAILY_REQUESTS.business
  const total = granted.reduce((sum, one) => sum + one, 0)
  return {
    figure: `granted by ${PROCESSES} processes at once`,
    ours: `${few(total)} (${granted.map(few).join(' + ')})`,
    limit: few(limit),
    target: 'never more than the limit',
    met: total <= limit && total > 0,
  }
}

const PROCESSES = 3
