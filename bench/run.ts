// Measures Cardstock against the limit of the machine and against a peer, and prints the table.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#store/db.ts'
import { benchAlerts } from './alerts.ts'
import { benchBulk } from './bulk.ts'
import { benchDashboard } from './dashboard.ts'
import { type BenchData, prepareData } from './data.ts'
import { benchDeliveries } from './deliveries.ts'
import { benchFirstMinute } from './first-minute.ts'
import { benchFleet } from './fleet.ts'
import { benchGrowth } from './growth.ts'
import { benchHistory } from './history.ts'
import { benchIdentify } from './identify.ts'
import { benchLedger } from './ledger.ts'
import { benchLines } from './lines.ts'
import { assertWrk } from './load.ts'
import { benchLogins } from './logins.ts'
import { benchMaintenance } from './maintenance.ts'
import { machine } from './measure.ts'
import { benchMemory } from './memory.ts'
import { benchMovers } from './movers.ts'
import { benchCard, benchPrices } from './prices.ts'
import { benchPrintings } from './printings.ts'
import { benchQuota } from './quota.ts'
import { benchRealPhotos } from './real-photos.ts'
import { benchScans } from './scans.ts'
import { benchSearch } from './search.ts'
import { benchSharedLedger } from './shared-ledger.ts'
import { benchSync } from './sync.ts'
import { formatTable, type Row } from './table.ts'
import { benchWorkers } from './workers.ts'

type Catalog = (needs: { peer: boolean }) => Promise<BenchData>

type Bench = (catalog: Catalog) => Promise<Row[]>

/** A benchmark on the large catalog, which takes minutes to generate. */
const onCatalog =
  (bench: (data: BenchData) => Promise<Row[]>): Bench =>
  async (catalog) =>
    bench(await catalog({ peer: true }))

/** Like `onCatalog`, without wrk and the peer. */
const onCatalogAlone =
  (bench: (data: BenchData) => Promise<Row[]>): Bench =>
  async (catalog) =>
    bench(await catalog({ peer: false }))

const BENCHES: Record<string, Bench> = {
  card: onCatalog(benchCard),
  prices: onCatalog(benchPrices),
  'first-minute': onCatalog(benchFirstMinute),
  search: onCatalog(benchSearch),
  growth: onCatalogAlone(benchGrowth),
  fleet: onCatalogAlone(benchFleet),
  history: onCatalog(benchHistory),
  bulk: onCatalog(benchBulk),
  movers: onCatalog(benchMovers),
  sync: onCatalog(benchSync),
  alerts: onCatalog(benchAlerts),
  quota: onCatalog(benchQuota),
  logins: onCatalog(benchLogins),
  memory: onCatalog(benchMemory),
  dashboard: onCatalogAlone(benchDashboard),
  deliveries: benchDeliveries,
  identify: benchIdentify,
  ledger: benchLedger,
  lines: benchLines,
  maintenance: benchMaintenance,
  printings: benchPrintings,
  'real-photos': benchRealPhotos,
  scans: benchScans,
  'shared-ledger': onCatalog(benchSharedLedger),
  workers: benchWorkers,
}

const USAGE = `Usage: bun run bench [NAME …]

Measures Cardstock against the limit of the machine and against a peer, and prints a table (bench/README.md).
BENCH_CARDS and BENCH_DAYS set the size of the catalog (500000 and 365).

  ${Object.keys(BENCHES).join(', ')}`

await main()

async function main(): Promise<void> {
  const names = process.argv.slice(2)
  if (names.includes('--help')) {
    process.stdout.write(`${USAGE}\n`)
    return
  }
  const unknown = names.find((name) => BENCHES[name] === undefined)
  if (unknown !== undefined) {
    fail(`Unknown benchmark "${unknown}".\n\n${USAGE}`)
  }
  let catalog: BenchData | undefined
  const prepared: Catalog = async ({ peer }) => {
    if (peer) assertTools()
    catalog ??= await prepareData(setting('BENCH_CARDS', 500_000), setting('BENCH_DAYS', 365))
    return catalog
  }
  const rows: Row[] = []
  for (const name of names.length === 0 ? Object.keys(BENCHES) : names) {
    process.stderr.write(`${name} …\n`)
    rows.push(...(await measured(name, prepared)))
  }
  process.stdout.write(`${machine(versions())}\n${sizeOf(catalog)}\n${formatTable(rows)}\n`)
}

function sizeOf(catalog: BenchData | undefined): string {
  if (catalog === undefined) return ''
  const { cards, printings, series, points } = catalog.seeded
  return `${cards} cards, ${printings} prices, ${points} points of ${series} series\n`
}

/** Returns the rows of a benchmark. A failure becomes a row with its reason, and the others continue. */
async function measured(name: string, catalog: Catalog): Promise<Row[]> {
  try {
    return (await BENCHES[name]?.(catalog)) ?? []
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
    process.exitCode = 1
    const [reason = ''] = String(error).split('\n')
    return [{ figure: name, ours: `failed: ${reason}` }]
  }
}

function assertTools(): void {
  try {
    assertWrk()
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
  }
  if (Bun.which('node') === null) fail('The peer runs on Node: install Node 20 or newer.')
  if (packageVersion('fastify') === 'missing') {
    fail('The peer is not installed: see "The peer" in bench/README.md.')
  }
}

function versions(): Record<string, string> {
  const db = openDatabase(':memory:')
  const sqlite = db.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? ''
  db.close()
  const node = Bun.spawnSync(['node', '--version']).stdout.toString().trim().slice(1)
  return {
    Bun: Bun.version,
    SQLite: sqlite,
    Node: node,
    Fastify: packageVersion('fastify'),
    'better-sqlite3 (peer)': packageVersion('better-sqlite3'),
  }
}

function packageVersion(name: string): string {
  try {
    const file = join(import.meta.dir, 'peer/node_modules', name, 'package.json')
    return JSON.parse(readFileSync(file, 'utf8')).version
  } catch {
    return 'missing'
  }
}

function setting(name: string, otherwise: number): number {
  const value = Number(process.env[name] ?? otherwise)
  if (!Number.isInteger(value) || value < 1) fail(`${name} must be a whole number.`)
  return value
}

function fail(text: string): never {
  process.stderr.write(`${text}\n`)
  process.exit(2)
}
