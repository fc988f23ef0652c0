import { join } from 'node:path'
import { hashKey } from '#rules/credentials.ts'
import { DAILY_REQUESTS } from '#rules/tiers.ts'
import { openLedger } from '#store/index.ts'
import { type BenchData, newKey } from './data.ts'
import { sendLoad } from './load.ts'
import { interleave, median, middle, type Rounds } from './measure.ts'
import { present } from './prices.ts'
import { startOpenTwin, startOurs, withServers } from './servers.ts'
import { few, type Row } from './table.ts'

/** What key and quota cost a request, and whether several processes ever grant too much. */
export async function benchQuota(data: BenchData): Promise<Row[]> {
  return [...(await costs(data)), await drains(data)]
}

async function costs({ cardIds, keys, dataDir, scratch }: BenchData): Promise<Row[]> {
  const asks = (root: string, keyed: boolean) =>
    cardIds.map((id, index) => ({
      path: `/${root}/cards/${id}/prices`,
      key: keyed ? keys[index % keys.length] : undefined,
    }))
  // Many short turns: what else the machine does then weighs on all alike.
  const load = { connections: 32, seconds: 1, folder: scratch }
  const rounds = await withServers([startOurs(dataDir), startOpenTwin(dataDir)], ([ours, twin]) =>
    interleave(31, {
      counted: () => sendLoad(present(ours), { ...load, asks: asks('v1', true) }),
      uncounted: () => sendLoad(present(twin), { ...load, asks: asks('uncounted', true) }),
      open: () => sendLoad(present(twin), { ...load, asks: asks('open', false) }),
    }),
  )
  const row = (figure: string, without: string, most: number): Row => {
    const cost = extra(rounds, 'counted', without)
    const [more, less] = [middle(rounds, 'counted', 'cpu'), middle(rounds, without, 'cpu')]
    return {
      figure,
      ours: `${few(cost)} µs (${few(more)} with, ${few(less)} without)`,
      target: `${most} µs`,
      met: cost <= most,
    }
  }
  return [
    row('quota, CPU a request', 'uncounted', 5),
    row('key and quota, CPU a request', 'open', 8),
  ]
}

/** What one subject costs more than another: the median over the rounds. */
function extra(rounds: Rounds, subject: string, than: string): number {
  const others = rounds.get(than) ?? []
  return median(
    (rounds.get(subject) ?? []).map(
      (sample, round) => (sample.cpu ?? Number.NaN) - (others[round]?.cpu ?? Number.NaN),
    ),
  )
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
