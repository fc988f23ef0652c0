// Collections of 100,000 items: an import over HTTP beside other requests, with and without a draft, its undo, and the
// summary. bun bench/collections.ts DATA_DIR [--postgres], for a data folder that `bun run seed` has created. With
// --postgres, the ledger is a new database, so the folder must be new, too.
import { resolve } from 'node:path'
import { createKey } from '#actions/accounts/manage-keys.ts'
import { readConfig } from '#config.ts'
import { adoptStorage } from '#deps/storage.ts'
import { connectLedgerDatabase, openPostgresLedger } from '#store/ledger/postgres-ledger.ts'
import { openCatalog } from '#store/open-catalog.ts'
import { openLedger } from '#store/open-ledger.ts'
import { findFreePort } from '../test/support/free-port.ts'
import { startPostgres } from '../test/support/ledger/postgres-server.ts'
import { pick, randomFrom } from '../test/support/random.ts'

const dataDir = resolve(process.argv[2] ?? 'data/bench')
const ROWS = 100_000
const MAIN = resolve(import.meta.dir, '../src/main.ts')

const random = randomFrom(1)
const database = process.argv.includes('--postgres')
  ? await startPostgres({ settings: ['fsync=on', 'synchronous_commit=on'] })
  : undefined
const settings =
  database === undefined ? {} : { LEDGER_URL: database.url, APP_SECRET: 'benchmark'.repeat(8) }
if (database !== undefined) {
  await adoptStorage(readConfig({ DATA_DIR: dataDir, ...settings }), 'ledger.db')
}
const { key, cards } = await prepare()
const port = await findFreePort()
const server = Bun.spawn([process.execPath, '--no-env-file', MAIN], {
  env: {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    IDENTIFY_WORKERS: '0',
    BUILD_BULK_FILES: 'off',
    ...settings,
  },
  stdio: ['ignore', 'inherit', 'inherit'],
})
const api = `http://127.0.0.1:${port}`
const headers = { 'x-api-key': key }
try {
  await whenReady()
  // By then, the search index is in memory.
  await Bun.sleep(5_000)
  console.log('other requests alone', JSON.stringify(await measureOthers(Bun.sleep(5_000))))
  const { id } = await send<{ id: string }>('POST', '/v1/collections', '{"name":"Bench"}')
  const file = renderFile()
  console.log(`file: ${ROWS} rows, ${(file.length / 1e6).toFixed(1)} MB`)
  const path = `/v1/collections/${id}/import`
  const { import_id } = await measure<{ import_id: string }>('draft', () =>
    send('POST', `${path}?draft=true`, file, 'text/csv'),
  )
  const draft = `/v1/imports/${import_id}`
  await measure('import of the draft', () =>
    send<object>('POST', `${draft}/import`, '{"revision":1}'),
  )
  await measure('undo', () => send<object>('DELETE', draft))
  await measure('import', () => send<object>('POST', path, file, 'text/csv'))
  const valued = measureOthers(whenValued(id))
  console.log('valuation', JSON.stringify({ others: await valued, waited_s: await whenValued(id) }))
  for (const path of ['summary', 'history?range=all', 'completion', 'items?sort=value_desc']) {
    const times: number[] = []
    for (let count = 0; count < 200; count++) {
      const before = performance.now()
      await send('GET', `/v1/collections/${id}/${path}`)
      times.push(performance.now() - before)
    }
    console.log(path, JSON.stringify(percentiles(times)))
  }
  const before = performance.now()
  const repeated = await send('POST', `/v1/collections/${id}/import`, file, 'text/csv')
  console.log(
    'again',
    round((performance.now() - before) / 1000),
    JSON.stringify(repeated).slice(0, 120),
  )
} finally {
  server.kill('SIGTERM')
  await server.exited
  await database?.close()
}

