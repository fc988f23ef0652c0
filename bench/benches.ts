// The benchmarks by name. `bench` loads this file only to run one, because it imports servers and programs of the
// tests.
import type { BENCHMARKS } from '../scripts/cli/tree-commands.ts'
import { benchAlerts } from './alerts.ts'
import { benchBulk } from './bulk.ts'
import { benchCardmarket } from './cardmarket.ts'
import { benchConfidence } from './confidence.ts'
import { benchDashboard } from './dashboard.ts'
import type { BenchData } from './data.ts'
import { benchDeliveries } from './deliveries.ts'
import { benchFirstMinute } from './first-minute.ts'
import { benchFleet } from './fleet.ts'
import { benchGrowth } from './growth.ts'
import { benchHistory } from './history.ts'
import { benchIdentify } from './identify.ts'
import { benchLayouts } from './layouts.ts'
import { benchLearning } from './learning.ts'
import { benchLedger } from './ledger.ts'
import { benchLines } from './lines.ts'
import { benchLogins } from './logins.ts'
import { benchMaintenance } from './maintenance.ts'
import { benchMemory } from './memory.ts'
import { benchMovers } from './movers.ts'
import { benchPages } from './pages.ts'
import { benchCard, benchPrices } from './prices.ts'
import { benchPrint } from './print.ts'
import { benchPrintings } from './printings.ts'
import { benchQuota } from './quota.ts'
import { benchRealPhotos } from './real-photos.ts'
import { benchRoutes } from './routes.ts'
import { benchScanSession } from './scan-session.ts'
import { benchScans } from './scans.ts'
import { benchSearch } from './search.ts'
import { benchSharedLedger } from './shared-ledger.ts'
import { benchSync } from './sync.ts'
import type { Row } from './table.ts'
import { benchWorkers } from './workers.ts'

/** Prepares the large catalog. */
export type Catalog = (needs: { peer: boolean }) => Promise<BenchData>

type Bench = (catalog: Catalog) => Promise<Row[]>

/** Runs a benchmark on the large catalog, which takes minutes to generate. */
const onCatalog =
  (bench: (data: BenchData) => Promise<Row[]>): Bench =>
  async (catalog) =>
    bench(await catalog({ peer: true }))

/** Like `onCatalog`, but without wrk and the peer. */
const onCatalogAlone =
  (bench: (data: BenchData) => Promise<Row[]>): Bench =>
  async (catalog) =>
    bench(await catalog({ peer: false }))

export const BENCHES: Record<(typeof BENCHMARKS)[number], Bench> = {
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
  confidence: benchConfidence,
  cardmarket: benchCardmarket,
  deliveries: benchDeliveries,
  identify: benchIdentify,
  layouts: benchLayouts,
  learning: benchLearning,
  ledger: benchLedger,
  lines: benchLines,
  maintenance: benchMaintenance,
  pages: benchPages,
  print: benchPrint,
  printings: benchPrintings,
  'real-photos': benchRealPhotos,
  routes: onCatalogAlone(benchRoutes),
  'scan-session': benchScanSession,
  scans: benchScans,
  'shared-ledger': onCatalog(benchSharedLedger),
  workers: benchWorkers,
}
