// Syncs prices and delivers alerts until it is killed; started by test/chaos/alerts.slow.test.ts. It runs the steps
// of a plan in order and records each, so that the next process continues there.
import { pathToFileURL } from 'node:url'
import {
  createMessageWorker,
  SEND_TIMING,
  type SendTiming,
} from '#actions/alerts/message-worker.ts'
import { syncCatalog } from '#actions/sync/sync-catalog.ts'
import { readConfig } from '#config.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { type Deps, openDeps } from '#deps.ts'
import { startAlerts } from '#jobs/alerts.ts'
import { openMarketplace } from '#outbound/marketplace/marketplace.ts'
import { openWebhookClient } from '#outbound/webhooks/webhook-client.ts'
import { openRecordFile } from '../../support/chaos.ts'
import { createUpstream, writeMirror } from '../../support/sync/upstream-fixture.ts'
import { applyOwnerChange } from './alert-owners.ts'
import {
  cardIdsOf,
  cardName,
  PRINTINGS,
  planAlerts,
  SETS,
  STEP_DAYS,
  type Step,
} from './alert-plan.ts'
import { type AlertLine, type AlertTask, SHORT_LEASE_MS, SHORT_TIMEOUT_MS } from './alert-task.ts'

/** Ten attempts as in rules/alerts/retry-schedule.ts, but within a second. */
const QUICK: SendTiming = {
  ...SEND_TIMING,
  wait(tries, retryAfterMs, random) {
    const wait = SEND_TIMING.wait(tries, retryAfterMs, random)
    return wait === undefined ? undefined : Math.round(20 + random * 100)
  },
  leaseMs: SHORT_LEASE_MS,
  slowMs: 50,
  pausedRecheckMs: 200,
}

/** Attempts run between two steps. */
const REST_MS = 5

const task: AlertTask = JSON.parse(process.argv[2] ?? '{}') // as the test has written it
const config = readConfig({
  DATA_DIR: task.dataDir,
  UPSTREAM_URL: pathToFileURL(task.mirror).href,
  LOG_LEVEL: 'error',
  IDENTIFY_WORKERS: '0',
})
const deps: Deps = {
  ...(await openDeps(config)),
  webhookClient: openWebhookClient({
    network: 'loopback-ok',
    timeoutMs: SHORT_TIMEOUT_MS,
    ca: task.ca,
  }),
}
const alerts = startAlerts(deps, { sending: createMessageWorker(deps, QUICK) })
if (task.from !== undefined) await takeSteps(task.from)

async function takeSteps(from: number): Promise<void> {
  const record = openRecordFile(task.record)
  const note = (line: Omit<AlertLine, 'at'>) => record.append({ ...line, at: Date.now() })
  const intake = await openCatalogWriterDeps(config)
  const marketplace = openMarketplace({
    upstreamUrl: config.upstreamUrl ?? '',
    userAgent: 'Cardstock/0.0.0 (+http://localhost:3000)',
  })
  const { steps } = planAlerts(task.plan)
  const upstream = invent(steps)
  for (const [index, step] of steps.entries()) {
    if (index < from) continue
    note({ step: index, stage: 'begun' })
    for (const change of step.changes) await applyOwnerChange(deps, change, task.urls)
    writeMirror(upstream.at(index), task.mirror)
    note({ step: index, stage: 'syncing' })
    const report = await syncCatalog({ ...intake, marketplace, now: () => step.at }, {})
    if (report.outcome !== 'complete') throw new Error(JSON.stringify(report.failures))
    note({ step: index, stage: 'done', isRepeated: report.version === undefined })
    // Every other publication is left to the job's schedule, like one made by a command.
    if (index % 2 === 0) alerts.wake()
    await Bun.sleep(REST_MS)
  }
}

/** Creates the upstream of a plan, at any of its steps. */
function invent(steps: readonly Step[]) {
  const upstream = createUpstream(steps[0]?.publishedAt.toISOString())
  upstream.addGame({ id: 3, name: 'Pokemon' })
  for (const set of SETS) {
    upstream.addSet(3, { id: set, name: `Chapter ${set}` })
    for (const id of cardIdsOf(set)) {
      const prices = Object.fromEntries(PRINTINGS.map((name, index) => [name, 1 + index]))
      upstream.addCard(set, { id, name: cardName(id), prices })
    }
  }
  let published = 0
  return {
    at(index: number): ReadonlyMap<string, string> {
      for (const [card, prices] of steps[index]?.prices ?? []) {
        for (const [printing, cents] of prices) {
          upstream.setPrice(card, printing, cents === null ? null : cents / 100)
        }
      }
      upstream.publish((index - published) * STEP_DAYS)
      published = index
      return upstream.files
    },
  }
}
