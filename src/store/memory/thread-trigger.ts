import type { FileImport, FileImportOutcome } from '#rules/collections/file-import.ts'
import type { ListKey } from '../ledger/collections/lists.ts'

/** Values a collection. Resolves when it is done, also if it failed. */
export type ValuationRunner = (key: ListKey) => Promise<unknown>

/** Imports a file. @returns undefined if the thread ended before it was done */
export type ImportRunner = (input: FileImport) => Promise<FileImportOutcome | undefined>

/** Connects requests for long work with the thread that does it. */
export type ThreadTrigger<Runner> = {
  /** Sets the runner; undefined while the process starts or stops. */
  attach(runner: Runner | undefined): void
  /** Returns the runner; undefined without one. */
  get(): Runner | undefined
}

/** Creates a trigger without a runner. */
export function createThreadTrigger<Runner>(): ThreadTrigger<Runner> {
  let runner: Runner | undefined
  return {
    attach(next) {
      runner = next
    },
    get: () => runner,
  }
}
