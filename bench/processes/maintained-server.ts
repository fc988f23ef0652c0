// Server whose parent starts the nightly maintenance and measures how long its main thread was busy.
import { readFileSync } from 'node:fs'
import { readConfig } from '#config.ts'
import { openDeps } from '#deps.ts'
import { createApp } from '#http/app.ts'
import { listen } from '#http/listener.ts'
import { createWorkers, type LedgerTask } from '#jobs/workers.ts'

/** Longest turn of the main thread in milliseconds: elapsed without waits for a core, and CPU time. */
export type LongestTurn = { heldMs: number; cpuMs: number }

const deps = await openDeps(readConfig())
const workers = createWorkers(deps)
listen(createApp(deps), deps.config)

let longest: LongestTurn = { heldMs: 0, cpuMs: 0 }
let last = readClocks()
setInterval(() => {
  const now = readClocks()
  const heldMs = now.wallMs - last.wallMs - (now.queuedMs - last.queuedMs)
  longest.heldMs = Math.max(longest.heldMs, heldMs)
  longest.cpuMs = Math.max(longest.cpuMs, now.cpuMs - last.cpuMs)
  last = now
}, 1)

process.on('message', async (work: LedgerTask['work'] | number) => {
  longest = { heldMs: 0, cpuMs: 0 }
  if (typeof work === 'number') await Bun.sleep(work)
  else await workers.ledger.run({ kind: 'ledger', work })
  process.send?.(longest)
})

/** The kernel reports how long a thread has run, and how long it was ready without a core. */
function readClocks() {
  const stat = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8')
  const [ran, queued] = stat.split(' ').map(Number)
  return {
    wallMs: performance.now(),
    cpuMs: (ran ?? 0) / 1e6,
    queuedMs: (queued ?? 0) / 1e6,
  }
}
