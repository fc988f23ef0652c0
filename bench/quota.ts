import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { generateApiKey, hashSecret, keyPreview } from '#rules/accounts/credentials.ts'
import { DAILY_REQUESTS } from '#rules/accounts/tiers.ts'
import { inTransaction, openDatabase } from '#store/db.ts'
import { openLedger } from '#store/open-ledger.ts'
import { type BenchData, newKey } from './data.ts'
import { sendLoad } from './load.ts'
import { interleave, median, middle, type Rounds, ratio } from './measure.ts'
import { requireServer } from './prices.ts'
import { startServer, startUnmeteredTwin, withServers } from './servers.ts'
import { formatShort, type Row, times } from './table.ts'

/** Measures the cost of key and quota per request, and checks that concurrent processes never grant too much. */
export async function benchQuota(data: BenchData): Promise<Row[]> {
  return [...(await costs(data)), ...(await crowded(data)), await drains(data)]
}

async function costs({ cardIds, keys, dataDir, scratch }: BenchData): Promise<Row[]> {
  const requestList = (root: string, keyed: boolean) =>
    cardIds.map((id, index) => ({
      path: `/${root}/cards/${id}/prices`,
      key: keyed ? keys[index % keys.length] : undefined,
    }))
  // Many short turns, so that other activity of the machine affects all subjects equally.
  const load = { connections: 32, seconds: 1, folder: scratch }
  const rounds = await withServers(
    [startServer(dataDir), startUnmeteredTwin(dataDir)],
    ([ours, twin]) =>
      interleave(31, {
        counted: () =>
          sendLoad(requireServer(ours), { ...load, requests: requestList('v1', true) }),
        uncounted: () =>
          sendLoad(requireServer(twin), { ...load, requests: requestList('uncounted', true) }),
        open: () =>
          sendLoad(requireServer(twin), { ...load, requests: requestList('open', false) }),
      }),
  )
  const row = (figure: string, without: string, most: number): Row => {
    const cost = extra(rounds, 'counted', without)
    const [more, less] = [middle(rounds, 'counted', 'cpu'), middle(rounds, without, 'cpu')]
    return {
      figure,
      ours: `${formatShort(cost)} µs (${formatShort(more)} with, ${formatShort(less)} without)`,
      target: `${most} µs`,
      met: cost <= most,
    }
  }
  return [
    row('quota, CPU a request', 'uncounted', 5),
    row('key and quota, CPU a request', 'open', 8),
  ]
}

/** Measures requests on a ledger with very many accounts, sent by few and by many of them. */
async function crowded({
  cardIds,
  keys,
  dataDir,
  catalogFile,
  scratch,
}: BenchData): Promise<Row[]> {
  const folder = join(scratch, 'crowded')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  copyFileSync(catalogFile, join(folder, 'catalog.db'))
  const crowd = addCrowd(join(dataDir, 'ledger.db'), join(folder, 'ledger.db'))
  const requestsOf = (some: readonly string[]) =>
    cardIds.map((id, index) => ({
      path: `/v1/cards/${id}/prices`,
      key: some[index % some.length],
    }))
  const load = { connections: 32, seconds: 1, folder: scratch }
  try {
    const rounds = await withServers(
      [startServer(dataDir), startServer(folder)],
      ([small, large]) =>
        interleave(21, {
          small: () => sendLoad(requireServer(small), { ...load, requests: requestsOf(keys) }),
          large: () => sendLoad(requireServer(large), { ...load, requests: requestsOf(keys) }),
          crowd: () => sendLoad(requireServer(large), { ...load, requests: requestsOf(crowd) }),
        }),
    )
    const [small, large, all] = ['small', 'large', 'crowd'].map((subject) =>
      middle(rounds, subject, 'cpu'),
    )
    const more = ratio(rounds, 'cpu', 'large', 'small')
    return [
      {
        figure: `a request with key and quota, CPU, of ${formatShort(ACCOUNTS)} accounts with ${formatShort(KEYS)} keys`,
        ours: `${formatShort(large ?? 0)} µs`,
        limit: `${formatShort(small ?? 0)} µs of ${formatShort(keys.length)} accounts`,
        toLimit: times(more),
        target: '1.05x',
        met: more <= 1.05,
      },
      {
        figure: `the same, sent by ${formatShort(crowd.length)} of these accounts in turn`,
        ours: `${formatShort(all ?? 0)} µs`,
        limit: `${formatShort(small ?? 0)} µs of ${formatShort(keys.length)} accounts`,
        toLimit: times(ratio(rounds, 'cpu', 'crowd', 'small')),
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Copies a ledger and adds accounts to the copy. @returns a key of each of some new accounts */
function addCrowd(from: string, to: string): string[] {
  const source = openDatabase(from)
  source.prepare('VACUUM INTO ?').run(to)
  source.close()
  const db = openDatabase(to)
  const addAccount = db
    .prepare<[string, number], number>(
      "INSERT INTO accounts (email, password_hash, tier, created_at) VALUES (?, 'none', 'business', ?) RETURNING id",
    )
    .pluck()
  const addKey = db.prepare(
    `INSERT INTO keys (id, account_id, name, key_hash, key_prefix, last4, is_active, created_at)
     VALUES (?, ?, 'crowd', ?, ?, ?, 1, ?)`,
  )
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
  const crowd: string[] = []
  inTransaction(db, () => {
    for (let account = 0; account < ACCOUNTS; account++) {
      const id = addAccount.get(`${account}@crowd.example`, Date.now())
      for (let key = 0; key < KEYS / ACCOUNTS; key++) {
        const text = generateApiKey(random)
        const { key_prefix, last4 } = keyPreview(text)
        addKey.run(randomUUID(), id, hashSecret(text), key_prefix, last4, Date.now())
        if (key === 0 && account % 10 === 0) crowd.push(text)
      }
    }
  })
  db.close()
  return crowd
}

/** Returns the extra cost of a subject over another: the median of the rounds. */
function extra(rounds: Rounds, subject: string, than: string): number {
  const others = rounds.get(than) ?? []
  return median(
    (rounds.get(subject) ?? []).map(
      (sample, round) => (sample.cpu ?? Number.NaN) - (others[round]?.cpu ?? Number.NaN),
    ),
  )
}

/** Lets several processes spend one account's quota at the same time. */
async function drains({ dataDir }: BenchData): Promise<Row> {
  const key = await newKey(dataDir, 'business')
  const ledger = openLedger(dataDir)
  const owner = await ledger.keys.getOwner(hashSecret(key))
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
    ours: `${formatShort(total)} (${granted.map(formatShort).join(' + ')})`,
    limit: formatShort(limit),
    target: 'never more than the limit',
    met: total <= limit && total > 0,
  }
}

const PROCESSES = 3
const ACCOUNTS = 100_000
const KEYS = 300_000
