import { randomBytes, randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { type AccountLimits, tierLimits, tierName } from '#rules/accounts/tiers.ts'
import type { AlertCondition } from '#rules/alerts/alert-condition.ts'
import { OLD_SECRET_VALID_MS } from '#rules/alerts/retry-schedule.ts'
import { generateSigningSecret } from '#rules/alerts/webhook-signature.ts'
import type { PriceChoice } from '#rules/pricing/price-view.ts'
import { cardNotFound, ServiceError } from '#rules/primitives/errors.ts'
import { toCents } from '#rules/primitives/money.ts'
import { pickGiven } from '#rules/primitives/pick.ts'
import { parseWebhookUrl } from '#rules/primitives/webhook-url.ts'
import type {
  NewPriceAlert,
  NewWebhook,
  PriceAlert,
  PriceAlertChanges,
  RuleKey,
  WebhookChanges,
  WebhookRecord,
} from '#store/ledger/alerts/price-rules.ts'
import { choosePrices } from '../pricing/choose-prices.ts'

type RuleDeps = Pick<Deps, 'catalog' | 'config' | 'ledger' | 'now'>

/** Owner of webhooks, and client address for the audit log. */
type WebhookOwner = { account_id: number; address: string }

type WebhookKey = { account_id: number; webhook_id: string }

/** A watched price. `threshold` is in the chosen currency, by default in US dollars. */
export type PriceAlertInput = {
  card_id: number
  /** Undefined for the most expensive printing. */
  printing: string | undefined
  condition: AlertCondition
  threshold: number
  /** Currency and source of the compared price; by default the mirror's price. */
  choice: PriceChoice
}

export type WebhookInput = PriceAlertInput & Omit<NewWebhook, keyof NewPriceAlert | 'secret'>

/** Changes of a rule as requests state them: undefined members stay the same. `threshold` is in the rule's currency. */
type Update<Changes> = { [Name in keyof Changes]?: Changes[Name] | undefined }

export type PriceAlertUpdate = Update<PriceAlertChanges>

export type WebhookUpdate = Update<Omit<WebhookChanges, 'secret'>> & { rotateSecret: boolean }

/** `secret` signs deliveries. It is only set and returned if it is new. */
export type WebhookWithSecret = { webhook: WebhookRecord; secret?: string }

/**
 * Creates a price alert for a person.
 *
 * @throws ServiceError VALIDATION_ERROR, NOT_FOUND for an unknown card, or TOO_MANY_ALERTS
 */
export async function createPriceAlert(
  deps: RuleDeps,
  { account_id, tier, is_unlimited }: AccountLimits & { account_id: number },
  input: PriceAlertInput,
): Promise<PriceAlert> {
  const { ledger } = deps
  const prices = chooseRulePrices(deps, input)
  assertPrintingExists(prices, input)
  const id = newId('al_')
  const { alerts: max } = tierLimits({ tier, is_unlimited })
  const alert = { id, account_id, ...watchedPrice(prices, input) }
  if (!(await ledger.priceAlerts.create(alert, max, unaudited(deps)))) {
    throw new ServiceError(
      'TOO_MANY_ALERTS',
      `The ${tierName(tier)} tier includes ${max} price alerts. Delete one, or choose a higher plan.`,
    )
  }
  return getPriceAlert(deps, { id, account_id })
}

/**
 * Creates a webhook, with a new secret that signs its deliveries.
 *
 * @throws ServiceError VALIDATION_ERROR, INVALID_WEBHOOK_URL, NOT_FOUND for an unknown card, or
 *   TOO_MANY_WEBHOOKS
 */
export async function createWebhook(
  deps: RuleDeps & Pick<Deps, 'secrets'>,
  { account_id, address }: WebhookOwner,
  input: WebhookInput,
): Promise<WebhookWithSecret & { secret: string }> {
  const { ledger, config, secrets, now } = deps
  const prices = chooseRulePrices(deps, input)
  const { choice: _, ...given } = input
  const url = parseWebhookUrl(input.url, config.webhookNetwork).href
  assertPrintingExists(prices, input)
  const id = newId('wh_')
  const secret = generateSigningSecret(randomBytes)
  const webhook = {
    ...given,
    ...watchedPrice(prices, input),
    id,
    account_id,
    url,
    secret: secrets.seal(secret, id),
  }
  if (!(await ledger.webhooks.create(webhook, WEBHOOKS_MAX, { now: now(), address }))) {
    throw new ServiceError(
      'TOO_MANY_WEBHOOKS',
      `An account has at most ${WEBHOOKS_MAX} webhooks. Delete one first.`,
    )
  }
  return { webhook: await getWebhook(deps, { account_id, webhook_id: id }), secret }
}

/** @throws ServiceError NOT_FOUND, also for a price alert of another account */
export async function getPriceAlert(
  { ledger }: Pick<Deps, 'ledger'>,
  key: RuleKey,
): Promise<PriceAlert> {
  return requireRule(await ledger.priceAlerts.get(key), 'price alert')
}

/** @throws ServiceError NOT_FOUND, also for a webhook of another account */
export async function getWebhook(
  { ledger }: Pick<Deps, 'ledger'>,
  { account_id, webhook_id: id }: WebhookKey,
): Promise<WebhookRecord> {
  return requireRule(await ledger.webhooks.get({ id, account_id }), 'webhook')
}

/**
 * Changes a price alert. A new condition can alert again.
 *
 * @throws ServiceError VALIDATION_ERROR or NOT_FOUND
 */
export async function updatePriceAlert(
  deps: Pick<Deps, 'ledger' | 'now'>,
  key: RuleKey,
  { threshold, ...update }: PriceAlertUpdate,
): Promise<PriceAlert> {
  const changes: PriceAlertChanges = pickGiven(update)
  if (threshold !== undefined) changes.threshold = parseThreshold(threshold)
  const updated = await deps.ledger.priceAlerts.update(key, changes, unaudited(deps))
  return requireRule(updated, 'price alert')
}

/**
 * Changes a webhook. Resuming it also enables it and sends its waiting deliveries. After a rotation, the
 * old secret also signs for another day.
 *
 * @throws ServiceError VALIDATION_ERROR, INVALID_WEBHOOK_URL or NOT_FOUND
 */
export async function updateWebhook(
  { ledger, config, secrets, now }: RuleDeps & Pick<Deps, 'secrets'>,
  { account_id, webhook_id: id, address }: WebhookKey & WebhookOwner,
  { url, threshold, rotateSecret, ...update }: WebhookUpdate,
): Promise<WebhookWithSecret> {
  const secret = rotateSecret ? generateSigningSecret(randomBytes) : undefined
  const changes: WebhookChanges = pickGiven(update)
  if (threshold !== undefined) changes.threshold = parseThreshold(threshold)
  if (url !== undefined) changes.url = parseWebhookUrl(url, config.webhookNetwork).href
  if (secret !== undefined) {
    const oldUntil = new Date(now().getTime() + OLD_SECRET_VALID_MS)
    changes.secret = { sealed: secrets.seal(secret, id), oldUntil }
  }
  const context = { now: now(), address }
  const updated = await ledger.webhooks.update({ id, account_id }, changes, context)
  const webhook = requireRule(updated, 'webhook')
  return secret === undefined ? { webhook } : { webhook, secret }
}

/** @returns the deleted price alert @throws ServiceError NOT_FOUND */
export async function deletePriceAlert(
  deps: Pick<Deps, 'ledger' | 'now'>,
  key: RuleKey,
): Promise<PriceAlert> {
  return requireRule(await deps.ledger.priceAlerts.delete(key, unaudited(deps)), 'price alert')
}

/** Deletes a webhook and its deliveries. @returns the deleted webhook @throws ServiceError NOT_FOUND */
export async function deleteWebhook(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  { account_id, webhook_id: id, address }: WebhookKey & WebhookOwner,
): Promise<WebhookRecord> {
  const deleted = await ledger.webhooks.delete({ id, account_id }, { now: now(), address })
  return requireRule(deleted, 'webhook')
}

function requireRule<Rule>(rule: Rule | undefined, kind: 'price alert' | 'webhook'): Rule {
  if (rule !== undefined) return rule
  throw new ServiceError('NOT_FOUND', `This account has no such ${kind}.`)
}

/** Price alerts for people are not in the audit log. */
function unaudited({ now }: Pick<Deps, 'now'>) {
  return { now: now(), address: undefined }
}

function newId(prefix: 'al_' | 'wh_'): string {
  return prefix + randomUUID().replaceAll('-', '')
}

/** Prices that a rule compares, and its threshold in hundredths. */
type RulePrices = Pick<Deps, 'catalog'> & { threshold: number }

/** @throws ServiceError VALIDATION_ERROR for a threshold, currency or source */
function chooseRulePrices(
  deps: Pick<Deps, 'catalog' | 'now'>,
  { threshold: amount, choice }: PriceAlertInput,
): RulePrices {
  const threshold = parseThreshold(amount)
  return { threshold, catalog: choosePrices(deps, choice) }
}

/** Returns the stored form of a watched price. */
function watchedPrice(
  { catalog, threshold }: RulePrices,
  { card_id, printing, condition, choice }: PriceAlertInput,
) {
  return {
    card_id,
    printing: printing ?? null,
    condition,
    threshold,
    currency: catalog.view?.currency ?? null,
    source: choice.source ?? null,
  }
}

/** @throws ServiceError VALIDATION_ERROR */
function parseThreshold(amount: number): number {
  const cents = toCents(amount)
  if (cents !== undefined) return cents
  throw new ServiceError(
    'VALIDATION_ERROR',
    '"threshold" must be an amount with at most two decimals, such as 19.99.',
  )
}

/**
 * Checks a printing of a card. A card without prices may get any printing later.
 *
 * @throws ServiceError NOT_FOUND or VALIDATION_ERROR
 */
function assertPrintingExists(
  { catalog }: RulePrices,
  { card_id, printing }: PriceAlertInput,
): void {
  if (!catalog.cards.exists(card_id)) throw cardNotFound(card_id)
  const printings = catalog.prices.listPrintings(card_id)
  if (printing === undefined || printings.length === 0 || printings.includes(printing)) return
  throw new ServiceError(
    'VALIDATION_ERROR',
    `"printing" must be a printing of the card: ${printings.join(', ')}.`,
  )
}

const WEBHOOKS_MAX = 100
