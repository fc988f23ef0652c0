import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'

/** Creates a data folder with a finished setup, for tests of later states. */
export async function finishSetup(dataDir: string): Promise<void> {
  prepareFiles(dataDir)
  const ledger = openLedger(dataDir)
  await ledger.settings.put({ setup: 'finished' }, new Date())
  await ledger.close()
}
