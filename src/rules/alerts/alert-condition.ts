/** When a watch tells of its price: at or above its threshold, or at or below it. */
export const CONDITIONS = ['above', 'below'] as const

export type Condition = (typeof CONDITIONS)[number]

/** A watch as a publication sees it. Money is US cents. */
export type Watch = {
  id: string
  card_id: number
  /** Null: the dearest one. */
  printing: string | null
  condition: Condition
  threshold: number
  /** Another one is another condition, of which nothing was told yet. */
  revision: number
  /** Whether it tells anything now; one that does not goes on looking. */
  is_active: boolean
}

/** What a publication does about a watch. */
export type Turn = 'tell' | 'arm' | 'nothing'

/** Whether a price meets a condition; the threshold itself does. */
export function meets(price: number, condition: Condition, threshold: number): boolean {
  return condition === 'above' ? price >= threshold : price <= threshold
}

/**
 * What a price does to a watch: it tells once when its condition is met, and again only after it was
 * not met in between. A price that is unknown says nothing either way.
 *
 * @param toldRevision of the condition that it has told of, and that was met ever since
 */
export function turnOf(
  watch: Pick<Watch, 'condition' | 'threshold' | 'revision' | 'is_active'>,
  price: number | null,
  toldRevision: number | undefined,
): Turn {
  if (price === null) return 'nothing'
  const isTold = toldRevision === watch.revision
  if (!meets(price, watch.condition, watch.threshold)) return isTold ? 'arm' : 'nothing'
  return isTold || !watch.is_active ? 'nothing' : 'tell'
}
