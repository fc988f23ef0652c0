import { join } from 'node:path'
import { atEnd } from '../end-of-tests.ts'
import type { LoadTask, LoadWindow } from './load-task.ts'

const ENTRY = join(import.meta.dir, 'load-process.ts')

/**
 * Sends a load from a process of its own.
 *
 * @param onWindow receives each window when it ends
 * @returns all windows
 */
export async function sendLoad(
  task: LoadTask,
  onWindow: (window: LoadWindow) => void = () => {},
): Promise<LoadWindow[]> {
  const child = Bun.spawn([process.execPath, '--no-env-file', ENTRY], {
    stdio: [new Blob([JSON.stringify(task)]), 'pipe', 'inherit'],
  })
  const end = () => child.kill('SIGKILL')
  const forget = atEnd(end)
  const windows: LoadWindow[] = []
  for await (const line of linesOf(child.stdout)) {
    const window: LoadWindow = JSON.parse(line)
    windows.push(window)
    onWindow(window)
  }
  forget()
  if ((await child.exited) !== 0) throw new Error('the process of the load failed')
  return windows
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
