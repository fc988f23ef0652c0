import type { Deps } from '#deps.ts'
import { messageId } from '#rules/alerts/alert-message.ts'
import { DIGEST_ALERTS_MAX } from '#rules/alerts/channel-message.ts'
import { BODY_FORMATS } from './relay-alerts.ts'

/**
 * Makes the daily digests that are due. Each is made in one transaction, so that a process that is killed
 * neither loses nor repeats one.
 *
 * @returns how many
 */
export async function makeDigests({ ledger, now }: Pick<Deps, 'ledger' | 'now'>): Promise<number> {
  const listMax = DIGEST_ALERTS_MAX
  for (let made = 0; ; made++) {
    const digest = { id: messageId(Bun.randomUUIDv7()), listMax, now: now() }
    if (!(await ledger.notifications.createDigest(digest, BODY_FORMATS))) return made
  }
}
