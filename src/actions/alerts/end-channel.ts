import type { Deps } from '#deps.ts'
import type { ChannelKind } from '#rules/alerts/channel-kinds.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { readConfirmToken, readUnsubscribeToken } from './channel-links.ts'

type LinkDeps = Pick<Deps, 'config' | 'ledger' | 'now' | 'secrets'>

/**
 * Ends the channel of a link: nothing more is sent to it. A mail address must be confirmed again before it is
 * used again.
 *
 * @returns the kind of the channel @throws ServiceError NOT_FOUND
 */
export async function unsubscribe(deps: LinkDeps, token: string): Promise<ChannelKind> {
  const id = readUnsubscribeToken(deps, token)
  const kind = id === undefined ? undefined : await deps.ledger.channels.unsubscribe(id, deps.now())
  if (kind === undefined) {
    throw new ServiceError(
      'NOT_FOUND',
      'This link belongs to no channel. It may have been deleted.',
    )
  }
  return kind
}

/** Confirms the mail address of a link. @returns the kind of the channel @throws ServiceError NOT_FOUND */
export async function confirmChannel(deps: LinkDeps, token: string): Promise<ChannelKind> {
  const id = readConfirmToken(deps, token, deps.now())
  const kind = id === undefined ? undefined : await deps.ledger.channels.confirm(id, deps.now())
  if (kind === undefined) {
    throw new ServiceError(
      'NOT_FOUND',
      'This link is wrong or has expired. Send a new mail from your alerts.',
    )
  }
  return kind
}
