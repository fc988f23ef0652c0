import type { Log } from '#log.ts'
import {
  expiredBackups,
  formatBackupName,
  isBackupDue,
  isCatalogDue,
  type RetentionOptions,
} from '#rules/operations/backup-retention.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorCode } from '#rules/primitives/system-errors.ts'
import { type BackupDraft, createBackupDraft } from '#store/backup/draft.ts'
import { BACKUP_FORMAT, type Backup, type BackupFile, listBackups } from '#store/backup/folder.ts'
import {
  type CopyProgress,
  countUnbalancedAccounts,
  type FrozenFiles,
  openFrozenFiles,
} from '#store/backup/snapshot.ts'
import { CATALOG_FILE, HISTORY_FILE } from '#store/files/data-folder.ts'
import { copyDeletions } from '#store/files/deletion-list.ts'
import packageJson from '../../../package.json' with { type: 'json' }

export type BackupDeps = {
  dataDir: string
  /** True if the ledger is on PostgreSQL, whose own tools back it up. */
  isLedgerShared?: boolean
  log: Log
  now: () => Date
}

export type BackupReport = {
  /** Path of the backup folder. */
  folder: string
  /** Size of all files, including those shared with an earlier backup. */
  bytes: number
  files: string[]
  /** `shared`: linked from an earlier backup that is less than a day old. */
  catalog: 'copied' | 'shared'
  ms: number
}

/**
 * Backs up the data folder to `dir` while others read and write. The backup appears once it
 * is complete, checked, and on the disk. A process that is killed earlier leaves no backup.
 *
 * @throws ServiceError UNAVAILABLE if another backup is running, if it cannot be written, or if a copy is
 *   damaged; NOT_FOUND if there is nothing to back up
 */
export async function backUp(
  deps: BackupDeps,
  { dir, onProgress = () => {} }: { dir: string; onProgress?: CopyProgress },
): Promise<BackupReport> {
  const report = await withDraft(deps, dir, (draft) =>
    writeBackup(deps, draft, { onProgress, earlier: [] }),
  )
  if (report !== undefined) return report
  throw new ServiceError(
    'UNAVAILABLE',
    'Another backup of this data folder is running. Wait for it, then try again.',
  )
}

export type ScheduledBackupReport = Partial<BackupReport> & {
  /** `current`: this hour has a backup. `elsewhere`: another process is making one. */
  outcome: 'made' | 'current' | 'elsewhere'
  removed: number
}

/**
 * Creates the backup of this hour unless it exists, and removes expired backups. The catalog is large and can be
 * fetched again, so it is copied once a day; the other backups of the day share that copy.
 *
 * @throws ServiceError as `backUp` does
 */
export async function backUpOnSchedule(
  deps: BackupDeps,
  { dir, retention }: { dir: string; retention: RetentionOptions },
): Promise<ScheduledBackupReport> {
  const report = await withDraft(deps, dir, async (draft) => {
    const earlier = listBackups(dir)
    const isDue = isBackupDue(earlier[0]?.begunAt, deps.now())
    const backup = isDue ? await writeBackup(deps, draft, { earlier }) : {}
    const backups = listBackups(dir)
    const times = backups.map(({ begunAt }) => begunAt)
    const expired = expiredBackups(times, deps.now(), retention)
    const removed = backups.filter(({ begunAt }) => expired.has(begunAt))
    for (const backup of removed) draft.delete(backup)
    return { outcome: isDue ? 'made' : 'current', removed: removed.length, ...backup } as const
  })
  return report ?? { outcome: 'elsewhere', removed: 0 }
}

/** @returns undefined if another backup is running */
async function withDraft<T>(
  { dataDir, now }: BackupDeps,
  dir: string,
  action: (draft: BackupDraft) => Promise<T>,
): Promise<T | undefined> {
  try {
    const draft = createBackupDraft(dataDir, dir, now())
    if (draft === undefined) return undefined
    try {
      // The list is beside the backups and not in them, because it must be newer than any backup.
      copyDeletions(dataDir, dir)
      return await action(draft)
    } finally {
      draft.close()
    }
  } catch (error) {
    throw describeError(error, dir)
  }
}

