// Actions for the end of a test, of a file and of a process, because Bun's test runner emits no `exit`.

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

/** Functions that close what was opened within the running test, and outside of tests. */
const closers: Record<'test' | 'file', (() => unknown)[]> = { test: [], file: [] }
let scope: keyof typeof closers = 'file'

/** Closes something after the test that opens it, or after the last test of the file if none does. */
export function closeAfterUse(...opened: (() => unknown)[]): void {
  closers[scope].push(...opened)
}

/** Begins a test. */
export function beginTest(): void {
  scope = 'test'
}

/** Closes what the test has opened, the last first. */
export async function endTest(): Promise<void> {
  scope = 'file'
  for (const close of closers.test.splice(0).reverse()) await close()
}

/** Closes what was opened outside of tests. */
export async function endFile(): Promise<void> {
  for (const close of closers.file.splice(0).reverse()) await close()
}
