import { randomBytes, randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import type { Condition } from '#rules/alerts/alert-condition.ts'
import { OLD_SECRET_MS } from '#rules/alerts/retry-schedule.ts'
import { mintSigningSecret } from '#rules/alerts/webhook-signature.ts'
import { noSuchCard, ServiceError } from '#rules/primitives/errors.ts'
import { exactCents } from '#rules/primitives/money.ts'
import { readWebhookUrl } from '#rules/primitives/webhook-url.ts'
import type { WebhookChange, WebhookRow } from '#store/ledger/webhooks.ts'

type WatchDeps = Pick<Deps, 'catalog' | 'config' | 'ledger' | 'now' | 'secrets'>

/** Whose watches, and where it is asked for. */
type Asker = { account_id: number; address: string }

type WatchAsk = { account_id: number; webhook_id: string }

/** What is to be watched, and where it is told. `threshold` is US dollars. */
export type WatchWish = {
  url: string
  card_id: number
  /** Undefined: the dearest one. */
  printing: string | undefined
  condition: Condition
  threshold: number
}

/** What is to change; undefined: it stays. `threshold` is US dollars. */
export type WatchWishes = {
  url: string | undefined
  threshold: number | undefined
  is_paused: boolean | undefined
  rotatesSecret: boolean
}

/** A watch; and what its messages are signed with, where that is new: it is told here and never again. */
export type ToldWatch = { watch: WebhookRow; secret?: string }

/**
 * Watches a price.
 *
 * @throws ServiceError VALIDATION_ERROR, INVALID_WEBHOOK_URL, NOT_FOUND for a card that is not there,
 *   or TOO_MANY_WEBHOOKS
 */
export async function watchPrice(
  deps: WatchDeps,
  { account_id, address }: Asker,
  { url: text, printing, threshold: dollars, card_id, condition }: WatchWish,
): Promise<ToldWatch & { secret: string }> {
  const { ledger, config, secrets, now } = deps
  const threshold = readThreshold(dollars)
  const url = readWebhookUrl(text, config.webhookNetwork).href
  assertWatchable(deps, { card_id, printing })
  const id = `wh_${randomUUID().replaceAll('-', '')}`
  const secret = mintSigningSecret(randomBytes)
  const watched = { account_id, url, card_id, printing: printing ?? null, condition, threshold }
  const webhook = { id, ...watched, secret: secrets.seal(secret, id) }
  if (!(await ledger.webhooks.add(webhook, WATCHES_MAX, { now: now(), address }))) {
    throw new ServiceError(
      'TOO_MANY_WEBHOOKS',
      `An account has at most ${WATCHES_MAX} webhooks. Delete one first.`,
    )
  }
  return { watch: await watchOf(deps, { account_id, webhook_id: id }), secret }
}

/** An account's watches, oldest first. */
export function watchesOf({ ledger }: Pick<Deps, 'ledger'>, accountId: number) {
  return ledger.webhooks.list(accountId)
}

/** @throws ServiceError NOT_FOUND, also for a watch of another account */
export async function watchOf(
  { ledger }: Pick<Deps, 'ledger'>,
  { account_id, webhook_id }: WatchAsk,
): Promise<WebhookRow> {
  return known(await ledger.webhooks.find(webhook_id, account_id))
}

/**
 * Changes a watch. One that goes on is enabled, too, and what waited for it is sent; a secret that is
 * replaced signs for another day beside the new one.
 *
 * @throws ServiceError VALIDATION_ERROR, INVALID_WEBHOOK_URL or NOT_FOUND
 */
export async function changeWatch(
  { ledger, config, secrets, now }: WatchDeps,
  { account_id, webhook_id, address }: WatchAsk & Asker,
  { url: text, threshold, is_paused, rotatesSecret }: WatchWishes,
): Promise<ToldWatch> {
  const secret = rotatesSecret ? mintSigningSecret(randomBytes) : undefined
  const wanted: WebhookChange = {}
  if (threshold !== undefined) wanted.threshold = readThreshold(threshold)
  if (text !== undefined) {
    const { href, host } = readWebhookUrl(text, config.webhookNetwork)
    wanted.place = { url: href, host }
  }
  if (is_paused !== undefined) wanted.is_paused = is_paused
  if (secret !== undefined) {
    const oldUntil = new Date(now().getTime() + OLD_SECRET_MS)
    wanted.secret = { sealed: secrets.seal(secret, webhook_id), oldUntil }
  }
  const which = { id: webhook_id, account_id }
  const watch = known(await ledger.webhooks.change(which, wanted, { now: now(), address }))
  return secret === undefined ? { watch } : { watch, secret }
}

/**
 * Ends a watch; what it has to deliver is gone with it.
 *
 * @returns it as it was
 * @throws ServiceError NOT_FOUND
 */
export async function unwatch(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  { account_id, webhook_id, address }: WatchAsk & Asker,
): Promise<WebhookRow> {
  const which = { id: webhook_id, account_id }
  return known(await ledger.webhooks.remove(which, { now: now(), address }))
}

function known(watch: WebhookRow | undefined): WebhookRow {
  if (watch !== undefined) return watch
  throw new ServiceError('NOT_FOUND', 'There is no such watch of this account.')
}

/** Dollars as cents. */
function readThreshold(dollars: number): number {
  const cents = exactCents(dollars)
  if (cents !== undefined) return cents
  throw new ServiceError(
    'VALIDATION_ERROR',
    '"threshold" must be US dollars with at most two decimals, such as 19.99.',
  )
}

/** A card without prices may have any printing one day; one with prices shows which there are. */
function assertWatchable(
  { catalog }: Pick<Deps, 'catalog'>,
  { card_id, printing }: Pick<WatchWish, 'card_id' | 'printing'>,
): void {
  if (!catalog.cards.exists(card_id)) throw noSuchCard(card_id)
  const printings = catalog.prices.printingsOf(card_id)
  if (printing === undefined || printings.length === 0 || printings.includes(printing)) return
  throw new ServiceError(
    'VALIDATION_ERROR',
    `"printing" must be one that the card has: ${printings.join(', ')}.`,
  )
}

/** More would be told of better in one message a day. */
const WATCHES_MAX = 100
