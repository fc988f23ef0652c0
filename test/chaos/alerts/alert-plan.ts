/**
 * The plan of an alert run, derived from a seed: prices step by step, webhooks, and changes by their owners. The
 * processes and the model read the same plan.
 */
import { createHash } from 'node:crypto'
import type { Tier } from '#rules/accounts/tiers.ts'
import { ALERT_CONDITIONS, type AlertCondition } from '#rules/alerts/alert-condition.ts'
import { pick, randomFrom } from '../../support/random.ts'

/** Money is US cents. */
export type PlannedWebhook = {
  id: string
  /** Index of the account. */
  account: number
  /** Index of the receiver of its URL. */
  receiver: number
  card: number
  /** Null for the most expensive printing. */
  printing: string | null
  condition: AlertCondition
  threshold: number
}

/** A change that an owner makes before a step's prices. */
export type Change =
  | { kind: 'add'; watch: PlannedWebhook }
  | { kind: 'pause' | 'resume' | 'rotate' | 'remove'; watch: PlannedWebhook }
  | { kind: 'threshold'; watch: PlannedWebhook; threshold: number }
  /** To the address of another receiver. */
  | { kind: 'move'; watch: PlannedWebhook; receiver: number }
  | { kind: 'tier'; account: number; tier: Tier }

export type Step = {
  changes: readonly Change[]
  /** Cents by card and printing; null: unknown. */
  prices: ReadonlyMap<number, ReadonlyMap<string, number | null>>
  /** When the upstream published the prices, and when they were synced, which is the time of the alerts. */
  publishedAt: Date
  at: Date
}

export type AlertPlan = ReturnType<typeof planAlerts>

export type PlanSize = { seed: number; steps: number; start: number }

export const PRINTINGS = ['Normal', 'Holofoil'] as const
export const ACCOUNTS = 4
export const RECEIVERS = 5
/** The receiver that uses HTTPS. */
export const SECURE_RECEIVER = 4
export const WEBHOOKS = 20
/**
 * Sets of one game, and cards per set; the first cards of a set have webhooks. The others keep their prices, because
 * a set that loses a fifth of its prices would be rejected.
 */
export const SETS = [11, 12, 13] as const
export const CARDS_A_SET = 20
const WATCHED_A_SET = 4
/** Days between two steps, whole so that nothing is rounded. */
export const STEP_DAYS = 1 / 64
const STEP_MS = STEP_DAYS * 86_400_000
const LOOKED_AFTER_MS = 60_000
/** All prices are multiples of it, so that they often equal a threshold. */
const GRID = 25

export const cardIdsOf = (set: number) =>
  Array.from({ length: CARDS_A_SET }, (_, index) => set * 100 + index)

export const emailOf = (account: number) => `${account}@alerts.example`

/** Returns the signing secret of a webhook, before and after its rotation. */
export function secretOf({ id }: Pick<PlannedWebhook, 'id'>, which: 'first' | 'rotated'): string {
  return `whsec_${createHash('sha256').update(`${which} of ${id}`).digest('base64')}`
}

export const cardName = (card: number) => `Card “${card}” & Söhne`

/**
 * The first step has prices but no webhooks; in the last one, nothing is paused.
 *
 * @param start when the upstream published the first step, in epoch milliseconds, whole seconds
 */
export function planAlerts({ seed, steps: count, start }: PlanSize) {
  const random = randomFrom(seed)
  const walks = SETS.flatMap((set) => {
    const watched = cardIdsOf(set).slice(0, WATCHED_A_SET)
    // Sets that occasionally do not change: the sync does not read them.
    const stands = Array.from({ length: count }, () => random() < 0.2)
    return watched.map((card) => ({ card, ...walkOf(random, stands) }))
  })
  const watches = Array.from({ length: WEBHOOKS }, (_, index) => watchOf(random, index, walks))
  const changes = changesIn(watches, count)
  const steps = Array.from({ length: count }, (_, index): Step => {
    const publishedAt = new Date(start + index * STEP_MS)
    return {
      changes: changes.filter(([at]) => at === index).map(([, change]) => change),
      prices: new Map(walks.map(({ card, prices }) => [card, prices[index] ?? new Map()])),
      publishedAt,
      at: new Date(publishedAt.getTime() + LOOKED_AFTER_MS),
    }
  })
  return { watches, steps }
}

type Walk = {
  card: number
  centers: ReadonlyMap<string, number>
  prices: ReadonlyMap<string, number | null>[]
}

