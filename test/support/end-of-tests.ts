// Actions for the end of a process's tests, because Bun's test runner emits no `exit`.

const actions = new Set<() => unknown>()

/** Registers an action for the end of the process's tests. @returns a function that cancels it */
export function atEnd(action: () => unknown): () => void {
  actions.add(action)
  return () => void actions.delete(action)
}

/** Runs the remaining actions. */
export async function endTests(): Promise<void> {
  for (const action of actions) await action()
}
