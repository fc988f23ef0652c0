import { startProcess } from '../process.ts'
import type { LoadTask, LoadWindow } from './load-task.ts'

/**
 * Sends a load from a separate process.
 *
 * @param onWindow receives each window when it ends
 * @returns all windows
 */
export async function sendLoad(
  task: LoadTask,
  onWindow: (window: LoadWindow) => void = () => {},
): Promise<LoadWindow[]> {
  const input = JSON.stringify(task)
  const load = startProcess('test/support/chaos/load-process.ts', { input })
  const windows: LoadWindow[] = []
  function takeWindows(): void {
    const lines = load.stdout().split('\n').slice(windows.length, -1)
    for (const line of lines) {
      const window: LoadWindow = JSON.parse(line)
      windows.push(window)
      onWindow(window)
    }
  }
  for (; !load.hasEnded(); takeWindows()) await Bun.sleep(20)
  if ((await load.exited) !== 0) throw new Error(`the load failed: ${load.output()}`)
  takeWindows()
  return windows
}
