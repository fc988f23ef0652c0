// Imports a file into a collection, until it is killed. Prints a line with its report at the end.

import { createSharedImports } from '#actions/collections/shared-imports.ts'
import { ACCEPTED_BY_DEFAULT } from '#rules/matching/certainty.ts'
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
const deps = { catalog, ledger, now: () => new Date() }
const input = {
  account_id,
  tier: 'business',
  is_unlimited: false,
  network: 'test',
  collection_id,
  game: undefined,
  prefer: 'regular' as const,
  again: false,
  accept: ACCEPTED_BY_DEFAULT,
  file: await Bun.file(file).bytes(),
} as const
const outcome = await createSharedImports().run(deps, input, new AbortController().signal)
process.stdout.write(JSON.stringify('report' in outcome ? outcome.report : outcome))
await ledger.close()
