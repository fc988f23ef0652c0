import { ServiceError } from '#rules/primitives/errors.ts'
import { firstLine } from '#rules/primitives/storage-fault.ts'
import { hasErrorCode } from '#rules/primitives/system-error-code.ts'
import { explainFaults } from './folder-entries.ts'

/**
 * Runs an action on a database that is being opened; a fault becomes one line with the path and the remedy.
 * A statement that does not fit the schema is also a fault of the file then, not a bug.
 */
export function explainDatabase<T>(path: string, action: () => T): T {
  return explainFaults(path, () => {
    try {
      return action()
    } catch (error) {
      if (!hasErrorCode(error, 'SQLITE_ERROR')) throw error
      throw new ServiceError(
        'UNAVAILABLE',
        `${path} does not have the schema of this program (${firstLine(error)}): another program changed it. Restore a backup with "bun run restore".`,
        { cause: error },
      )
    }
  })
}
