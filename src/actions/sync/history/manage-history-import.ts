import { basename } from 'node:path'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { redact } from '#rules/primitives/redact.ts'
import type { ArchivePiece, StoredPiece } from '#store/files/archive-folder.ts'
import type { HistoryImportRecord, HistoryImportState } from '#store/files/history-import-record.ts'
import { isLocked } from '#store/files/lock.ts'
import { syncRunning } from '../start-sync.ts'

type ManageDeps = Pick<Deps, 'config' | 'files' | 'ledger' | 'now' | 'triggers'>

/** Returns the last import of older prices, and what can be imported. */
export function getHistoryImport({ files, triggers }: Pick<ManageDeps, 'files' | 'triggers'>) {
  const record = files.archives.getLastImport()
  const started = triggers.history.getRunning()
  const isStarting = started !== undefined && record?.state !== 'running'
  return {
    // Its thread has not written the record yet.
    ...(isStarting ? describe(undefined, 'running', basename(started)) : describe(record)),
    archives: files.archives.list(),
  }
}

function describe(
  record: HistoryImportRecord | undefined,
  state: HistoryImportState | 'none' = record?.state ?? 'none',
  name = record?.name ?? null,
) {
  const { stored = [], files = 0, days = null, failures = [], problem = null } = record ?? {}
  const { points = 0, unknown_cards = 0, bad_records = 0, failure_count = 0 } = record ?? {}
  return {
    state,
    name,
    files_read: files,
    days,
    days_stored: stored.length,
    first_day: stored[0] ?? null,
    last_day: stored.at(-1) ?? null,
    points,
    unknown_cards,
    bad_records,
    failure_count,
    failures: failures.map(({ file, reason }) => ({ file, message: redact(reason) })),
    cut_day: record?.cut_day ?? null,
    problem: problem === null ? null : redact(problem),
    started_at: record?.started_at ?? null,
    ended_at: record?.ended_at ?? null,
  }
}

/**
 * Starts an import of older prices for an operator, or goes on with one that was canceled or interrupted, without
 * waiting for its end.
 *
 * @param input `name` of a folder or an archive in the folder of imports
 * @throws ServiceError NOT_FOUND, SYNC_RUNNING, or UNAVAILABLE if this server does not write the catalog
 */
export async function startHistoryImport(
  { config, files, ledger, triggers, now }: ManageDeps,
  { name, account_id, address }: { name: string; account_id: number; address: string },
): Promise<void> {
  assertWritable(config)
  const path = files.archives.find(name)
  if (path === undefined) {
    throw new ServiceError(
      'NOT_FOUND',
      'The folder of imports has no such archive. Upload it, or copy it to `import` in the data folder.',
    )
  }
  // A sync of this server ends first; that of a command would take the turn again and again.
  if (!triggers.sync.isRunning() && isLocked(config.dataDir, 'intake')) throw syncRunning()
  const outcome = triggers.history.start(path)
  if (outcome === 'running') throw syncRunning()
  if (outcome === 'elsewhere') throw elsewhere()
  if (outcome === 'closed') {
    throw new ServiceError(
      'UNAVAILABLE',
      'The server is starting or stopping. Try again in a few seconds.',
    )
  }
  const event = 'history_import_started'
  await ledger.audit.create({ at: now(), event, account_id, address, detail: name })
}

/** Cancels an import that runs in this process. It ends after the days that it is storing. */
export function cancelHistoryImport({ triggers }: Pick<ManageDeps, 'triggers'>): void {
  triggers.history.cancel()
}

/** Stores a piece of an archive. @throws ServiceError VALIDATION_ERROR, or UNAVAILABLE */
export function uploadArchivePiece(
  { config, files }: Pick<ManageDeps, 'config' | 'files'>,
  piece: ArchivePiece,
): Promise<StoredPiece> {
  assertWritable(config)
  return files.archives.putPiece(piece)
}

/** @throws ServiceError UNAVAILABLE on a replica */
function assertWritable({ service }: Pick<Deps['config'], 'service'>): void {
  if (service.isReplica) throw elsewhere()
}

function elsewhere(): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    'Another server writes the catalog. Import older prices there.',
  )
}