async function prepare() {
  const ledger =
    database === undefined
      ? openLedger(dataDir)
      : openPostgresLedger(
          await connectLedgerDatabase({ url: database.url, connections: 2 }),
          dataDir,
        )
  const now = () => new Date()
  const email = `bench-${Date.now()}@bench.example`
  const context = { now: now(), address: undefined }
  const account = await ledger.accounts.create(
    { email, password_hash: 'none', tier: 'business' },
    context,
  )
  const owner = { account_id: account?.id ?? 0, address: undefined, name: 'bench' }
  const { key } = await createKey({ ledger, now }, owner)
  await ledger.close()
  const catalog = openCatalog(dataDir, (stored) => stored)
  const sets = catalog.sets.listIds()
  const cards: { name: string; set: string; number: string | null; game: string }[] = []
  for (const set of sets) {
    const record = catalog.sets.getById(set)
    for (const { name, number } of catalog.prices.listBySet(set)) {
      cards.push({ name, set: record?.name ?? '', number, game: record?.game_slug ?? '' })
    }
  }
  catalog.close()
  return { key, cards }
}

/** Renders rows in the format of an app. One row in a hundred names no card. */
function renderFile(): string {
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const { name, set, number, game } = pick(random, cards)
    const cells = [
      1 + Math.floor(random() * 4),
      row % 100 === 0 ? `Nobody ${row}` : name,
      game,
      set,
    ]
    const day = `20${23 + Math.floor(random() * 3)}-0${1 + Math.floor(random() * 9)}-15`
    const condition = pick(random, ['NM', 'LP', 'MP'])
    return [...cells, number ?? '', condition, 'English', (random() * 20).toFixed(2), day]
      .map((cell) => `"${String(cell).replaceAll('"', '""')}"`)
      .join(',')
  })
  const header = 'Quantity,Name,Game,Set Name,Collector Number,Condition,Language,Price Paid,Date'
  return [header, ...rows].join('\n')
}

/** Runs an import beside other requests. */
async function measure<Data extends object>(
  name: string,
  action: () => Promise<Data>,
): Promise<Data> {
  const started = performance.now()
  const ended = action()
  const others = await measureOthers(ended)
  const data = await ended
  const seconds = round((performance.now() - started) / 1000)
  const { rows, imported, removed } = { rows: 0, imported: 0, removed: 0, ...data }
  console.log(name, JSON.stringify({ seconds, rows, imported, removed, others }))
  return data
}

/** Requests cards 100 times a second until a promise settles. */
async function measureOthers(until: Promise<unknown>) {
  let isOver = false
  const end = until.finally(() => {
    isOver = true
  })
  const times: number[] = []
  const running = new Set<Promise<unknown>>()
  while (!isOver) {
    const before = performance.now()
    const card = 1 + Math.floor(random() * 1_000)
    const responded: Promise<unknown> = fetch(`${api}/v1/cards/${card}`, { headers })
      .then((response) => response.arrayBuffer())
      .then(() => times.push(performance.now() - before))
      .finally(() => running.delete(responded))
    running.add(responded)
    await Bun.sleep(10)
  }
  await Promise.all([...running, end])
  return { requests: times.length, ...percentiles(times) }
}

async function whenValued(id: string): Promise<number> {
  const started = performance.now()
  for (;;) {
    const { is_current } = await send<{ is_current: boolean }>(
      'GET',
      `/v1/collections/${id}/summary`,
    )
    if (is_current) return round((performance.now() - started) / 1000)
    await Bun.sleep(100)
  }
}

async function whenReady(): Promise<void> {
  for (;;) {
    const isReady = await fetch(`${api}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await Bun.sleep(50)
  }
}

async function send<Data>(
  method: string,
  path: string,
  body?: string,
  type = 'application/json',
): Promise<Data> {
  const response = await fetch(api + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body }),
  })
  const answer = (await response.json()) as { data: Data; error?: object }
  if (!response.ok) throw new Error(JSON.stringify(answer.error))
  return answer.data
}

function percentiles(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.floor(sorted.length * share)] ?? 0)
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: round(sorted.at(-1) ?? 0) }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