/** Turns a disk error into a message with a remedy. */
function describeError(error: unknown, dir: string): unknown {
  if (error instanceof ServiceError) return error
  const code = errorCode(error)
  if (/^SQLITE_(CORRUPT.*|NOTADB)$/.test(code)) {
    return new ServiceError(
      'UNAVAILABLE',
      `A file in DATA_DIR is damaged (${code}), so it cannot be backed up. Keep your earlier backups: "bun run restore" restores one.`,
    )
  }
  if (!/^(E[A-Z]+|SQLITE_(FULL|IOERR.*|CANTOPEN.*|READONLY.*))$/.test(code)) return error
  return new ServiceError(
    'UNAVAILABLE',
    `The backup could not be written to ${dir} (${code}), and no part of it remains there. Check the free space and the permissions of the folder, then try again.`,
  )
}

async function writeBackup(
  { dataDir, isLedgerShared, log, now }: BackupDeps,
  draft: BackupDraft,
  { onProgress = () => {}, earlier }: { onProgress?: CopyProgress; earlier: readonly Backup[] },
): Promise<BackupReport> {
  const begun = now()
  const name = formatBackupName(begun)
  const frozen = openFrozenFiles(dataDir, now, isLedgerShared)
  try {
    const folder = draft.begin(name)
    // The ledger comes first, because its write-ahead log grows until the copy ends. Both copies show the moment at
    // which the files were opened.
    const ledger = await frozen.copyLedger(folder, onProgress)
    const unbalanced = ledger === undefined ? 0 : await countUnbalancedAccounts(folder)
    if (unbalanced > 0) log.error('scan balances do not match their ledger entries', { unbalanced })
    const shared = sharedCatalog(draft, frozen, earlier, begun)
    const catalog = shared ?? [
      await frozen.copyCatalog(folder, onProgress),
      ...(sharedHistory(draft, frozen, earlier) ?? [frozen.copyHistory(folder)]),
    ]
    // Last: the secret is older than everything that the ledger has encrypted with it.
    const secret = draft.copySecret(now())
    const files: BackupFile[] = [...catalog, ledger, secret].filter((file) => file !== undefined)
    const times = { begun_at: begun.toISOString(), ended_at: now().toISOString() }
    const manifest = { format: BACKUP_FORMAT, program: packageJson.version, ...times, files }
    return {
      folder: draft.publish(name, manifest),
      bytes: files.reduce((sum, { size }) => sum + size, 0),
      files: files.map((file) => file.name),
      catalog: shared === undefined ? 'copied' : 'shared',
      ms: now().getTime() - begun.getTime(),
    }
  } finally {
    frozen.close()
  }
}

/** @returns undefined if the catalog of the newest backup is too old, or has another schema */
function sharedCatalog(
  draft: BackupDraft,
  { catalogSchema }: FrozenFiles,
  [newest]: readonly Backup[],
  now: Date,
): BackupFile[] | undefined {
  const file = findFile(newest, CATALOG_FILE)
  if (newest === undefined || file?.schema !== catalogSchema) return undefined
  if (isCatalogDue(new Date(file.taken_at), now)) return undefined
  const names = [CATALOG_FILE, HISTORY_FILE].filter((name) => findFile(newest, name) !== undefined)
  return draft.share(newest, names)
}

/** @returns undefined if the newest backup does not have these closed months */
function sharedHistory(
  draft: BackupDraft,
  { history }: FrozenFiles,
  [newest]: readonly Backup[],
): BackupFile[] | undefined {
  const isKnown = history?.sha256 === findFile(newest, HISTORY_FILE)?.sha256
  return newest !== undefined && isKnown ? draft.share(newest, [HISTORY_FILE]) : undefined
}

function findFile(backup: Backup | undefined, name: string): BackupFile | undefined {
  return backup?.manifest.files.find((file) => file.name === name)
}
