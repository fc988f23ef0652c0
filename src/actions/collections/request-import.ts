import type { Deps } from '#deps.ts'
import type { CollectionImportReport, StoredImportReport } from '#rules/collections/file-import.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { UploadedImport, UploadedTask } from '#store/memory/sync-trigger.ts'
import { countAttempt } from '../accounts/rate-limits.ts'
import { findGame } from '../catalog/find-game.ts'
import { getCollection } from './manage-collections.ts'
import { interrupted } from './store-part.ts'

type ImportRequestDeps = Pick<Deps, 'catalog' | 'ledger' | 'config' | 'now' | 'triggers'>

/**
 * Refuses an import before its file is read, and counts it.
 *
 * @throws ServiceError NOT_FOUND, INVALID_GAME, TOO_MANY_ATTEMPTS or UNAVAILABLE
 */
export async function acceptImport(
  deps: ImportRequestDeps,
  {
    collection_id: id,
    account_id,
    game,
  }: Pick<UploadedImport, 'collection_id' | 'account_id' | 'game'>,
): Promise<void> {
  const imports = deps.triggers.imports.get()
  if (imports === undefined) throw interrupted()
  await getCollection(deps, { id, account_id })
  findGame(deps, game)
  await imports.assertRoom(account_id)
  await countAttempt(deps, importLimits(account_id))
}

/** Limits imports, because a file of 100,000 rows keeps a processor busy for half a minute. */
function importLimits(accountId: number) {
  return [{ name: `import ${accountId}`, limit: { limit: 60, windowMs: 3_600_000 } }]
}

/**
 * Imports an accepted file in the thread of imports.
 *
 * @param signal ends the import, because its sender has gone
 * @throws ServiceError TOO_MANY_ATTEMPTS, UNAVAILABLE, and those of `importParts`
 */
export async function requestImport(
  deps: Pick<Deps, 'triggers'>,
  input: UploadedImport,
  signal: AbortSignal,
): Promise<CollectionImportReport> {
  const report = await runImportTask(deps, input, signal)
  if ('rows' in report) return report
  throw new Error('an import of a file has no report')
}

/** Does the work of an import in its thread. @throws ServiceError as `requestImport` */
export async function runImportTask(
  deps: Pick<Deps, 'triggers'>,
  task: UploadedTask,
  signal: AbortSignal,
): Promise<CollectionImportReport | StoredImportReport> {
  const outcome = await deps.triggers.imports.get()?.run(task, signal)
  if (outcome === undefined) throw interrupted()
  if ('report' in outcome) return outcome.report
  const { code, message, retryAfter } = outcome.refusal
  throw new ServiceError(code, message, retryAfter === undefined ? {} : { retryAfter })
}
