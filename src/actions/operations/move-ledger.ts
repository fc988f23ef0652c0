import type { Config } from '#config.ts'
import { fingerprintSecret } from '#rules/primitives/secret-box.ts'
import { loadAppSecret } from '#store/files/app-secret.ts'
import { lockDataFolder } from '#store/files/data-folder.ts'
import { claimDataFolder } from '#store/files/folder-entries.ts'
import { moveToFile } from '#store/ledger/move/move-to-file.ts'
import { type MoveStep, moveToPostgres } from '#store/ledger/move/move-to-postgres.ts'

/** Moves the ledger `to` a PostgreSQL database, or back `from` one to the file in the data folder. */
export type LedgerMoveOptions = {
  direction: 'to' | 'from'
  url: string
  /** Starts again instead of continuing an unfinished copy. */
  restart: boolean
  report: (step: MoveStep) => void
}

/**
 * Moves the ledger while no server runs, with the data folder locked.
 *
 * @throws ServiceError UNAVAILABLE while a server or command uses one of the two, and if the copy differs
 */
export async function moveLedger(
  config: Pick<Config, 'appSecret' | 'dataDir'>,
  { direction, ...move }: LedgerMoveOptions,
): Promise<void> {
  const { dataDir } = config
  claimDataFolder(dataDir)
  const release = lockDataFolder(dataDir)
  try {
    if (direction === 'from') return await moveToFile({ dataDir, ...move })
    const secret = config.appSecret ?? loadAppSecret(dataDir)
    await moveToPostgres({ dataDir, ...move }, fingerprintSecret(secret))
  } finally {
    release()
  }
}
