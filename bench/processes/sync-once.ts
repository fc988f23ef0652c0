// Runs a sync like `bun run sync` and prints the seconds of each stage.
import { syncCatalog } from '#actions/sync/sync-catalog.ts'
import { readConfig } from '#config.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { openConfiguredMarketplace } from '#outbound/marketplace/open-marketplace.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { openAlertEvaluator } from '#store/catalog/alerts.ts'
import { rebuildMovers } from '#store/catalog/movers-build.ts'
import { updateSearch } from '#store/catalog/search/search-index.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { openAlertRuleSource } from '#store/ledger/alerts/rule-source.ts'
import { peakOf } from '../measure.ts'

const config = readConfig()
const deps = await openCatalogWriterDeps(config)
const started = performance.now()
const cpuBefore = process.cpuUsage()
let read = started
const report = await syncCatalog(
  { ...deps, marketplace: openConfiguredMarketplace(config, deps.log) },
  {
    onProgress: () => {
      read = performance.now()
    },
  },
)
const ended = performance.now()
const cpu = process.cpuUsage(cpuBefore)
const peak = peakOf(process.pid)
deps.close()
const ledger = openDatabase(`${config.dataDir}/ledger.db`, { readonly: true })

process.stdout.write(
  JSON.stringify({
    report,
    read: (read - started) / 1000,
    publish: (ended - read) / 1000,
    cpu: (cpu.user + cpu.system) / 1e6,
    peak,
    // Separately measured parts of the publication, repeated and rolled back.
    search: secondsOf((db) => updateSearch(db)),
    movers: secondsOf((db) => rebuildMovers(db, dayOf(new Date()))),
    alerts: secondsOf(evaluateAlerts, readPrices),
    alerts_armed: secondsOf(evaluateAlerts, (db) => {
      readPrices(db)
      // As if all webhooks were armed, and their alerts already relayed.
      db.exec('DELETE FROM alerted_rules; DELETE FROM alert_outbox')
    }),
  }),
)

function evaluateAlerts(db: Db): void {
  openAlertEvaluator(db, openAlertRuleSource(ledger)).evaluate(new Date(), 0)
}

/** A publication has just written the prices, so they are in its connection's cache. */
function readPrices(db: Db): void {
  db.prepare('SELECT sum(market_price) FROM prices').get()
}

function secondsOf(work: (db: Db) => void, before: (db: Db) => void = () => {}): number {
  const db = openDatabase(`${config.dataDir}/catalog.db`, { cacheKib: 65_536 })
  db.exec('BEGIN IMMEDIATE')
  before(db)
  const begun = performance.now()
  work(db)
  const seconds = (performance.now() - begun) / 1000
  db.exec('ROLLBACK')
  db.close()
  return seconds
}
