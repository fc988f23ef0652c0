// Alerts while the processes that create and deliver them are killed at random moments, and their receivers fail:
// none is lost or invented. Processes, files, mirrors and receivers are real; an independent model computes the
// expected alerts. `bun run chaos alerts` runs it at full size; FUZZ_SEED=… repeats its prices and webhooks.
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Behavior } from '../support/alerts/receivers.ts'
import { CHAOS_LIMIT_MS, sizedFor } from '../support/chaos.ts'
import { closeAfterEach } from '../support/closers.ts'
import { SEED } from '../support/random.ts'
import { KILL_POINTS } from './alerts/alert-kill-points.ts'
import type { AlertLeftovers } from './alerts/alert-leftovers.ts'
import { expectedAlerts } from './alerts/alert-model.ts'
import { type AlertRun, createAlertRun, type KillReport } from './alerts/alert-run.ts'
import { findAlertFaults, findLateArrivals } from './alerts/alert-verdict.ts'

setDefaultTimeout(CHAOS_LIMIT_MS)

const STEPS = sizedFor(40, 600)
const LIVES = sizedFor(5, 42)
/** Longer than ten attempts for the last message. */
const SETTLE_MS_MAX = 180_000

const closers = closeAfterEach()

test(`every alert of ${STEPS} price steps arrives, and no other, over ${LIVES} kills`, async () => {
  const started = performance.now()
  const run = await createAlertRun(SEED, STEPS)
  closers.push(run.close)
  const deaths: KillReport[] = []
  for (let life = 0; life < LIVES; life++) {
    const moment = KILL_POINTS[life % KILL_POINTS.length] ?? 'any'
    const step = Math.floor(((life + 1) * STEPS) / (LIVES + 1))
    // In a third of the rounds, two processes share the folder.
    deaths.push(await run.runUntilKilled(moment, step, life % 3 === 2))
  }
  await run.finish(SETTLE_MS_MAX)

  const { expected, receivers, lines, plan } = run
  const { arrivals } = receivers
  const faults = findAlertFaults({ expected, arrivals, deliveries: run.deliveries() })
  expect({ seed: SEED, ...faults }).toEqual({
    seed: SEED,
    missing: [],
    extra: [],
    twice: [],
    altered: [],
    lost: [],
    dead: [],
    left: [],
    unsigned: [],
  })
  const late = findLateArrivals(plan.steps, lines, arrivals)
  expect({ seed: SEED, ...late }).toMatchObject({ quiet: [], notRotated: [] })
  expect({ followed: receivers.strays, unrelayed: run.unrelayed() }).toEqual({
    followed: [],
    unrelayed: 0,
  })
  expect(lines.filter(({ stage }) => stage === 'done').length).toBe(STEPS)
  expect(late.rotated).toBeGreaterThan(0)
  expect(late.silences).toBeGreaterThanOrEqual(sizedFor(1, 4))
  expect(expected.length).toBeGreaterThan(sizedFor(20, 400))
  expect(killsOf(deaths)).toBeGreaterThanOrEqual(sizedFor(3, 28))
  console.info(figuresOf(run, deaths, (performance.now() - started) / 1_000))
})

test('the model fires at a crossing, including the threshold, and ignores unknown prices', () => {
  const watch = { id: 'one', account: 0, receiver: 0, card: 7, printing: null, threshold: 1_000 }
  const above = { ...watch, condition: 'above' } as const
  const walk = [900, 1_000, 1_100, null, 1_000, 999, 1_000]
  const steps = walk.map((price, index) => ({
    changes: index === 0 ? [{ kind: 'add', watch: above } as const] : [],
    prices: new Map([
      [7, new Map([['Normal', price] as const, ['Holofoil', price && 5] as const])],
    ]),
    publishedAt: new Date(index),
    at: new Date(index),
  }))
  const expectedList = expectedAlerts({ watches: [above], steps })
  expect(expectedList.map(({ step, body }) => ({ step, ...body }))).toMatchObject([
    { step: 1, card_id: 7, condition: 'above', threshold: 10, current_price: 10 },
    { step: 6, card_id: 7, condition: 'above', threshold: 10, current_price: 10 },
  ])
})

const killsOf = (deaths: readonly KillReport[]) => deaths.reduce((sum, { kills }) => sum + kills, 0)

/** Formats the figures of a run in one line. */
function figuresOf(
  { expected, receivers, plan, lines }: AlertRun,
  deaths: KillReport[],
  seconds: number,
) {
  const { arrivals } = receivers
  const distinct = new Set(arrivals.map(({ id }) => id)).size
  const failed = arrivals.filter(({ isAccepted }) => !isAccepted)
  const share = (...kinds: Behavior[]) => {
    const found = failed.filter(({ behavior }) => kinds.length === 0 || kinds.includes(behavior))
    return `${Math.round((100 * found.length) / arrivals.length)} %`
  }
  const dropped = expected.filter(({ mayBeMissing }) => mayBeMissing).length
  const met = (what: keyof AlertLeftovers) =>
    deaths.filter(({ remains }) => (remains?.[what] ?? 0) > 0).length
  const within = deaths.filter(({ line }) => line?.stage === 'syncing').length
  const repeated = lines.filter(({ isRepeated }) => isRepeated === true).length
  const accepted = arrivals.filter(({ isAccepted }) => isAccepted).map(({ id }) => id)
  return [
    `${plan.watches.length} watches × ${plan.steps.length} price steps, ${killsOf(deaths)} kills, ${deaths.filter(({ hadTwo }) => hadTwo).length} times with two processes:`,
    `${expected.length} alerts expected (${dropped} of them of a watch that is removed), ${distinct} distinct received in ${arrivals.length} requests, ${accepted.length - new Set(accepted).size} of them after one that was accepted;`,
    `receiver faults ${share()} (500 ${share('fail')}, hung ${share('never', 'endless headers')}, accepted and 503 ${share('accept then fail')}):`,
    'missing 0, extra 0, lost 0, dead 0, bad signatures 0;',
    `kills within a sync ${within} (${repeated} after its publication), with alerts not taken over ${met('unrelayed')}, not tried ${met('untried')}, not arrived ${met('taken')}, not answered ${met('arrived')}, answered and not written down ${met('answered')};`,
    `${seconds.toFixed(1)} s, seed ${SEED}`,
  ].join(' ')
}
