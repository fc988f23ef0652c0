/** Changes that webhook owners make during an alert run, on the real ledger. */
import type { Deps } from '#deps.ts'
import { OLD_SECRET_VALID_MS } from '#rules/alerts/retry-schedule.ts'
import { type Change, emailOf, type PlannedWebhook, secretOf } from './alert-plan.ts'

/** More than any account in a plan has. */
const WATCHES_MAX = 100

type OwnerDeps = Pick<Deps, 'ledger' | 'secrets' | 'now'>

/**
 * Applies a change once: a process that was killed before recording it applies it again.
 *
 * @param urls of the receivers, by index
 */
export async function applyOwnerChange(
  deps: OwnerDeps,
  change: Change,
  urls: readonly string[],
): Promise<void> {
  const { ledger, now } = deps
  const context = { now: now(), address: undefined }
  if (change.kind === 'tier') {
    await ledger.accounts.updateTier(emailOf(change.account), change.tier, context)
    return
  }
  const { watch } = change
  const account = await ledger.accounts.getByEmail(emailOf(watch.account))
  const place = { id: watch.id, account_id: account?.id ?? 0 }
  const known = await ledger.webhooks.get({ id: watch.id, account_id: place.account_id })
  if (change.kind === 'add') {
    if (known === undefined)
      await add(deps, watch, place.account_id, urlOf(watch, urls[watch.receiver]))
  } else if (change.kind === 'move') {
    const url = urlOf(watch, urls[change.receiver])
    await ledger.webhooks.update(place, { url }, context)
  } else if (change.kind === 'remove') {
    await ledger.webhooks.delete(place, context)
  } else if (change.kind === 'threshold') {
    await ledger.webhooks.update(place, { threshold: change.threshold }, context)
  } else if (change.kind === 'rotate') {
    const secret = secretOf(watch, 'rotated')
    // On the second call, the new secret would become the old one.
    if (known === undefined || deps.secrets.open(known.secret, watch.id) === secret) return
    const sealed = deps.secrets.seal(secret, watch.id)
    const oldUntil = new Date(context.now.getTime() + OLD_SECRET_VALID_MS)
    await ledger.webhooks.update(place, { secret: { sealed, oldUntil } }, context)
  } else {
    await ledger.webhooks.update(place, { is_paused: change.kind === 'pause' }, context)
  }
}

async function add(
  { ledger, secrets, now }: OwnerDeps,
  watch: PlannedWebhook,
  account_id: number,
  url: string,
): Promise<void> {
  const { id, card: card_id, printing, condition, threshold } = watch
  const secret = secrets.seal(secretOf(watch, 'first'), id)
  const row = { id, account_id, url, card_id, printing, condition, threshold }
  await ledger.webhooks.create({ ...row, secret }, WATCHES_MAX, { now: now(), address: undefined })
}

function urlOf({ id }: PlannedWebhook, receiver: string | undefined): string {
  return new URL(id, receiver).href
}
