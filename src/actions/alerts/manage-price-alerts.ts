import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { type Tier, tierLimits, tierName } from '#rules/accounts/tiers.ts'
import type { AlertCondition } from '#rules/alerts/alert-condition.ts'
import { priceAlertId } from '#rules/alerts/price-alert-id.ts'
import type { PriceChoice } from '#rules/pricing/price-view.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type {
  PriceAlert,
  PriceAlertChanges,
  PriceAlertKey,
} from '#store/ledger/alerts/price-alerts.ts'
import { choosePrices } from '../pricing/choose-prices.ts'
import { assertPrintingExists, parseThreshold } from './manage-webhooks.ts'

type PriceAlertDeps = Pick<Deps, 'catalog' | 'config' | 'ledger' | 'now'>

/** `threshold` is in the currency, in US dollars without a choice. */
export type PriceAlertInput = {
  card_id: number
  /** Undefined for the most expensive printing. */
  printing: string | undefined
  condition: AlertCondition
  threshold: number
  /** Prices that it compares; without a choice, the mirror's. */
  choice: PriceChoice
}

/** Undefined members stay the same. `threshold` is in the currency of the price alert. */
export type PriceAlertUpdate = {
  condition: AlertCondition | undefined
  threshold: number | undefined
  is_paused: boolean | undefined
}

/**
 * Creates a price alert of a person.
 *
 * @throws ServiceError VALIDATION_ERROR, NOT_FOUND for an unknown card, or TOO_MANY_ALERTS
 */
export async function createPriceAlert(
  deps: PriceAlertDeps,
  { account_id, tier }: { account_id: number; tier: Tier },
  { card_id, printing, condition, threshold: amount, choice }: PriceAlertInput,
): Promise<PriceAlert> {
  const { ledger, config, now } = deps
  const threshold = parseThreshold(amount)
  const catalog = choosePrices(deps, choice)
  assertPrintingExists({ catalog }, { card_id, printing })
  const id = priceAlertId(randomUUID())
  const { alerts: max } = tierLimits(tier, config.hasLimits)
  const chosen = { currency: catalog.view?.currency ?? null, source: choice.source ?? null }
  const price = { card_id, printing: printing ?? null, ...chosen }
  const alert = { id, account_id, ...price, condition, threshold }
  if (!(await ledger.priceAlerts.create(alert, max, now()))) {
    throw new ServiceError(
      'TOO_MANY_ALERTS',
      `The ${tierName(tier)} tier includes ${max} price alerts. Delete one, or choose a higher plan.`,
    )
  }
  return getPriceAlert(deps, { id, account_id })
}

/** @throws ServiceError NOT_FOUND, also for a price alert of another account */
export async function getPriceAlert(
  { ledger }: Pick<Deps, 'ledger'>,
  key: PriceAlertKey,
): Promise<PriceAlert> {
  return requireAlert(await ledger.priceAlerts.get(key))
}

/**
 * Changes a price alert. A new condition can alert again.
 *
 * @throws ServiceError VALIDATION_ERROR or NOT_FOUND
 */
export async function updatePriceAlert(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  key: PriceAlertKey,
  { condition, threshold, is_paused }: PriceAlertUpdate,
): Promise<PriceAlert> {
  const changes: PriceAlertChanges = {
    ...(condition !== undefined && { condition }),
    ...(threshold !== undefined && { threshold: parseThreshold(threshold) }),
    ...(is_paused !== undefined && { is_paused }),
  }
  return requireAlert(await ledger.priceAlerts.update(key, changes, now()))
}

/** @returns the deleted price alert @throws ServiceError NOT_FOUND */
export async function deletePriceAlert(
  { ledger }: Pick<Deps, 'ledger'>,
  key: PriceAlertKey,
): Promise<PriceAlert> {
  return requireAlert(await ledger.priceAlerts.delete(key))
}

function requireAlert(alert: PriceAlert | undefined): PriceAlert {
  if (alert !== undefined) return alert
  throw new ServiceError('NOT_FOUND', 'This account has no such price alert.')
}
