import type { Config } from '#config.ts'
import type { Log } from '#log.ts'
import type { InstallationFile } from '#rules/operations/installation.ts'
import { fingerprintSecret } from '#rules/primitives/secret-box.ts'
import { loadAppSecret } from '#store/files/app-secret.ts'
import { adoptFile, findIdToAdopt } from '#store/files/installation.ts'
import type { PostgresEngine } from '#store/ledger/engine/postgres-engine.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { openSharedInstallation } from '#store/ledger/postgres-installation.ts'
import { connectLedgerDatabase, openPostgresLedger } from '#store/ledger/postgres-ledger.ts'
import { openLiveConfig } from '#store/memory/live-config.ts'
import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles, prepareSharedFiles } from '#store/prepare-files.ts'

/**
 * Prepares the data folder, and opens the ledger: its file, or its database.
 *
 * @param options of the file
 * @throws ServiceError UNAVAILABLE if the folder or the ledger cannot be used
 */
export async function openConfiguredLedger(
  config: Config,
  log: Log,
  options: Parameters<typeof openLedger>[1] = {},
): Promise<Ledger> {
  const database = await prepareStorage(config, log)
  return database === undefined
    ? openLedger(config.dataDir, options)
    : openPostgresLedger(database, config.dataDir)
}

/**
 * Adds the choices of the operator to the settings, for a process or thread without an open ledger.
 *
 * @throws like `openConfiguredLedger`
 */
export async function readStoredConfig(config: Config, log: Log): Promise<Config> {
  const ledger = await openConfiguredLedger(config, log)
  try {
    return (await openLiveConfig(config, ledger.settings)).read()
  } finally {
    await ledger.close()
  }
}

/**
 * Accepts a file that does not belong to the others, like `adoptFile`. With LEDGER_URL, `ledger.db` means the
 * database, and `app-secret` makes this server's secret that of all servers.
 */
export async function adoptStorage(config: Config, file: InstallationFile): Promise<boolean> {
  const { dataDir, ledgerDatabase } = config
  if (ledgerDatabase === undefined) return adoptFile(dataDir, file)
  const database = await connectLedgerDatabase(ledgerDatabase)
  try {
    const installation = openInstallation(config, database)
    if (file === 'app-secret') {
      await installation.adopt('secret')
      return false
    }
    const shared = await installation.read()
    if (file === 'catalog.db') return adoptFile(dataDir, file, shared)
    await installation.adopt({ id: findIdToAdopt(dataDir, shared) })
    return shared.isEmpty
  } finally {
    await database.close()
  }
}

/** Prepares the data folder for a command that needs no ledger. @throws like `openDeps` */
export async function prepareDataFolder(config: Config, log: Log): Promise<void> {
  const database = await prepareStorage(config, log)
  await database?.close()
}

/** Prepares the files, and connects to the database of the ledger if one is set. */
export async function prepareStorage(
  config: Config,
  log: Log,
  answerMs?: number,
): Promise<PostgresEngine | undefined> {
  const { dataDir, ledgerDatabase } = config
  if (ledgerDatabase === undefined) {
    warnOfExposure(prepareFiles(dataDir), log)
    return undefined
  }
  const database = await connectLedgerDatabase({
    ...ledgerDatabase,
    ...(answerMs !== undefined && { answerMs }),
  })
  try {
    const installation = openInstallation(config, database)
    warnOfExposure(await prepareSharedFiles(dataDir, installation), log)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

function openInstallation({ appSecret, dataDir }: Config, database: PostgresEngine) {
  const secret = appSecret ?? loadAppSecret(dataDir)
  return openSharedInstallation(database, fingerprintSecret(secret))
}

/** Logs files that other users could access, because their contents may have been copied. */
function warnOfExposure(exposed: readonly string[], log: Log): void {
  if (exposed.length === 0) return
  const names = exposed.slice(0, NAMES_LOGGED).join(', ')
  log.warn('other users could access the data folder; access removed', {
    files: exposed.length,
    names,
  })
}

const NAMES_LOGGED = 5
