// A server's alert job on a data folder, until it is killed.
import { DELIVERY_TIMING } from '#actions/alerts/send-deliveries.ts'
import { readConfig } from '#config.ts'
import { openDeps } from '#deps.ts'
import { createChannelWorker, startAlerts } from '#jobs/alerts.ts'

export type ChannelTask = { env: Record<string, string> }

// The task that startKillable passes.
const { env } = JSON.parse(process.argv[2] ?? '') as ChannelTask
const deps = await openDeps(readConfig(env))
const timing = { ...DELIVERY_TIMING, wait: () => 20, leaseMs: 400 }
const alerts = startAlerts(deps, { messaging: createChannelWorker(deps, timing) })
setInterval(alerts.wake, 20)