/** Returns a card's prices, which move up and down around a center, one printing at a time. */
function walkOf(random: () => number, stands: readonly boolean[]): Omit<Walk, 'card'> {
  const base = GRID * Math.round(20 + random() * 60)
  // Each printing is sometimes the more expensive one.
  const centers = new Map(PRINTINGS.map((name, index) => [name, base + index * GRID]))
  const known = new Map(centers)
  const prices: Map<string, number | null>[] = []
  for (const isStill of stands) {
    const before = prices.at(-1)
    if (isStill && before !== undefined) {
      prices.push(before)
      continue
    }
    const now = new Map<string, number | null>()
    for (const [name, center] of centers) {
      const price = known.get(name) ?? center
      const drift = Math.sign(center - price) * GRID * (random() < 0.45 ? 1 : 0)
      const moved = price + drift + GRID * pick(random, [-2, -1, -1, 0, 0, 0, 1, 1, 2])
      known.set(name, Math.max(GRID, moved))
      now.set(name, random() < 0.03 ? null : (known.get(name) ?? null))
    }
    prices.push(now)
  }
  return { centers, prices }
}

function watchOf(random: () => number, index: number, walks: readonly Walk[]): PlannedWebhook {
  const { card, centers } = pick(random, walks)
  const printing = index % 3 === 0 ? pick(random, PRINTINGS) : null
  const center = centers.get(printing ?? 'Holofoil') ?? GRID
  const condition = pick(random, ALERT_CONDITIONS)
  // Distance from the center, on the side that is rarely reached.
  const off = GRID * Math.floor(random() * 4) * (condition === 'above' ? 1 : -1)
  return {
    id: `watch-${index}`,
    account: index % ACCOUNTS,
    receiver: index % RECEIVERS,
    card,
    printing,
    condition,
    // Not all are on the grid: these never equal a price.
    threshold: Math.max(1, center + off - (index % 4 === 0 ? 1 : 0)),
  }
}

/** Returns the changes of owners, each at its share of the run. */
function changesIn(watches: readonly PlannedWebhook[], steps: number): [step: number, Change][] {
  const at = (share: number) => Math.floor(share * (steps - 1))
  const of = (index: number) => {
    const watch = watches[index]
    if (watch === undefined) throw new Error(`unknown webhook ${index}`)
    return watch
  }
  const late = [18, 19]
  const threshold = (index: number, threshold: number): Change => ({
    kind: 'threshold',
    watch: of(index),
    threshold,
  })
  // A threshold that any price meets, so that there is something to send at this moment.
  const certain = (index: number, off: number) =>
    threshold(index, of(index).condition === 'above' ? off : 1_000_000 - off)
  const usual = (index: number, off = 0) => threshold(index, of(index).threshold + off)
  const before = (share: number) => at(share) - 1
  const after = (share: number) => at(share) + 1
  const unpaid = [2, 10, 14]
  return [
    ...watches.map((watch, index): [number, Change] => [
      late.includes(index) ? at(0.3) : 1,
      { kind: 'add', watch },
    ]),
    [at(0.1), { kind: 'rotate', watch: of(4) }],
    [at(0.2), { kind: 'rotate', watch: of(5) }],
    [at(0.25), { kind: 'move', watch: of(6), receiver: 0 }],
    [at(0.5), { kind: 'remove', watch: of(11) }],
    // An alert just before it may have to wait.
    [before(0.15), certain(1, 1)],
    [at(0.15), { kind: 'pause', watch: of(1) }],
    [at(0.4), { kind: 'resume', watch: of(1) }],
    [after(0.4), usual(1)],
    ...unpaid.map((index): [number, Change] => [before(0.35), certain(index, 1)]),
    [at(0.35), { kind: 'tier', account: 2, tier: 'starter' }],
    [at(0.6), { kind: 'tier', account: 2, tier: 'pro' }],
    ...unpaid.map((index): [number, Change] => [after(0.6), usual(index)]),
    [before(0.55), certain(3, 1)],
    [at(0.55), { kind: 'pause', watch: of(3) }],
    // Its condition also changes while it is paused.
    [at(0.65), usual(3, -GRID)],
    [at(0.85), { kind: 'resume', watch: of(3) }],
    // A new condition that is already met fires at once.
    [at(0.45), certain(8, 1)],
    [at(0.5), certain(8, 2)],
    [at(0.55), usual(8, 2 * GRID)],
  ]
}
