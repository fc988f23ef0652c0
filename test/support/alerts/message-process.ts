// Runs a server's alert job on a data folder, until it is killed.
import { createMessageWorker, SEND_TIMING } from '#actions/alerts/message-worker.ts'
import { readConfig } from '#config.ts'
import { openDeps } from '#deps.ts'
import { startAlerts } from '#jobs/alerts.ts'

export type MessageTask = {
  env: Record<string, string>
  /** Lease after which another process may send a message. */
  leaseMs: number
  /** Time between attempts; undefined for the servers' schedule. */
  waitMs?: number
}

// startKillable passes this task.
const { env, leaseMs, waitMs } = JSON.parse(process.argv[2] ?? '') as MessageTask
const deps = await openDeps(readConfig(env))
const wait = waitMs === undefined ? SEND_TIMING.wait : () => waitMs
const sending = createMessageWorker(deps, { ...SEND_TIMING, wait, leaseMs })
const alerts = startAlerts(deps, { sending })
setInterval(alerts.wake, 20)
