import type { Deps } from '#deps.ts'
import type { CollectionImportReport, FileImport } from '#rules/collections/file-import.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { countAttempt } from '../accounts/rate-limits.ts'
import { findGame } from '../catalog/find-game.ts'
import { importFile } from './import-file.ts'
import { getCollection } from './manage-collections.ts'

type ImportRequestDeps = Pick<Deps, 'catalog' | 'ledger' | 'config' | 'now' | 'triggers'>

/**
 * Imports a file; a large one in a thread.
 *
 * @throws ServiceError NOT_FOUND, INVALID_GAME, TOO_MANY_ATTEMPTS, UNAVAILABLE, and those of `importFile`
 */
export async function requestImport(
  deps: ImportRequestDeps,
  input: FileImport,
): Promise<CollectionImportReport> {
  const { collection_id, account_id, game, file } = input
  await getCollection(deps, { id: collection_id, account_id })
  findGame(deps, game)
  await countAttempt(deps, importLimits(account_id))
  const run = file.length > BYTES_AT_ONCE ? deps.triggers.imports.get() : undefined
  if (run === undefined) return importFile(deps, input)
  const outcome = await run(input)
  if (outcome === undefined) throw interrupted()
  if ('report' in outcome) return outcome.report
  const { code, message } = outcome.refusal
  throw new ServiceError(code, message)
}

/** Files up to this size, some 500 rows, take a tenth of a second, so small files need not wait for large ones. */
const BYTES_AT_ONCE = 64 * 1024

/** Limits imports, because a file of 100,000 rows keeps a processor busy for half a minute. */
function importLimits(accountId: number) {
  return [{ name: `import ${accountId}`, limit: { limit: 60, windowMs: 3_600_000 } }]
}

function interrupted(): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    'The import was interrupted. Send the same file again to continue where it stopped.',
  )
}
