import { randomBytes, randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import type { AlertCondition } from '#rules/alerts/alert-condition.ts'
import { OLD_SECRET_VALID_MS } from '#rules/alerts/retry-schedule.ts'
import { generateSigningSecret } from '#rules/alerts/webhook-signature.ts'
import { cardNotFound, ServiceError } from '#rules/primitives/errors.ts'
import { toCents } from '#rules/primitives/money.ts'
import { parseWebhookUrl } from '#rules/primitives/webhook-url.ts'
import type { WebhookChanges, WebhookRecord } from '#store/ledger/webhooks.ts'

type WebhookDeps = Pick<Deps, 'catalog' | 'config' | 'ledger' | 'now' | 'secrets'>

/** Whose watches, and where it is asked for. */
type WebhookOwner = { account_id: number; address: string }

type WebhookKey = { account_id: number; webhook_id: string }

/** What is to be watched, and where it is told. `threshold` is US dollars. */
export type WebhookInput = {
  url: string
  card_id: number
  /** Undefined: the dearest one. */
  printing: string | undefined
  condition: AlertCondition
  threshold: number
}

/** What is to change; undefined: it stays. `threshold` is US dollars. */
export type WebhookUpdate = {
  url: string | undefined
  threshold: number | undefined
  is_paused: boolean | undefined
  rotateSecret: boolean
}

/** A watch; and what its messages are signed with, where that is new: it is told here and never again. */
export type WebhookWithSecret = { webhook: WebhookRecord; secret?: string }

/**
 * Watches a price.
 *
 * @throws ServiceError VALIDATION_ERROR, INVALID_WEBHOOK_URL, NOT_FOUND for a card that is not there,
 *   or TOO_MANY_WEBHOOKS
 */
export async function createWebhook(
  deps: WebhookDeps,
  { account_id, address }: WebhookOwner,
  { url: text, printing, threshold: dollars, card_id, condition }: WebhookInput,
): Promise<WebhookWithSecret & { secret: string }> {
  const { ledger, config, secrets, now } = deps
  const threshold = parseThreshold(dollars)
  const url = parseWebhookUrl(text, config.webhookNetwork).href
  assertPrintingExists(deps, { card_id, printing })
  const id = `wh_${randomUUID().replaceAll('-', '')}`
  const secret = generateSigningSecret(randomBytes)
  const watched = { account_id, url, card_id, printing: printing ?? null, condition, threshold }
  const webhook = { id, ...watched, secret: secrets.seal(secret, id) }
  if (!(await ledger.webhooks.create(webhook, WEBHOOKS_MAX, { now: now(), address }))) {
    throw new ServiceError(
      'TOO_MANY_WEBHOOKS',
      `An account has at most ${WEBHOOKS_MAX} webhooks. Delete one first.`,
    )
  }
  return { webhook: await getWebhook(deps, { account_id, webhook_id: id }), secret }
}

/** An account's watches, oldest first. */
export function listWebhooks({ ledger }: Pick<Deps, 'ledger'>, accountId: number) {
  return ledger.webhooks.list(accountId)
}

/** @throws ServiceError NOT_FOUND, also for a watch of another account */
export async function getWebhook(
  { ledger }: Pick<Deps, 'ledger'>,
  { account_id, webhook_id }: WebhookKey,
): Promise<WebhookRecord> {
  return known(await ledger.webhooks.get(webhook_id, account_id))
}

/**
 * Changes a watch. One that goes on is enabled, too, and what waited for it is sent; a secret that is
 * replaced signs for another day beside the new one.
 *
 * @throws ServiceError VALIDATION_ERROR, INVALID_WEBHOOK_URL or NOT_FOUND
 */
export async function updateWebhook(
  { ledger, config, secrets, now }: WebhookDeps,
  { account_id, webhook_id, address }: WebhookKey & WebhookOwner,
  { url: text, threshold, is_paused, rotateSecret }: WebhookUpdate,
): Promise<WebhookWithSecret> {
  const secret = rotateSecret ? generateSigningSecret(randomBytes) : undefined
  const wanted: WebhookChanges = {}
  if (threshold !== undefined) wanted.threshold = parseThreshold(threshold)
  if (text !== undefined) {
    const { href, host } = parseWebhookUrl(text, config.webhookNetwork)
    wanted.target = { url: href, host }
  }
  if (is_paused !== undefined) wanted.is_paused = is_paused
  if (secret !== undefined) {
    const oldUntil = new Date(now().getTime() + OLD_SECRET_VALID_MS)
    wanted.secret = { sealed: secrets.seal(secret, webhook_id), oldUntil }
  }
  const which = { id: webhook_id, account_id }
  const watch = known(await ledger.webhooks.update(which, wanted, { now: now(), address }))
  return secret === undefined ? { webhook: watch } : { webhook: watch, secret }
}

/**
 * Ends a watch; what it has to deliver is gone with it.
 *
 * @returns it as it was
 * @throws ServiceError NOT_FOUND
 */
export async function deleteWebhook(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  { account_id, webhook_id, address }: WebhookKey & WebhookOwner,
): Promise<WebhookRecord> {
  const which = { id: webhook_id, account_id }
  return known(await ledger.webhooks.delete(which, { now: now(), address }))
}

function known(watch: WebhookRecord | undefined): WebhookRecord {
  if (watch !== undefined) return watch
  throw new ServiceError('NOT_FOUND', 'There is no such watch of this account.')
}

/** Dollars as cents. */
function parseThreshold(dollars: number): number {
  const cents = toCents(dollars)
  if (cents !== undefined) return cents
  throw new ServiceError(
    'VALIDATION_ERROR',
    '"threshold" must be US dollars with at most two decimals, such as 19.99.',
  )
}

/** A card without prices may have any printing one day; one with prices shows which there are. */
function assertPrintingExists(
  { catalog }: Pick<Deps, 'catalog'>,
  { card_id, printing }: Pick<WebhookInput, 'card_id' | 'printing'>,
): void {
  if (!catalog.cards.exists(card_id)) throw cardNotFound(card_id)
  const printings = catalog.prices.listPrintings(card_id)
  if (printing === undefined || printings.length === 0 || printings.includes(printing)) return
  throw new ServiceError(
    'VALIDATION_ERROR',
    `"printing" must be one that the card has: ${printings.join(', ')}.`,
  )
}

/** More would be told of better in one message a day. */
const WEBHOOKS_MAX = 100
