/** What is wrong with all that arrived in a run of alerts, by the model and the specification. */

import type { DeliveryState } from './alert-leftovers.ts'
import type { ExpectedAlert } from './alert-model.ts'
import type { Change, PlannedWatch } from './alert-plan.ts'
import type { Arrival } from './alert-receivers.ts'
import { type AlertLine, QUICK_HELD_MS } from './alert-task.ts'

type Seen = {
  expected: readonly ExpectedAlert[]
  arrivals: readonly Arrival[]
  deliveries: readonly DeliveryState[]
}

/** Each a list of what is wrong; all of them are to be empty. */
export function alertFaults({ expected, arrivals, deliveries }: Seen) {
  const kept = new Set(arrivals.filter(({ isKept }) => isKept).map(placeOf))
  const accepted = new Set(arrivals.filter(({ isAccepted }) => isAccepted).map(({ id }) => id))
  const wanted = new Set(expected.map(({ watch, body }) => keyOf(watch, body)))
  const messages = new Map<string, Arrival>()
  const altered: string[] = []
  for (const arrival of arrivals) {
    const first = messages.get(arrival.id)
    if (first === undefined) messages.set(arrival.id, arrival)
    else if (first.body !== arrival.body || first.watch !== arrival.watch) altered.push(arrival.id)
  }
  const told = [...messages.values()].map(placeOf)
  return {
    missing: expected
      .filter(({ watch, body, mayBeMissing }) => !mayBeMissing && !kept.has(keyOf(watch, body)))
      .map(({ watch, body }) => keyOf(watch, body)),
    extra: told.filter((key) => !wanted.has(key)),
    twice: told.filter((key, index) => told.indexOf(key) !== index),
    altered,
    lost: deliveries.filter(({ id, state }) => state === 'delivered' && !accepted.has(id)),
    dead: deliveries.filter(({ state }) => state === 'dead'),
    left: deliveries.filter(({ state }) => state === 'pending'),
    // The secret before the rotated one is good for longer than any run.
    unsigned: arrivals.filter(({ isSigned }) => !isSigned.first).map(({ id }) => id),
  }
}

/** The alert that a message is: its fields say of which step of its watch. */
function placeOf({ watch, body }: Arrival): string {
  return keyOf(watch, JSON.parse(body))
}

function keyOf({ id }: PlannedWatch, body: object): string {
  return `${id} ${JSON.stringify(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)))}`
}

/** A time in which something must, or must not, arrive for some watches. */
type Stretch = { change: Change; from: number; until: number }

/**
 * What arrived although its watch was paused, below Pro or removed, and what was not signed by a new
 * secret, each from when the change was done: what was under way then may end.
 */
export function lateArrivals(
  steps: readonly { changes: readonly Change[] }[],
  lines: readonly AlertLine[],
  arrivals: readonly Arrival[],
) {
  const silences = stretchesOf(steps, lines, isQuieting)
  const quiet = silences.flatMap((stretch) =>
    arrivals.filter((arrival) => isWithin(arrival, stretch)),
  )
  const rotated = stretchesOf(steps, lines, ({ kind }) => kind === 'rotate').flatMap((stretch) =>
    arrivals.filter((arrival) => isWithin(arrival, stretch)),
  )
  return {
    /** How many of these times there were, as some end before what was under way has ended. */
    silences: silences.filter(({ from, until }) => until > from).length,
    quiet: quiet.map(({ id, watch }) => `${watch.id}: ${id}`),
    rotated: rotated.length,
    notRotated: rotated.filter(({ isSigned }) => !isSigned.rotated).map(({ id }) => id),
  }
}

function isQuieting(change: Change): boolean {
  if (change.kind === 'tier') return change.tier !== 'pro'
  return change.kind === 'pause' || change.kind === 'remove'
}

function stretchesOf(
  steps: readonly { changes: readonly Change[] }[],
  lines: readonly AlertLine[],
  isOne: (change: Change) => boolean,
): Stretch[] {
  const when = (stage: AlertLine['stage'], step: number) =>
    lines.find((line) => line.stage === stage && line.step === step)?.at ?? Number.POSITIVE_INFINITY
  return steps.flatMap(({ changes }, step) =>
    changes.filter(isOne).map((change) => {
      const end = steps.findIndex(
        ({ changes }, later) => later > step && changes.some((other) => isUndone(change, other)),
      )
      const until = end < 0 ? Number.POSITIVE_INFINITY : when('begun', end)
      return { change, from: when('syncing', step) + QUICK_HELD_MS, until }
    }),
  )
}

function isUndone(change: Change, other: Change): boolean {
  if (change.kind === 'tier') {
    return other.kind === 'tier' && other.account === change.account && other.tier === 'pro'
  }
  return other.kind === 'resume' && other.watch === change.watch
}

function isWithin({ watch, at }: Arrival, { change, from, until }: Stretch): boolean {
  const isOf = change.kind === 'tier' ? watch.account === change.account : watch === change.watch
  return isOf && at > from && at < until
}
