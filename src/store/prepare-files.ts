import { randomUUID } from 'node:crypto'
import type { DatabaseState } from '#rules/operations/installation.ts'
import { CATALOG_MIGRATIONS } from './catalog/migrations.ts'
import { WRITER_WAIT_MS } from './db.ts'
import {
  CATALOG_FILE,
  HISTORY_FILE,
  LEDGER_FILE,
  lockPreparation,
  SECRET_FILE,
  shareDataFolder,
} from './files/data-folder.ts'
import { claimDataFolder } from './files/folder-entries.ts'
import { assertInstallation, completeInstallation, openMigrated } from './files/installation.ts'
import { LEDGER_MIGRATIONS } from './ledger/migrations.ts'
import type { SharedInstallation } from './ledger/postgres-installation.ts'
import { schemaVersionAfter } from './migrate.ts'

/**
 * Creates the folder and both files, or checks and migrates them.
 *
 * @param shared the ledger if several servers share it in a database
 * @returns names in the folder that other users could access until now
 * @throws ServiceError UNAVAILABLE during a restore, and if a file cannot be used: the message names it
 */
export function prepareFiles(dataDir: string, shared?: DatabaseState): string[] {
  const exposed = claimDataFolder(dataDir)
  const release = shareDataFolder(dataDir)
  try {
    const unlock = lockPreparation(dataDir)
    try {
      assertInstallation(dataDir, shared)
      const catalog = openMigrated(dataDir, CATALOG_FILE, WRITER_WAIT_MS)
      if (shared === undefined) {
        const ledger = openMigrated(dataDir, LEDGER_FILE, WRITER_WAIT_MS)
        completeInstallation(dataDir, catalog, ledger)
        ledger.close()
      } else {
        completeInstallation(dataDir, catalog, shared)
      }
      catalog.close()
    } finally {
      unlock()
    }
  } finally {
    release()
  }
  return exposed
}

/** Prepares the folder of a server whose ledger is a database of several servers, like `prepareFiles`. */
export async function prepareSharedFiles(
  dataDir: string,
  installation: SharedInstallation,
): Promise<string[]> {
  const found = await installation.read()
  if (found.id === null) {
    assertInstallation(dataDir, found)
    await installation.enter(randomUUID())
  }
  return prepareFiles(dataDir, await installation.read())
}

/** Returns the newest schema version of a file; null if not a database, undefined if unknown. */
export function latestSchemaVersion(name: string): number | null | undefined {
  if (name === CATALOG_FILE) return schemaVersionAfter(CATALOG_MIGRATIONS)
  if (name === LEDGER_FILE) return schemaVersionAfter(LEDGER_MIGRATIONS)
  return name === SECRET_FILE || name === HISTORY_FILE ? null : undefined
}
