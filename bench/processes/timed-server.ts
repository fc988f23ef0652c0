// Server that reports to its parent for how long its event loop was held.
import { readFileSync } from 'node:fs'
import { readConfig } from '#config.ts'
import { openDeps } from '#deps.ts'
import { createApp } from '#http/app.ts'
import { listen } from '#http/listener.ts'
import { startJobs } from '#jobs/schedule.ts'
import { percentile } from '../measure.ts'

/** Time between two turns of a timer of one millisecond, without waits for a core, in milliseconds. */
export type HeldTimes = { p999: number; longest: number }

const deps = await openDeps(readConfig())
listen(createApp(deps), deps.config)
startJobs(deps)

let held: number[] = []
let last = readClocks()
setInterval(() => {
  const now = readClocks()
  held.push(now.wallMs - last.wallMs - (now.queuedMs - last.queuedMs))
  last = now
}, 1)

// A message asks for the times since the previous one.
process.on('message', () => {
  const times: HeldTimes = { p999: percentile(held, 99.9), longest: Math.max(...held) }
  held = []
  process.send?.(times)
})

/** The kernel reports for how long a thread was ready without a core. */
function readClocks(): { wallMs: number; queuedMs: number } {
  const stat = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8')
  return { wallMs: performance.now(), queuedMs: Number(stat.split(' ')[1]) / 1e6 }
}
