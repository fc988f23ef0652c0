/**
 * Which alerts must arrive. It knows what the specification and the choices of Cardstock say of alerts,
 * and nothing of how they are made: a watch tells when its price meets its condition, the threshold
 * itself included, and again only after it did not; what is paused or below Pro tells nothing and looks
 * on; a changed threshold begins anew; an unknown price is no price.
 */
import type { AlertPlan, Change, PlannedWatch, Step } from './alert-plan.ts'
import { cardName } from './alert-plan.ts'

/** An alert as its receiver reads it. */
export type ExpectedAlert = {
  step: number
  watch: PlannedWatch
  /** Its watch was removed before the run ended: it may have been too late for it. */
  mayBeMissing: boolean
  body: object
}

type Life = {
  watch: PlannedWatch
  threshold: number
  isPaused: boolean
  isArmed: boolean
  isRemoved: boolean
}

/** Every alert of a plan, in the order of its steps. */
export function expectedAlerts({ steps }: AlertPlan): ExpectedAlert[] {
  const lives = new Map<string, Life>()
  const unpaid = new Set<number>()
  const told: ExpectedAlert[] = []
  for (const [index, step] of steps.entries()) {
    for (const change of step.changes) live(lives, unpaid, change)
    for (const life of lives.values()) {
      const price = priceOf(life.watch, step)
      if (price === null || life.isRemoved) continue
      const { watch, threshold } = life
      const isMet = watch.condition === 'above' ? price >= threshold : price <= threshold
      if (!isMet) life.isArmed = true
      if (!isMet || !life.isArmed || life.isPaused || unpaid.has(watch.account)) continue
      life.isArmed = false
      told.push({ step: index, watch, mayBeMissing: false, body: bodyOf(life, price, step.at) })
    }
  }
  return told.map((alert) => ({
    ...alert,
    mayBeMissing: lives.get(alert.watch.id)?.isRemoved === true,
  }))
}

function live(lives: Map<string, Life>, unpaid: Set<number>, change: Change): void {
  if (change.kind === 'tier') {
    if (change.tier === 'pro') unpaid.delete(change.account)
    else unpaid.add(change.account)
    return
  }
  const { watch } = change
  const life = lives.get(watch.id)
  if (change.kind === 'add') {
    const { threshold } = watch
    const born = { watch, threshold, isPaused: false, isArmed: true, isRemoved: false }
    lives.set(watch.id, born)
  } else if (life !== undefined && change.kind === 'threshold') {
    life.threshold = change.threshold
    life.isArmed = true
  } else if (life !== undefined) {
    if (change.kind === 'pause') life.isPaused = true
    if (change.kind === 'resume') life.isPaused = false
    if (change.kind === 'remove') life.isRemoved = true
  }
}

function priceOf({ card, printing }: PlannedWatch, { prices }: Step): number | null {
  const ofCard = prices.get(card) ?? new Map<string, number | null>()
  if (printing !== null) return ofCard.get(printing) ?? null
  const known = [...ofCard.values()].filter((price) => price !== null)
  return known.length === 0 ? null : Math.max(...known)
}

/** The seven fields of the specification (Events). */
function bodyOf({ watch, threshold }: Life, price: number, at: Date): object {
  return {
    event: 'price_alert',
    card_id: watch.card,
    card_name: cardName(watch.card),
    condition: watch.condition,
    threshold: threshold / 100,
    current_price: price / 100,
    timestamp: at.toISOString(),
  }
}
