/** When a watch tells of its price: at or above its threshold, or at or below it. */
export const ALERT_CONDITIONS = ['above', 'below'] as const

export type AlertCondition = (typeof ALERT_CONDITIONS)[number]

/** A watch as a publication sees it. Money is US cents. */
export type AlertRule = {
  id: string
  card_id: number
  /** Null: the dearest one. */
  printing: string | null
  condition: AlertCondition
  threshold: number
  /** Another one is another condition, of which nothing was told yet. */
  revision: number
  /** Whether it tells anything now; one that does not goes on looking. */
  is_active: boolean
}

/** What a publication does about a watch. */
export type AlertTransition = 'tell' | 'arm' | 'nothing'

/** Whether a price meets a condition; the threshold itself does. */
export function meetsCondition(
  price: number,
  alertCondition: AlertCondition,
  threshold: number,
): boolean {
  return alertCondition === 'above' ? price >= threshold : price <= threshold
}

/**
 * What a price does to a watch: it tells once when its condition is met, and again only after it was
 * not met in between. A price that is unknown says nothing either way.
 *
 * @param firedRevision of the condition that it has told of, and that was met ever since
 */
export function nextTransition(
  rule: Pick<AlertRule, 'condition' | 'threshold' | 'revision' | 'is_active'>,
  price: number | null,
  firedRevision: number | undefined,
): AlertTransition {
  if (price === null) return 'nothing'
  const isTold = firedRevision === rule.revision
  if (!meetsCondition(price, rule.condition, rule.threshold)) return isTold ? 'arm' : 'nothing'
  return isTold || !rule.is_active ? 'nothing' : 'tell'
}
