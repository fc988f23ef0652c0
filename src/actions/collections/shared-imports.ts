import { createFairQueue } from '#concurrency/fair-queue.ts'
import type { FileImportOutcome, ImportTask } from '#rules/collections/file-import.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { draftParts } from './draft-file.ts'
import { importDraftParts, undoParts } from './import-draft.ts'
import { importParts } from './import-file.ts'
import { type ImportTaskDeps, interrupted, type RunProgress } from './store-part.ts'

/** Imports that share a thread. Their senders take turns, each of which is a part of a file. */
export type SharedImports = {
  /**
   * Does the work of an import. A run that uses too much processor time, or is no longer wanted, ends like an interruption: what
   * it has stored stays, and another run continues there.
   *
   * @param signal ends the run after the current part
   */
  run(deps: ImportTaskDeps, input: ImportTask, signal: AbortSignal): Promise<FileImportOutcome>
}

/** @param cpuMs returns the processor time that this thread has used, in milliseconds */
export function createSharedImports(cpuMs: () => number = threadCpuMs): SharedImports {
  const queue = createFairQueue<Pick<ImportTask, 'network' | 'account_id'>>({
    turns: ({ network, account_id }) => [network, `${account_id}`],
    atOnce: 1,
  })

  async function runParts(deps: ImportTaskDeps, input: ImportTask, signal: AbortSignal) {
    const { network, account_id } = input
    const parts = startParts(deps, input)
    let spentMs = 0
    const runPart = async () => {
      const startedAt = cpuMs()
      const release = deps.catalog.publication.hold()
      try {
        return await parts.next()
      } finally {
        release()
        spentMs += cpuMs() - startedAt
      }
    }
    try {
      for (;;) {
        const part = await queue.run({ network, account_id }, runPart, signal)
        if (part.done === true) return part.value
        if (spentMs > budgetMs(part.value)) throw interrupted()
      }
    } finally {
      // Closes the readers of the file. Nobody reads the value.
      await parts.return(undefined as never)
    }
  }

  return {
    async run(deps, input, signal) {
      try {
        return { report: await runParts(deps, input, signal) }
      } catch (error) {
        const refusal = signal.aborted ? interrupted() : error
        if (refusal instanceof ServiceError) return { refusal: describeRefusal(refusal) }
        throw error
      }
    },
  }
}

function startParts(deps: ImportTaskDeps, input: ImportTask) {
  if ('file' in input) return input.is_draft ? draftParts(deps, input) : importParts(deps, input)
  return input.step === 'undo' ? undoParts(deps, input) : importDraftParts(deps, input)
}

/**
 * Processor time that a run may use. A usual row of a table takes 0.3 ms, a line of a list 1 to 2 ms, skipping a row
 * that an earlier run has finished 0.02 ms, and reading its date 0.01 ms, on a slow machine several times as long.
 */
function budgetMs({ finished, passed, dated }: RunProgress): number {
  return 5_000 + 2 * finished + 0.1 * passed + 0.05 * dated
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function describeRefusal({ code, message, retryAfter }: ServiceError) {
  return { code, message, retryAfter }
}
