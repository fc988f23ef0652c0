// Copies the alerts of a data folder as a server does, more often, until it is killed.
import { createAlertRelay } from '#actions/alerts/relay-alerts.ts'
import { openCatalog } from '#store/open-catalog.ts'
import { openLedger } from '#store/open-ledger.ts'

const { dataDir }: { dataDir: string } = JSON.parse(process.argv[2] ?? '{}')
const catalog = openCatalog(dataDir, (stored) => stored)
const ledger = openLedger(dataDir)
const relay = createAlertRelay({ catalog, ledger, now: () => new Date() })
for (;;) {
  await relay.run()
  await Bun.sleep(5)
}
