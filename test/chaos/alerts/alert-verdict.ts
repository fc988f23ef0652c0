/** Checks the alerts of a run against the model and the specification. */

import type { DeliveryState } from './alert-leftovers.ts'
import type { ExpectedAlert } from './alert-model.ts'
import type { Change, PlannedWebhook } from './alert-plan.ts'
import type { AlertArrival } from './alert-receivers.ts'
import { type AlertLine, SHORT_LEASE_MS } from './alert-task.ts'

type AlertRunOutcome = {
  expected: readonly ExpectedAlert[]
  arrivals: readonly AlertArrival[]
  deliveries: readonly DeliveryState[]
}

/** Lists of faults by kind; all of them should be empty. */
export function findAlertFaults({ expected, arrivals, deliveries }: AlertRunOutcome) {
  const kept = new Set(arrivals.filter(({ isKept }) => isKept).map(placeOf))
  const accepted = new Set(arrivals.filter(({ isAccepted }) => isAccepted).map(({ id }) => id))
  const wanted = new Set(expected.map(({ webhook, body }) => keyOf(webhook, body)))
  const messages = new Map<string, AlertArrival>()
  const altered: string[] = []
  for (const alertArrival of arrivals) {
    const first = messages.get(alertArrival.id)
    if (first === undefined) messages.set(alertArrival.id, alertArrival)
    else if (first.body !== alertArrival.body || first.webhook !== alertArrival.webhook)
      altered.push(alertArrival.id)
  }
  const received = [...messages.values()].map(placeOf)
  return {
    missing: expected
      .filter(({ webhook, body, mayBeMissing }) => !mayBeMissing && !kept.has(keyOf(webhook, body)))
      .map(({ webhook, body }) => keyOf(webhook, body)),
    extra: received.filter((key) => !wanted.has(key)),
    twice: received.filter((key, index) => received.indexOf(key) !== index),
    altered,
    lost: deliveries.filter(({ id, state }) => state === 'delivered' && !accepted.has(id)),
    dead: deliveries.filter(({ state }) => state === 'dead'),
    left: deliveries.filter(({ state }) => state === 'pending'),
    // The old secret stays valid for longer than any run.
    unsigned: arrivals.filter(({ isSigned }) => !isSigned.first).map(({ id }) => id),
  }
}

/** Returns the alert of a message: its fields identify the step of its webhook. */
function placeOf({ webhook, body }: AlertArrival): string {
  return keyOf(webhook, JSON.parse(body))
}

function keyOf({ id }: PlannedWebhook, body: object): string {
  return `${id} ${JSON.stringify(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)))}`
}

/** A period in which something must, or must not, arrive for some webhooks. */
type Interval = { change: Change; from: number; until: number }

/**
 * Finds alerts of webhooks that were paused, below Pro or removed, and alerts not signed by a new secret. Each period
 * begins at the end of the change, because running deliveries may finish.
 */
export function findLateArrivals(
  steps: readonly { changes: readonly Change[] }[],
  lines: readonly AlertLine[],
  arrivals: readonly AlertArrival[],
) {
  const silences = stretchesOf(steps, lines, stopsAlerts)
  const quiet = silences.flatMap((interval) =>
    arrivals.filter((alertArrival) => isWithin(alertArrival, interval)),
  )
  const rotated = stretchesOf(steps, lines, ({ kind }) => kind === 'rotate').flatMap((stretch) =>
    arrivals.filter((arrival) => isWithin(arrival, stretch)),
  )
  return {
    /** Number of these periods, because some end before the running deliveries. */
    silences: silences.filter(({ from, until }) => until > from).length,
    quiet: quiet.map(({ id, webhook }) => `${webhook.id}: ${id}`),
    rotated: rotated.length,
    notRotated: rotated.filter(({ isSigned }) => !isSigned.rotated).map(({ id }) => id),
  }
}

function stopsAlerts(change: Change): boolean {
  if (change.kind === 'tier') return change.tier !== 'pro'
  return change.kind === 'pause' || change.kind === 'remove'
}

function stretchesOf(
  steps: readonly { changes: readonly Change[] }[],
  lines: readonly AlertLine[],
  isOne: (change: Change) => boolean,
): Interval[] {
  const when = (stage: AlertLine['stage'], step: number) =>
    lines.find((line) => line.stage === stage && line.step === step)?.at ?? Number.POSITIVE_INFINITY
  return steps.flatMap(({ changes }, step) =>
    changes.filter(isOne).map((change) => {
      const end = steps.findIndex(
        ({ changes }, later) => later > step && changes.some((other) => isUndone(change, other)),
      )
      const until = end < 0 ? Number.POSITIVE_INFINITY : when('begun', end)
      return { change, from: when('syncing', step) + SHORT_LEASE_MS, until }
    }),
  )
}

function isUndone(change: Change, other: Change): boolean {
  if (change.kind === 'tier') {
    return other.kind === 'tier' && other.account === change.account && other.tier === 'pro'
  }
  return other.kind === 'resume' && other.watch === change.watch
}

function isWithin({ webhook, at }: AlertArrival, { change, from, until }: Interval): boolean {
  const isOf =
    change.kind === 'tier' ? webhook.account === change.account : webhook === change.watch
  return isOf && at > from && at < until
}
