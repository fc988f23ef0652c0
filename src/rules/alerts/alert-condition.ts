import type { ConfidenceLevel } from '../pricing/confidence.ts'

/** Conditions of a price alert: the price is at or above its threshold, or at or below it. */
export const ALERT_CONDITIONS = ['above', 'below'] as const

export type AlertCondition = (typeof ALERT_CONDITIONS)[number]

/** A webhook's condition, as publications evaluate it. Money is in hundredths of its currency. */
export type AlertRule = {
  id: string
  card_id: number
  /** Null for the card's most expensive printing. */
  printing: string | null
  condition: AlertCondition
  threshold: number
  /** Currency of the threshold; null for the mirror's unconverted prices. */
  currency: string | null
  /** Null for the sources that answer a request for the currency. */
  source: string | null
  /** Minimum confidence in the price. A less reliable price counts as unknown. */
  min_confidence: ConfidenceLevel
  /** Changes with the condition: a new revision has not fired yet. */
  revision: number
  /** False while the webhook is paused. A paused rule is still evaluated, but does not fire. */
  is_active: boolean
}

/** Effect of a publication on a rule. */
export type AlertTransition = 'fire' | 'rearm' | 'none'

/** Returns true if a price meets a condition. A price equal to the threshold meets it. */
export function meetsCondition(
  price: number,
  condition: AlertCondition,
  threshold: number,
): boolean {
  return condition === 'above' ? price >= threshold : price <= threshold
}

/**
 * Evaluates a rule. It fires once when its condition is met, and again only after the condition was no longer met. An
 * unknown price has no effect.
 *
 * @param firedRevision revision that has fired, and whose condition has been met ever since
 */
export function nextTransition(
  rule: Pick<AlertRule, 'condition' | 'threshold' | 'revision' | 'is_active'>,
  price: number | null,
  firedRevision: number | undefined,
): AlertTransition {
  if (price === null) return 'none'
  const hasFired = firedRevision === rule.revision
  if (!meetsCondition(price, rule.condition, rule.threshold)) return hasFired ? 'rearm' : 'none'
  return hasFired || !rule.is_active ? 'none' : 'fire'
}
