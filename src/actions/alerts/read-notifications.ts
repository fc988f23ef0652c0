import type { Deps } from '#deps.ts'
import type { RowWindow } from '#store/rows.ts'

/** Returns one page of an account's notifications, newest first, and how many are unread. */
export async function listNotifications(
  { ledger }: Pick<Deps, 'ledger'>,
  accountId: number,
  window: RowWindow,
) {
  const page = await ledger.notifications.list(accountId, window)
  return { ...page, unread: await ledger.notifications.countUnread(accountId, UNREAD_MAX) }
}

/**
 * Marks notifications as read.
 *
 * @param upTo the newest of them; undefined for all
 * @returns how many are unread now
 */
export async function markNotificationsRead(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  accountId: number,
  upTo: string | undefined,
): Promise<number> {
  await ledger.notifications.markRead(accountId, upTo, now())
  return ledger.notifications.countUnread(accountId, UNREAD_MAX)
}

/** More are counted as this number. */
const UNREAD_MAX = 100
