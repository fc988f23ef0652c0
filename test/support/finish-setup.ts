import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'

/** Prepares a data folder whose setup is finished, for tests of what comes after it. */
export async function finishSetup(dataDir: string): Promise<void> {
  prepareFiles(dataDir)
  const ledger = openLedger(dataDir)
  await ledger.settings.put({ setup: 'finished' }, new Date())
  await ledger.close()
}
