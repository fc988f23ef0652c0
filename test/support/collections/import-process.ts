// Imports a file into a collection, until it is killed. Prints a line with its report at the end.
import { importFile } from '#actions/collections/import-file.ts'
import { readConfig } from '#config.ts'
import { connectLedgerDatabase, openPostgresLedger } from '#store/ledger/postgres-ledger.ts'
import { openCatalog } from '#store/open-catalog.ts'
import { openLedger } from '#store/open-ledger.ts'

type Input = {
  dataDir: string
  url: string | null
  account_id: number
  collection_id: string
  file: string
}

const { dataDir, url, account_id, collection_id, file }: Input = JSON.parse(process.argv[2] ?? '{}')
const ledger =
  url === null
    ? openLedger(dataDir)
    : openPostgresLedger(await connectLedgerDatabase({ url, connections: 2 }), dataDir)
const catalog = openCatalog(dataDir, (stored) => stored)
const deps = { catalog, ledger, config: readConfig({}), now: () => new Date() }
const report = await importFile(deps, {
  account_id,
  tier: 'business',
  collection_id,
  game: undefined,
  again: false,
  file: new Uint8Array(await Bun.file(file).arrayBuffer()),
})
process.stdout.write(JSON.stringify(report))
await ledger.close()
