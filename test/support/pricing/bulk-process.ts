// Builds the bulk files of a data folder and hangs in the middle, until the kill test kills it.
import { buildBulkFiles } from '#actions/pricing/build-bulk-files.ts'
import { openCatalog } from '#store/open-catalog.ts'
import { createTestLog } from '../test-app.ts'

const dataDir = process.argv[2] ?? ''
const catalog = openCatalog(dataDir, (stored) => stored)
let sets = 0
await buildBulkFiles({
  catalog: {
    ...catalog,
    cards: {
      ...catalog.cards,
      *listPagesBySet(setId: number) {
        yield* catalog.cards.listPagesBySet(setId)
        if (++sets < 4) return
        process.stdout.write('half')
        Bun.sleepSync(600_000)
      },
    },
  },
  dataDir,
  log: createTestLog([]),
  now: () => new Date(),
})
