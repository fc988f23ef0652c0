import { readdirSync, readFileSync } from 'node:fs'

/** A thread of this process: its nice value, and the bytes that it has written to files. */
export type ThreadState = { id: string; nice: number; written: number }

/** Returns the nice values of the main thread of this process and of all its threads. */
export function readThreadPriorities(): { main: number; all: number[] } {
  const threads = readThreads()
  const main = threads.find(({ id }) => id === String(process.pid))
  return { main: main?.nice ?? Number.NaN, all: threads.map(({ nice }) => nice) }
}

/** Reads all threads of this process. */
export function readThreads(): ThreadState[] {
  return readdirSync('/proc/self/task').map((id) => {
    const read = (name: string) => readFileSync(`/proc/self/task/${id}/${name}`, 'utf8')
    const stat = read('stat')
    return {
      id,
      // proc(5), /proc/pid/stat, field 19
      nice: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]),
      written: Number(/^wchar: (\d+)$/m.exec(read('io'))?.[1]),
    }
  })
}
