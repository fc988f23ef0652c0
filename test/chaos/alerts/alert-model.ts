/**
 * The alerts that must arrive, computed from the specification and Cardstock's choices alone. A webhook fires when
 * its price meets its condition, including the threshold, and again only after it did not. A webhook that is paused
 * or below Pro evaluates prices without firing. A changed threshold starts over; an unknown price is ignored.
 */
import type { AlertPlan, Change, PlannedWebhook, Step } from './alert-plan.ts'
import { cardName } from './alert-plan.ts'

/** An alert as its receiver gets it. */
export type ExpectedAlert = {
  step: number
  webhook: PlannedWebhook
  /** The webhook was removed before the run ended, so the alert may be missing. */
  mayBeMissing: boolean
  body: object
}

type WebhookState = {
  webhook: PlannedWebhook
  threshold: number
  isPaused: boolean
  isArmed: boolean
  isRemoved: boolean
}

/** Returns every alert of a plan, in the order of the steps. */
export function expectedAlerts({ steps }: AlertPlan): ExpectedAlert[] {
  const lives = new Map<string, WebhookState>()
  const unpaid = new Set<number>()
  const expected: ExpectedAlert[] = []
  for (const [index, step] of steps.entries()) {
    for (const change of step.changes) applyChange(lives, unpaid, change)
    for (const webhookState of lives.values()) {
      const price = priceOf(webhookState.webhook, step)
      if (price === null || webhookState.isRemoved) continue
      const { webhook, threshold } = webhookState
      const isMet = webhook.condition === 'above' ? price >= threshold : price <= threshold
      if (!isMet) webhookState.isArmed = true
      if (!isMet || !webhookState.isArmed || webhookState.isPaused || unpaid.has(webhook.account))
        continue
      webhookState.isArmed = false
      expected.push({
        step: index,
        webhook,
        mayBeMissing: false,
        body: bodyOf(webhookState, price, step.at),
      })
    }
  }
  return expected.map((alert) => ({
    ...alert,
    mayBeMissing: lives.get(alert.webhook.id)?.isRemoved === true,
  }))
}

function applyChange(lives: Map<string, WebhookState>, unpaid: Set<number>, change: Change): void {
  if (change.kind === 'tier') {
    if (change.tier === 'pro') unpaid.delete(change.account)
    else unpaid.add(change.account)
    return
  }
  const { watch } = change
  const webhookState = lives.get(watch.id)
  if (change.kind === 'add') {
    const { threshold } = watch
    const born = { webhook: watch, threshold, isPaused: false, isArmed: true, isRemoved: false }
    lives.set(watch.id, born)
  } else if (webhookState !== undefined && change.kind === 'threshold') {
    webhookState.threshold = change.threshold
    webhookState.isArmed = true
  } else if (webhookState !== undefined) {
    if (change.kind === 'pause') webhookState.isPaused = true
    if (change.kind === 'resume') webhookState.isPaused = false
    if (change.kind === 'remove') webhookState.isRemoved = true
  }
}

function priceOf({ card, printing }: PlannedWebhook, { prices }: Step): number | null {
  const ofCard = prices.get(card) ?? new Map<string, number | null>()
  if (printing !== null) return ofCard.get(printing) ?? null
  const known = [...ofCard.values()].filter((price) => price !== null)
  return known.length === 0 ? null : Math.max(...known)
}

/** The seven fields of the specification (Events). */
function bodyOf({ webhook, threshold }: WebhookState, price: number, at: Date): object {
  return {
    event: 'price_alert',
    card_id: webhook.card,
    card_name: cardName(webhook.card),
    condition: webhook.condition,
    threshold: threshold / 100,
    current_price: price / 100,
    timestamp: at.toISOString(),
  }
}
