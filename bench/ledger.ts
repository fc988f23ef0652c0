// Compares the ledger on SQLite and on PostgreSQL (on this machine, over loopback), in turn.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createApiKeyAuthenticator } from '#actions/accounts/authenticate-api-key.ts'
import { createQuotaCharger } from '#actions/accounts/charge-quota.ts'
import { generateApiKey, hashSecret, keyPreview } from '#rules/accounts/credentials.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { connectLedgerDatabase, openPostgresLedger } from '#store/ledger/postgres-ledger.ts'
import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { startPostgres } from '../test/support/ledger/postgres-server.ts'
import { recordScan } from '../test/support/photos/record-scan.ts'
import { interleave, middle, percentile, type Rounds, type Sample } from './measure.ts'
import { formatShort, type Row } from './table.ts'

/** Measures the cost of ledger operations that requests need. PostgreSQL waits for the disk. */
export async function benchLedger(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-bench-ledger-'))
  const server = await startPostgres({ settings: ['fsync=on'] })
  prepareFiles(folder)
  const engine = await connectLedgerDatabase({ url: server.url, connections: 10 })
  const ledgers = { sqlite: openLedger(folder), postgres: openPostgresLedger(engine, folder) }
  try {
    const subjects = { sqlite: await fill(ledgers.sqlite), postgres: await fill(ledgers.postgres) }
    return [
      ...(await leaseRows(subjects)),
      await costRow(subjects),
      ...(await requestRows(subjects)),
      await throughputRow(subjects.postgres),
    ]
  } finally {
    for (const ledger of Object.values(ledgers)) await ledger.close()
    await server.close()
    rmSync(folder, { recursive: true })
  }
}

/** A ledger with accounts, each with scans, and a key of the first account. */
type Subject = { ledger: Ledger; accounts: number[]; key: string }

type BothSubjects = Record<'sqlite' | 'postgres', Subject>

const context = () => ({ now: new Date(), address: '192.0.2.7' })

async function register(ledger: Ledger): Promise<number> {
  const account = { email: `${randomUUID()}@bench.example`, password_hash: 'none' }
  const created = await ledger.accounts.create({ ...account, tier: 'business' }, context())
  if (created === undefined) throw new Error('the account was not created')
  return created.id
}

async function fill(ledger: Ledger): Promise<Subject> {
  const accounts: number[] = []
  for (let index = 0; index < ACCOUNTS; index++) {
    const account_id = await register(ledger)
    await ledger.scans.grant({ account_id, n: 1_000_000, ref: randomUUID() }, context())
    accounts.push(account_id)
  }
  const key = generateApiKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const id = randomUUID()
  const [account_id = 0] = accounts
  const shown = { id, account_id, name: 'bench', key_hash: hashSecret(key), ...keyPreview(key) }
  await ledger.keys.create(shown, 10, context())
  return { ledger, accounts, key }
}

