// Imports a file into a collection, or does a step of a stored import, until it is killed. Prints its report at the end.

import { createSharedImports } from '#actions/collections/shared-imports.ts'
import type { ImportTask } from '#rules/collections/file-import.ts'
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
  /** True to read the file into a draft. */
  is_draft?: boolean
  /** Step of an import that is stored. */
  stored?: { import_id: string; step: 'import' | 'undo' }
}

const given: Input = JSON.parse(process.argv[2] ?? '{}')
const { dataDir, url, account_id, collection_id, file, is_draft = false, stored } = given
const ledger =
  url === null
    ? openLedger(dataDir)
    : openPostgresLedger(await connectLedgerDatabase({ url, connections: 2 }), dataDir)
const catalog = openCatalog(dataDir, (stored) => stored)
const deps = { catalog, ledger, now: () => new Date() }
const target = {
  account_id,
  tier: 'business',
  is_unlimited: false,
  network: 'test',
  collection_id,
} as const
const task: ImportTask =
  stored === undefined
    ? {
        ...target,
        file_name: undefined,
        game: undefined,
        prefer: 'regular',
        again: false,
        accept: ACCEPTED_BY_DEFAULT,
        is_draft,
        file: await Bun.file(file).bytes(),
      }
    : { ...target, ...stored }
const outcome = await createSharedImports().run(deps, task, new AbortController().signal)
process.stdout.write(JSON.stringify('report' in outcome ? outcome.report : outcome))
await ledger.close()
