// Work for the end of the tests of a process: Bun's test runner emits no `exit`.

const actions = new Set<() => unknown>()

/** Runs an action after the last test of the process. @returns a function that takes it back */
export function atEnd(action: () => unknown): () => void {
  actions.add(action)
  return () => void actions.delete(action)
}

/** Runs what is left to do. */
export async function endTests(): Promise<void> {
  for (const action of actions) await action()
}