/** Runs an operation repeatedly, some runs concurrently. @returns p50 and p99 in milliseconds */
async function spreadOf(times: number, atOnce: number, run: (index: number) => Promise<unknown>) {
  const took: number[] = []
  let next = 0
  const work = async () => {
    while (next < times) {
      const started = performance.now()
      await run(next++)
      took.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { p50: percentile(took, 50), p99: percentile(took, 99) }
}

/** Measures both ledgers in turn. */
const compare = (
  { sqlite, postgres }: BothSubjects,
  measure: (subject: Subject) => Promise<Sample>,
  rounds = ROUNDS,
): Promise<Rounds> =>
  interleave(rounds, { sqlite: () => measure(sqlite), postgres: () => measure(postgres) })

async function leaseRows(subjects: BothSubjects): Promise<Row[]> {
  const request = { limit: Number.MAX_SAFE_INTEGER, wanted: 64, needed: 1 }
  const rounds = await compare(subjects, ({ ledger, accounts }) =>
    spreadOf(200, 1, (index) =>
      ledger.usage.lease(accounts[index % ACCOUNTS] ?? 0, 20_000, request),
    ),
  )
  return [
    latencyRow('a lease of the quota, p50', rounds, 'p50', 1),
    latencyRow('a lease of the quota, p99', rounds, 'p99', 5),
  ]
}

function latencyRow(figure: string, rounds: Rounds, of: 'p50' | 'p99', mostMs: number): Row {
  const ours = middle(rounds, 'postgres', of)
  return {
    figure: `${figure}, on PostgreSQL`,
    ours: `${formatShort(ours)} ms`,
    limit: `${formatShort(middle(rounds, 'sqlite', of))} ms on SQLite`,
    target: `${mostMs} ms`,
    met: ours <= mostMs,
  }
}

/** Measures the CPU time of this process to check a key and charge a request, including leases. */
async function costRow(subjects: BothSubjects): Promise<Row> {
  let days = 0
  const measure = async ({ ledger, key }: Subject): Promise<Sample> => {
    // Each round uses the quota of another day.
    const day = new Date(Date.now() + days++ * MS_PER_DAY)
    const authenticate = createApiKeyAuthenticator({ ledger, config: { hasLimits: true } })
    const charger = createQuotaCharger({ ledger, now: () => day })
    const before = process.cpuUsage()
    for (let request = 0; request < REQUESTS; request++) {
      const known = authenticate(key)
      const owner = known instanceof Promise ? await known : known
      const charged = charger.charge(owner)
      if (charged instanceof Promise) await charged
      // Lets responses of the database arrive between requests.
      if (request % 50 === 0) await nextTurn()
    }
    const { user, system } = process.cpuUsage(before)
    await charger.close()
    return { cpu: (user + system) / REQUESTS }
  }
  const rounds = await compare(subjects, measure, 2 * ROUNDS)
  const [ours, sqlite] = [middle(rounds, 'postgres', 'cpu'), middle(rounds, 'sqlite', 'cpu')]
  return {
    figure: 'key and quota of a request on PostgreSQL, CPU of the server',
    ours: `${formatShort(ours)} µs`,
    limit: `${formatShort(sqlite)} µs on SQLite`,
    target: '6 µs more than on SQLite',
    met: ours - sqlite <= 6,
  }
}

/** Counts the statements of each kind of request, excluding password hashes and other services. */
const REQUESTS_OF: Record<string, (subject: Subject, index: number) => Promise<unknown>> = {
  async login({ ledger, accounts }, index) {
    const account_id = accounts[index % ACCOUNTS] ?? 0
    const limits = [{ name: `login ${account_id}`, limit: { limit: 1_000_000, windowMs: 900_000 } }]
    await ledger.attempts.consume(limits, new Date())
    const { password_hash = '' } = (await ledger.accounts.getById(account_id)) ?? {}
    const token_hash = hashSecret(randomUUID())
    const session = { account_id, password_hash, token_hash, replaces: undefined, ...context() }
    await ledger.sessions.create(session)
    await ledger.attempts.refund(limits)
  },
  register: ({ ledger }) => register(ledger),
  async identify(subject, index) {
    await readPhoto(subject, index)
  },
  checkout: ({ ledger, accounts }, index) =>
    ledger.checkouts.create({
      id: randomUUID(),
      account_id: accounts[index % ACCOUNTS] ?? 0,
      provider: 'manual',
      item: 'pro',
      amount_cents: 4_999,
      now: new Date(),
      openMs: 60_000,
    }),
}

/** Reserves and charges a scan: two transactions. */
async function readPhoto({ ledger, accounts }: Subject, index: number): Promise<void> {
  const account_id = accounts[index % ACCOUNTS] ?? 0
  const id = randomUUID()
  await ledger.scans.reserve({ id, account_id, taken_at: new Date(), holdMs: 60_000 })
  const seen = {
    id,
    account_id,
    at: Date.now(),
    game: null,
    data: '{}',
    status: 'matched',
  } as const
  await recordScan(ledger.scans, seen)
}

async function requestRows(subjects: BothSubjects): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, send] of Object.entries(REQUESTS_OF)) {
    const rounds = await compare(subjects, (subject) =>
      spreadOf(100, AT_ONCE, (index) => send(subject, index)),
    )
    rows.push(latencyRow(`statements of ${name}, ${AT_ONCE} at once, p99`, rounds, 'p99', 50))
  }
  return rows
}

async function throughputRow(subject: Subject): Promise<Row> {
  const rates: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now()
    await spreadOf(PHOTOS, 16, (index) => readPhoto(subject, index))
    rates.push((2 * PHOTOS * 1_000) / (performance.now() - started))
  }
  const rate = percentile(rates, 50)
  return {
    figure: 'transactions a second on PostgreSQL, 16 at once, server and database on this machine',
    ours: formatShort(rate),
    target: '500',
    met: rate >= 500,
  }
}

const ACCOUNTS = 32
const ROUNDS = 5
const REQUESTS = 20_000
const AT_ONCE = 4
const PHOTOS = 200
