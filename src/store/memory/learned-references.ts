import type { LearnedReference } from '#rules/photos/picture-index/learned-references.ts'

/** The references that the readers of this server use, as the ledger last had them. */
export type LearnedReferences = {
  /** Returns a number that changes with the references. */
  getVersion(): number
  listReferences(): readonly LearnedReference[]
  /** Replaces all references. */
  replace(references: readonly LearnedReference[]): void
}

export function createLearnedReferences(): LearnedReferences {
  let version = 0
  let current: readonly LearnedReference[] = []
  return {
    getVersion: () => version,
    listReferences: () => current,
    replace(references) {
      current = references
      version++
    },
  }
}
