import { randomBytes, randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import type { AlertCondition } from '#rules/alerts/alert-condition.ts'
import { OLD_SECRET_VALID_MS } from '#rules/alerts/retry-schedule.ts'
import { generateSigningSecret } from '#rules/alerts/webhook-signature.ts'
import type { ConfidenceLevel } from '#rules/pricing/confidence.ts'
import type { PriceChoice } from '#rules/pricing/price-view.ts'
import { cardNotFound, ServiceError } from '#rules/primitives/errors.ts'
import { toCents } from '#rules/primitives/money.ts'
import { parseWebhookUrl } from '#rules/primitives/webhook-url.ts'
import type { WebhookChanges, WebhookRecord } from '#store/ledger/webhooks.ts'
import { choosePrices } from '../pricing/choose-prices.ts'

type WebhookDeps = Pick<Deps, 'catalog' | 'config' | 'ledger' | 'now' | 'secrets'>

/** Owner of the webhooks, and client address for the audit log. */
type WebhookOwner = { account_id: number; address: string }

type WebhookKey = { account_id: number; webhook_id: string }

/** `threshold` is in the currency, in US dollars without a choice. */
export type WebhookInput = {
  url: string
  card_id: number
  /** Undefined for the most expensive printing. */
  printing: string | undefined
  condition: AlertCondition
  threshold: number
  /** Prices that it compares; without a choice, the mirror's. */
  choice: PriceChoice
  /** Least confidence in the price with which it alerts; `low`: any. */
  min_confidence: ConfidenceLevel
}

/** Undefined members stay the same. `threshold` is in the webhook's currency. */
export type WebhookUpdate = {
  url: string | undefined
  threshold: number | undefined
  min_confidence: ConfidenceLevel | undefined
  is_paused: boolean | undefined
  rotateSecret: boolean
}

/** `secret` signs deliveries. It is set if it is new, and only returned here. */
export type WebhookWithSecret = { webhook: WebhookRecord; secret?: string }

/**
 * Creates a price alert.
 *
 * @throws ServiceError VALIDATION_ERROR, INVALID_WEBHOOK_URL, NOT_FOUND for an unknown card, or
 *   TOO_MANY_WEBHOOKS
 */
export async function createWebhook(
  deps: WebhookDeps,
  { account_id, address }: WebhookOwner,
  {
    url: text,
    printing,
    threshold: amount,
    card_id,
    condition,
    choice,
    min_confidence,
  }: WebhookInput,
): Promise<WebhookWithSecret & { secret: string }> {
  const { ledger, config, secrets, now } = deps
  const threshold = parseThreshold(amount)
  const catalog = choosePrices(deps, choice)
  const url = parseWebhookUrl(text, config.webhookNetwork).href
  assertPrintingExists({ catalog }, { card_id, printing })
  const id = `wh_${randomUUID().replaceAll('-', '')}`
  const secret = generateSigningSecret(randomBytes)
  const chosen = { currency: catalog.view?.currency ?? null, source: choice.source ?? null }
  const price = { card_id, printing: printing ?? null, min_confidence, ...chosen }
  const watched = { account_id, url, ...price, condition, threshold }
  const webhook = { id, ...watched, secret: secrets.seal(secret, id) }
  if (!(await ledger.webhooks.create(webhook, WEBHOOKS_MAX, { now: now(), address }))) {
    throw new ServiceError(
      'TOO_MANY_WEBHOOKS',
      `An account has at most ${WEBHOOKS_MAX} webhooks. Delete one first.`,
    )
  }
  return { webhook: await getWebhook(deps, { account_id, webhook_id: id }), secret }
}

/** Lists an account's webhooks, oldest first. */
export function listWebhooks({ ledger }: Pick<Deps, 'ledger'>, accountId: number) {
  return ledger.webhooks.list(accountId)
}

/** @throws ServiceError NOT_FOUND, also for a webhook of another account */
export async function getWebhook(
  { ledger }: Pick<Deps, 'ledger'>,
  { account_id, webhook_id }: WebhookKey,
): Promise<WebhookRecord> {
  return requireWebhook(await ledger.webhooks.get(webhook_id, account_id))
}

/**
 * Changes a webhook. Resuming it also enables it and sends its waiting deliveries. After a rotation, the
 * old secret also signs for another day.
 *
 * @throws ServiceError VALIDATION_ERROR, INVALID_WEBHOOK_URL or NOT_FOUND
 */
export async function updateWebhook(
  { ledger, config, secrets, now }: WebhookDeps,
  { account_id, webhook_id, address }: WebhookKey & WebhookOwner,
  { url: text, threshold, min_confidence, is_paused, rotateSecret }: WebhookUpdate,
): Promise<WebhookWithSecret> {
  const secret = rotateSecret ? generateSigningSecret(randomBytes) : undefined
  const changes: WebhookChanges = {}
  if (threshold !== undefined) changes.threshold = parseThreshold(threshold)
  if (min_confidence !== undefined) changes.min_confidence = min_confidence
  if (text !== undefined) {
    const { href, host } = parseWebhookUrl(text, config.webhookNetwork)
    changes.target = { url: href, host }
  }
  if (is_paused !== undefined) changes.is_paused = is_paused
  if (secret !== undefined) {
    const oldUntil = new Date(now().getTime() + OLD_SECRET_VALID_MS)
    changes.secret = { sealed: secrets.seal(secret, webhook_id), oldUntil }
  }
  const which = { id: webhook_id, account_id }
  const updated = await ledger.webhooks.update(which, changes, { now: now(), address })
  const webhook = requireWebhook(updated)
  return secret === undefined ? { webhook } : { webhook, secret }
}

/**
 * Deletes a webhook and its deliveries.
 *
 * @returns the deleted webhook
 * @throws ServiceError NOT_FOUND
 */
export async function deleteWebhook(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  { account_id, webhook_id, address }: WebhookKey & WebhookOwner,
): Promise<WebhookRecord> {
  const which = { id: webhook_id, account_id }
  return requireWebhook(await ledger.webhooks.delete(which, { now: now(), address }))
}

function requireWebhook(watch: WebhookRecord | undefined): WebhookRecord {
  if (watch !== undefined) return watch
  throw new ServiceError('NOT_FOUND', 'This account has no such webhook.')
}

/** @throws ServiceError VALIDATION_ERROR */
export function parseThreshold(amount: number): number {
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
export function assertPrintingExists(
  { catalog }: Pick<Deps, 'catalog'>,
  { card_id, printing }: Pick<WebhookInput, 'card_id' | 'printing'>,
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
