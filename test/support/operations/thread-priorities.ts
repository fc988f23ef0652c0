import { readdirSync, readFileSync } from 'node:fs'

/** Returns the nice values of the main thread of this process and of all its threads. */
export function readThreadPriorities(): { main: number; all: number[] } {
  return { main: niceOf(String(process.pid)), all: readdirSync('/proc/self/task').map(niceOf) }
}

/** Nice value of a thread; proc(5), /proc/pid/stat, field 19. */
function niceOf(thread: string): number {
  const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}
