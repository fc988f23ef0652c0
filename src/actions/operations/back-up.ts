import type { Log } from '#log.ts'
import {
  expiredBackups,
  formatBackupName,
  isBackupDue,
  isCatalogDue,
  type RetentionOptions,
} from '#rules/operations/backup-retention.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorCode } from '#rules/primitives/system-error-code.ts'
import { type BackupDraft, openBackupDraft } from '#store/backup/draft.ts'
import { BACKUP_FORMAT, type Backup, type BackupFile, listBackups } from '#store/backup/folder.ts'
import {
  type CopyProgress,
  countUnbalancedAccounts,
  type FrozenFiles,
  openFrozenFiles,
} from '#store/backup/snapshot.ts'
import { CATALOG_FILE } from '#store/files/data-folder.ts'
import packageJson from '../../../package.json' with { type: 'json' }

export type BackupDeps = { dataDir: string; log: Log; now: () => Date }

export type BackupReport = {
  /** Where it lies. */
  folder: string
  /** Of all files, also of those that it shares with an earlier backup. */
  bytes: number
  files: string[]
  /** `shared`: it is the file of an earlier backup, which is less than a day old. */
  catalog: 'copied' | 'shared'
  ms: number
}

/**
 * Makes a backup of the data folder in `dir`, while others read and write. It is there when all of it is
 * whole, checked, and on the disk; a process that is killed before leaves nothing that looks like one.
 *
 * @throws ServiceError UNAVAILABLE while another one is running, where it cannot be written, and where a
 *   copy is not sound; NOT_FOUND where there is nothing to back up
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
    'Another backup of this data folder is running. Wait for it, and try again.',
  )
}

/** A scheduled one: how it went, and how many older ones were removed. */
export type ScheduledBackupReport = Partial<BackupReport> & {
  /** `current`: there is a new one. `elsewhere`: another process or thread is at it. */
  outcome: 'made' | 'current' | 'elsewhere'
  removed: number
}

/**
 * Makes the backup of this hour, unless somebody has made one, and removes those that have had their
 * time. The catalog, which is large and can be fetched again, is copied once a day; the other backups of
 * the day share that copy.
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
    const made = isDue ? await writeBackup(deps, draft, { earlier }) : {}
    const backups = listBackups(dir)
    const times = backups.map(({ begunAt }) => begunAt)
    const over = expiredBackups(times, deps.now(), retention)
    const removed = backups.filter(({ begunAt }) => over.has(begunAt))
    for (const backup of removed) draft.delete(backup)
    return { outcome: isDue ? 'made' : 'current', removed: removed.length, ...made } as const
  })
  return report ?? { outcome: 'elsewhere', removed: 0 }
}

/** @returns undefined while another one is running */
async function withDraft<T>(
  { dataDir, now }: BackupDeps,
  dir: string,
  deed: (draft: BackupDraft) => Promise<T>,
): Promise<T | undefined> {
  try {
    const draft = openBackupDraft(dataDir, dir, now())
    if (draft === undefined) return undefined
    try {
      return await deed(draft)
    } finally {
      draft.close()
    }
  } catch (error) {
    throw inWords(error, dir)
  }
}

/** What a disk says, as something that can be done about it. */
function inWords(error: unknown, dir: string): unknown {
  if (error instanceof ServiceError) return error
  const code = errorCode(error)
  if (/^SQLITE_(CORRUPT.*|NOTADB)$/.test(code)) {
    return new ServiceError(
      'UNAVAILABLE',
      `A file in DATA_DIR is damaged (${code}), so there is no backup. Keep those that you have; "bun run restore" takes one.`,
    )
  }
  if (!/^(E[A-Z]+|SQLITE_(FULL|IOERR.*|CANTOPEN.*|READONLY.*))$/.test(code)) return error
  return new ServiceError(
    'UNAVAILABLE',
    `The backup could not be written to ${dir} (${code}), and nothing of it is left there. See that there is room, that the folder may be written, and try again.`,
  )
}

async function writeBackup(
  { dataDir, log, now }: BackupDeps,
  draft: BackupDraft,
  { onProgress = () => {}, earlier }: { onProgress?: CopyProgress; earlier: readonly Backup[] },
): Promise<BackupReport> {
  const begun = now()
  const name = formatBackupName(begun)
  const frozen = openFrozenFiles(dataDir, now)
  try {
    const folder = draft.begin(name)
    // The ledger is copied first, for it is written all the time, and what it writes meanwhile piles up
    // in its log. Which moment each copy shows has been settled.
    const ledger = await frozen.copyLedger(folder, onProgress)
    const unbalanced = countUnbalancedAccounts(folder)
    if (unbalanced > 0)
      log.error('balances of scans are not the sums of their ledger', { unbalanced })
    const shared = sharedCatalog(draft, frozen, earlier, begun)
    const catalog = shared ?? (await frozen.copyCatalog(folder, onProgress))
    // Last: what the ledger has encrypted was encrypted with a secret that was there before.
    const secret = draft.copySecret(now())
    const files: BackupFile[] = [catalog, ledger, ...(secret === undefined ? [] : [secret])]
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

/** The catalog of the newest backup, unless it is too old or of another schema. */
function sharedCatalog(
  draft: BackupDraft,
  { catalogSchema }: FrozenFiles,
  [newest]: readonly Backup[],
  now: Date,
): BackupFile | undefined {
  const file = newest?.manifest.files.find(({ name }) => name === CATALOG_FILE)
  if (newest === undefined || file?.schema !== catalogSchema) return undefined
  return isCatalogDue(new Date(file.taken_at), now) ? undefined : draft.shareCatalog(newest)
}
